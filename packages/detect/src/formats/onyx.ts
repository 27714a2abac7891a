/**
 * JSON in `<tool>` tags. The prompts of Onyx ask for it:
 *
 *     <tool>
 *     {"name":"read_file","arguments":{"path":"a.txt"}}
 *     </tool>
 */
import { around } from "../write/written-call.ts";
import type { Format } from "./format.ts";
import { jsonFormat } from "./framed-format.ts";

export const onyx: Format = jsonFormat({
  frames: [{ open: "<tool>", ends: ["</tool>"] }],
  write: around("<tool>\n", "\n</tool>"),
});
