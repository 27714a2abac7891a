/** Writers of the formats that put a name and JSON between marks. */
import type { FormatId } from "../types.ts";
import { around, each, type Writer, type WrittenCall } from "./writer.ts";

function json(call: WrittenCall): string {
  return JSON.stringify(call.arguments);
}

export const markerWriters = {
  deepseek: around(
    "<｜tool▁calls▁begin｜>",
    each((call) => `<｜tool▁call▁begin｜>${call.name}<｜tool▁sep｜>${json(call)}<｜tool▁call▁end｜>`, ""),
    "<｜tool▁calls▁end｜>",
  ),
  "kimi-k2": around(
    "<|tool_calls_section_begin|>",
    each(
      (call, place) =>
        `<|tool_call_begin|>functions.${call.name}:${place}<|tool_call_argument_begin|>${json(call)}<|tool_call_end|>`,
      "",
    ),
    "<|tool_calls_section_end|>",
  ),
  mistral: each((call) => `[TOOL_CALLS]${call.name}[ARGS]${json(call)}`, ""),
  harmony: each(
    (call) =>
      `<|start|>assistant<|channel|>commentary to=functions.${call.name} <|constrain|>json<|message|>${json(call)}<|call|>`,
    "",
  ),
  functionary: each((call) => `>>>${call.name}\n${json(call)}`),
} satisfies Partial<Record<FormatId, Writer>>;
