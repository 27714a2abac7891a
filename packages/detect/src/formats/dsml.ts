/**
 * Invoke and parameter tags in the namespace DSML, with the type in the tag. Written by DeepSeek V3.2 and V4:
 *
 *     <｜DSML｜tool_calls>
 *     <｜DSML｜invoke name="read_file">
 *     <｜DSML｜parameter name="path" string="true">a.txt</｜DSML｜parameter>
 *     </｜DSML｜invoke>
 *     </｜DSML｜tool_calls>
 *
 * V3.2 calls the frame `function_calls`, and V4 refuses that name. A line feed inside a tag belongs to the value.
 */
import type { JsonValue } from "../types.ts";
import { args, lines } from "../write/tag-text.ts";
import { plainValue } from "../write/written-call.ts";
import type { Format } from "./format.ts";
import { prefixedTags, tagFormat } from "./framed-format.ts";

/** The frames, with fullwidth bars and with ASCII bars. */
const frames = ["｜DSML｜", "|DSML|"].flatMap((prefix) => {
  const frame = { style: prefixedTags(prefix), frames: ["function_calls", "tool_calls"], keepsLayout: true };
  return [
    { ...frame, open: `<${prefix}function_calls>`, refusedBy: "deepseekv4" },
    { ...frame, open: `<${prefix}tool_calls>` },
    { ...frame, open: `<${prefix}invoke`, bare: true },
  ];
});

export const dsml: Format = tagFormat({
  frames,
  write: (calls) => {
    const written = calls.map((call) =>
      lines(`<｜DSML｜invoke name="${call.name}">`, args(call, argument), "</｜DSML｜invoke>"),
    );
    return lines("<｜DSML｜tool_calls>", ...written, "</｜DSML｜tool_calls>");
  },
});

function argument(key: string, value: JsonValue): string {
  const isText = typeof value === "string";
  return `<｜DSML｜parameter name="${key}" string="${isText}">${plainValue(value)}</｜DSML｜parameter>`;
}
