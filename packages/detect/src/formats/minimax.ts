/**
 * An invoke tag and parameter tags. Written by MiniMax M2:
 *
 *     <minimax:tool_call>
 *     <invoke name="read_file">
 *     <parameter name="path">a.txt</parameter>
 *     </invoke>
 *     </minimax:tool_call>
 *
 * Several calls share one frame. Calls in `<function_calls>` tags and without a frame are read too.
 */
import { plainTags } from "../markup/tag.ts";
import { invoke, lines } from "../write/tag-text.ts";
import type { Format } from "./format.ts";
import { tagFormat } from "./framed-format.ts";

export const minimax: Format = tagFormat({
  frames: [
    { open: "<minimax:tool_call>", style: plainTags, frames: ["minimax:tool_call"] },
    { open: "<function_calls>", style: plainTags, frames: ["function_calls"] },
    { open: "<invoke name=", style: plainTags, frames: ["minimax:tool_call"], bare: true },
  ],
  write: (calls) =>
    lines("<minimax:tool_call>", ...calls.map((call) => invoke(call)), "</minimax:tool_call>"),
});
