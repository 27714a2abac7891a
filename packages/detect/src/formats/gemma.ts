/**
 * Gemma's object notation between marks, with texts between quote marks. Written by Gemma 4:
 *
 *     <|tool_call>call:read_file{path:<|"|>a.txt<|"|>}<tool_call|>
 */
import type { Format } from "./format.ts";
import { gemmaFormat } from "./framed-format.ts";

export const gemma: Format = gemmaFormat({
  frame: { open: "<|tool_call>", end: "<tool_call|>", quote: '<|"|>' },
  marks: ["<|tool_response>"],
});
