/**
 * Gemma's object notation between tags, with texts between escape tags. Written by FunctionGemma:
 *
 *     <start_function_call>call:read_file{path:<escape>a.txt<escape>}<end_function_call>
 */
import type { Format } from "./format.ts";
import { gemmaFormat } from "./framed-format.ts";

export const functiongemma: Format = gemmaFormat({
  frame: { open: "<start_function_call>", end: "<end_function_call>", quote: "<escape>" },
});
