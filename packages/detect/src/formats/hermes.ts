/**
 * JSON in `<tool_call>` tags, one pair of tags for each call. Written by Qwen, Granite 4 and most small models:
 *
 *     <tool_call>
 *     {"name":"read_file","arguments":{"path":"a.txt"}}
 *     </tool_call>
 *
 * Calls in `<function_call>` tags are read too, and in tags that also have other uses, such as `<json>`.
 */
import { around } from "../write/written-call.ts";
import type { Format } from "./format.ts";
import { jsonFormat, plainFrame } from "./framed-format.ts";

export const hermes: Format = jsonFormat({
  frames: [
    { open: "<tool_call>", ends: ["</tool_call>"] },
    { open: "<function_call>", ends: ["</function_call>"], endOptional: true },
    ...["tools", "response", "json", "JSON", "xml"].map(plainFrame),
  ],
  write: around("<tool_call>\n", "\n</tool_call>"),
});
