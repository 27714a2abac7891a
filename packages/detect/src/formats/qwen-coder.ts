/**
 * A function tag and parameter tags, each value on separate lines. Written by Qwen3-Coder, Qwen 3.5, Nemotron 3, Step 3.5:
 *
 *     <tool_call>
 *     <function=read_file>
 *     <parameter=path>
 *     a.txt
 *     </parameter>
 *     </function>
 *     </tool_call>
 *
 * The frame may be missing. Values are raw text; several parameters with the same name become a list.
 */
import { plainTags } from "../markup/tag.ts";
import { args, lines } from "../write/tag-text.ts";
import { each, plainValue } from "../write/written-call.ts";
import type { Format } from "./format.ts";
import { tagFormat } from "./framed-format.ts";

const frame = { style: plainTags, frames: ["tool_call"], repeats: true };

export const qwenCoder: Format = tagFormat({
  frames: [
    { ...frame, open: "<tool_call>" },
    { ...frame, open: "<tool_call name=", bare: true },
    { ...frame, open: "<function=", bare: true },
    { ...frame, open: "<call=", bare: true },
  ],
  write: each((call) => {
    const body = args(call, (key, value) => `<parameter=${key}>\n${plainValue(value)}\n</parameter>`);
    return lines("<tool_call>", `<function=${call.name}>`, body, "</function>", "</tool_call>");
  }),
});
