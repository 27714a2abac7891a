/**
 * A list after a mark; Granite 3:
 *
 *     <|tool_call|>[{"name": "read_file", "arguments": {"path": "a.txt"}}]
 */
import { asList } from "../write/written-call.ts";
import type { Format } from "./format.ts";
import { jsonFormat } from "./framed-format.ts";

export const granite: Format = jsonFormat({
  example: '<|tool_call|>[{"name": "read_file", "arguments": {"path": "a.txt"}}]',
  // Phi-4 ends its list.
  frames: [{ open: "<|tool_call|>", ends: ["<|/tool_call|>"], endOptional: true }],
  write: (calls) => `<|tool_call|>${asList(calls)}`,
});
