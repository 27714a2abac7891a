/** Formats that put a name and a JSON object between markers. */

import { channelOpeners } from "../channels/channel-openers.ts";
import { jsonFrameOpener } from "../frames/json-frame.ts";
import { type MarkerFrame, markerFrameOpeners } from "../frames/marker-frame.ts";
import { strayEndOpener } from "../frames/stray-end.ts";
import { gemmaFrameOpener } from "../gemma/gemma-frame.ts";
import type { Format } from "./format.ts";

/** `tool calls begin` in every dress in which DeepSeek's marks have been seen. */
function deepseekMarks(words: string): string[] {
  return ["▁", "_", " ", "\\_"].flatMap((space) =>
    ["｜", "|"].map((bar) => `<${bar}${words.replaceAll(" ", space)}${bar}>`),
  );
}

const deepseek: MarkerFrame = {
  format: "deepseek",
  calls: deepseekMarks("tool call begin"),
  sections: deepseekMarks("tool calls begin").map((open) => [open, open.replace("begin", "end")] as const),
  before: deepseekMarks("tool sep").map((mark) => `function${mark}`),
  between: [...deepseekMarks("tool sep"), "```json", "```"],
  ends: deepseekMarks("tool call end"),
};

const kimi: MarkerFrame = {
  format: "kimi-k2",
  calls: ["<|tool_call_begin|>"],
  sections: [
    ["<|tool_calls_section_begin|>", "<|tool_calls_section_end|>"],
    ["<|tool_call_section_begin|>", "<|tool_call_section_end|>"],
  ],
  between: ["<|tool_call_argument_begin|>"],
  nameIsId: true,
  ends: ["<|tool_call_end|>"],
};

const mistral: MarkerFrame = {
  format: "mistral",
  calls: ["[TOOL_CALLS]", "[TOOL_CALLS"],
  between: ["[ARGS]"],
  idMarker: "[CALL_ID]",
  ends: [],
  argumentsRequired: true,
};

export const markerFormats: readonly Format[] = [
  {
    id: "deepseek",
    title: "Names and JSON between fullwidth marks",
    models: ["deepseekv3", "deepseekr1", "deepseekv3.1", "cogito"],
    example:
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>read_file<｜tool▁sep｜>{"path": "a.txt"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    openers: () => [
      ...markerFrameOpeners(deepseek),
      ...(deepseek.sections ?? []).map(([, end]) => strayEndOpener(end, "deepseek")),
      ...["outputs begin", "outputs end", "output begin", "output end"].map((words) =>
        strayEndOpener(`<｜tool▁${words.replace(" ", "▁")}｜>`, "deepseek", true),
      ),
    ],
  },
  {
    id: "kimi-k2",
    title: "Ids and JSON between marks",
    models: ["kimik2", "kimilinear"],
    example:
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{"path": "a.txt"}<|tool_call_end|><|tool_calls_section_end|>',
    openers: () => [
      ...markerFrameOpeners(kimi),
      ...(kimi.sections ?? []).map(([, end]) => strayEndOpener(end, "kimi-k2", true)),
    ],
  },
  {
    id: "mistral",
    title: "JSON behind [TOOL_CALLS]",
    models: ["mistral", "ministral", "magistral", "devstral", "codestral"],
    example: '[TOOL_CALLS]read_file[ARGS]{"path": "a.txt"}',
    openers: () => [
      jsonFrameOpener({
        open: "[TOOL_CALLS]",
        ends: ["[/TOOL_CALLS]"],
        format: "mistral",
        endOptional: true,
        wordsBefore: true,
      }),
      ...markerFrameOpeners(mistral),
      strayEndOpener("[/TOOL_CALLS]", "mistral"),
    ],
  },
  {
    id: "harmony",
    title: "Messages to functions",
    models: ["gptoss"],
    example:
      '<|start|>assistant<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{"path": "a.txt"}<|call|>',
    openers: () => channelOpeners("harmony", []),
  },
  {
    id: "functionary",
    title: "A name behind >>>, or in a function tag, and JSON",
    models: ["functionary"],
    example: '>>>read_file\n{"path": "a.txt"}',
    openers: () =>
      markerFrameOpeners({
        format: "functionary",
        calls: [">>>"],
        between: [],
        ends: [],
        argumentsRequired: true,
      }),
  },
  {
    id: "functiongemma",
    title: "Gemma's object notation with escape tags",
    models: ["functiongemma"],
    example: "<start_function_call>call:read_file{path:<escape>a.txt<escape>}<end_function_call>",
    openers: () => [
      gemmaFrameOpener({
        open: "<start_function_call>",
        end: "<end_function_call>",
        format: "functiongemma",
        quote: "<escape>",
      }),
      strayEndOpener("<end_function_call>", "functiongemma"),
    ],
  },
  {
    id: "gemma",
    title: "Gemma's object notation",
    models: ["gemma4"],
    example: '<|tool_call>call:read_file{path:<|"|>a.txt<|"|>}<tool_call|>',
    openers: () => [
      gemmaFrameOpener({ open: "<|tool_call>", end: "<tool_call|>", format: "gemma", quote: '<|"|>' }),
      strayEndOpener("<tool_call|>", "gemma", true),
      strayEndOpener("<|tool_response>", "gemma", true),
    ],
  },
];
