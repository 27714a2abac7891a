/**
 * A list in `<tool_calls>` tags. Written by Jamba, Hunyuan, Apriel:
 *
 *     <tool_calls>[{"name":"read_file","arguments":{"path":"a.txt"}}]</tool_calls>
 */
import { asList } from "../write/written-call.ts";
import type { Format } from "./format.ts";
import { jsonFormat } from "./framed-format.ts";

export const toolCallList: Format = jsonFormat({
  frames: [{ open: "<tool_calls>", ends: ["</tool_calls>"] }],
  write: (calls) => `<tool_calls>${asList(calls)}</tool_calls>`,
});
