/**
 * Gemma's object notation between tags, with texts between escape tags; FunctionGemma:
 *
 *     <start_function_call>call:read_file{path:<escape>a.txt<escape>}<end_function_call>
 */
import { strayEndOpener } from "../frames/stray-end.ts";
import { type GemmaFrame, gemmaFrameOpener } from "../gemma/gemma-frame.ts";
import { gemmaValue } from "../write/gemma-text.ts";
import { each } from "../write/written-call.ts";
import type { Format } from "./format.ts";

const frame: GemmaFrame = {
  open: "<start_function_call>",
  end: "<end_function_call>",
  format: "functiongemma",
  quote: "<escape>",
};

export const functiongemma: Format = {
  id: "functiongemma",
  example: "<start_function_call>call:read_file{path:<escape>a.txt<escape>}<end_function_call>",
  openers: () => [gemmaFrameOpener(frame), strayEndOpener(frame.end, "functiongemma")],
  write: each(
    (call) => `${frame.open}call:${call.name}${gemmaValue(call.arguments, frame.quote)}${frame.end}`,
    "",
  ),
};
