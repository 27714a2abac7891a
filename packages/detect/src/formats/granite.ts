/**
 * A list after a mark. Written by Granite 3:
 *
 *     <|tool_call|>[{"name":"read_file","arguments":{"path":"a.txt"}}]
 */
import { asList } from "../write/written-call.ts";
import type { Format } from "./format.ts";
import { jsonFormat } from "./framed-format.ts";

export const granite: Format = jsonFormat({
  frames: [
    // Phi-4 writes an end mark after the list.
    { open: "<|tool_call|>", ends: ["<|/tool_call|>"], endOptional: true },
    // Sarashina.
    { open: "<|tool_calls|>", ends: ["<|/tool_calls|>"], endOptional: true },
  ],
  write: (calls) => `<|tool_call|>${asList(calls)}`,
});
