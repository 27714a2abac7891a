/**
 * A function tag and parameter tags in a frame. Written by Seed-OSS:
 *
 *     <seed:tool_call>
 *     <function=read_file>
 *     <parameter=path>a.txt</parameter>
 *     </function>
 *     </seed:tool_call>
 */
import { plainTags } from "../markup/tag.ts";
import { args, laidOut, lines } from "../write/tag-text.ts";
import { each } from "../write/written-call.ts";
import type { Format } from "./format.ts";
import { tagFormat } from "./framed-format.ts";

export const seedOss: Format = tagFormat({
  frames: [{ open: "<seed:tool_call>", style: plainTags, frames: ["seed:tool_call"] }],
  write: each((call) => {
    const body = args(call, (key, value) => `<parameter=${key}>${laidOut(value)}</parameter>`);
    return lines("<seed:tool_call>", `<function=${call.name}>`, body, "</function>", "</seed:tool_call>");
  }),
});
