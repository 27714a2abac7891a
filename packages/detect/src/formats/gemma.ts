/**
 * Gemma's object notation between marks, with texts between quote marks; Gemma 4:
 *
 *     <|tool_call>call:read_file{path:<|"|>a.txt<|"|>}<tool_call|>
 */
import { strayEndOpener } from "../frames/stray-end.ts";
import { type GemmaFrame, gemmaFrameOpener } from "../gemma/gemma-frame.ts";
import { gemmaValue } from "../write/gemma-text.ts";
import { each } from "../write/written-call.ts";
import type { Format } from "./format.ts";

const frame: GemmaFrame = { open: "<|tool_call>", end: "<tool_call|>", format: "gemma", quote: '<|"|>' };

export const gemma: Format = {
  id: "gemma",
  example: '<|tool_call>call:read_file{path:<|"|>a.txt<|"|>}<tool_call|>',
  openers: () => [
    gemmaFrameOpener(frame),
    strayEndOpener(frame.end, "gemma", true),
    strayEndOpener("<|tool_response>", "gemma", true),
  ],
  write: each(
    (call) => `${frame.open}call:${call.name}${gemmaValue(call.arguments, frame.quote)}${frame.end}`,
    "",
  ),
};
