/**
 * The id, which holds the name, and JSON between marks. Written by Kimi K2:
 *
 *     <|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{"path":"a.txt"}<|tool_call_end|><|tool_calls_section_end|>
 */
import { type MarkerFrame, markerFrameOpeners } from "../frames/marker-frame.ts";
import { strayEndOpener } from "../frames/stray-end.ts";
import { argumentsJson } from "../write/written-call.ts";
import type { Format } from "./format.ts";

const sections = [
  ["<|tool_calls_section_begin|>", "<|tool_calls_section_end|>"],
  ["<|tool_call_section_begin|>", "<|tool_call_section_end|>"],
] as const;
const frame: MarkerFrame = {
  format: "kimi-k2",
  calls: ["<|tool_call_begin|>"],
  sections,
  between: ["<|tool_call_argument_begin|>"],
  nameIsId: true,
  ends: ["<|tool_call_end|>"],
};

function unmarked(id: string): MarkerFrame {
  return { ...frame, calls: [id], sections: [], ends: [], isName: true, argumentsRequired: true };
}

export const kimiK2: Format = {
  openers: (tools) => [
    ...markerFrameOpeners(frame),
    // Some servers leave out the marks, which are special tokens. Then only the id is left.
    ...tools.flatMap(({ name }) =>
      [`functions.${name}:`, `${name}:`].flatMap((id) => markerFrameOpeners(unmarked(id))),
    ),
    ...sections.map(([, end]) => strayEndOpener(end, "kimi-k2", true)),
  ],
  write: (calls) => {
    const written = calls.map(
      (call, index) =>
        `<|tool_call_begin|>functions.${call.name}:${index}<|tool_call_argument_begin|>${argumentsJson(call)}<|tool_call_end|>`,
    );
    return `<|tool_calls_section_begin|>${written.join("")}<|tool_calls_section_end|>`;
  },
};
