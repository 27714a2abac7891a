/**
 * JSON in `<tool_call>` tags, one pair of tags a call; what Qwen, Granite 4 and most small models are trained on:
 *
 *     <tool_call>
 *     {"name": "read_file", "arguments": {"path": "a.txt"}}
 *     </tool_call>
 *
 * Also in `<function_call>` tags, and in tags that other things use as well.
 */
import { around } from "../write/written-call.ts";
import type { Format } from "./format.ts";
import { jsonFormat, plainFrame } from "./framed-format.ts";

export const hermes: Format = jsonFormat({
  example: '<tool_call>\n{"name": "read_file", "arguments": {"path": "a.txt"}}\n</tool_call>',
  frames: [
    { open: "<tool_call>", ends: ["</tool_call>"] },
    { open: "<function_call>", ends: ["</function_call>"], endOptional: true },
    ...["tools", "response", "json", "JSON", "xml"].map(plainFrame),
  ],
  write: around("<tool_call>\n", "\n</tool_call>"),
});
