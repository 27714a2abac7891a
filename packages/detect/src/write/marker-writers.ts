/** Writers of the formats with markers around names, messages to functions, and Python's and Gemma's notations. */
import type { FormatId, JsonValue } from "../types.ts";
import { type CallWriter, each, type WrittenCall } from "./written-call.ts";

const json = (call: WrittenCall): string => JSON.stringify(call.arguments);

export const markerWriters: { readonly [id in FormatId]?: CallWriter } = {
  deepseek: (calls) => {
    const written = calls.map(
      (call) => `<｜tool▁call▁begin｜>${call.name}<｜tool▁sep｜>${json(call)}<｜tool▁call▁end｜>`,
    );
    return `<｜tool▁calls▁begin｜>${written.join("")}<｜tool▁calls▁end｜>`;
  },
  "kimi-k2": (calls) => {
    const written = calls.map(
      (call, index) =>
        `<|tool_call_begin|>functions.${call.name}:${index}<|tool_call_argument_begin|>${json(call)}<|tool_call_end|>`,
    );
    return `<|tool_calls_section_begin|>${written.join("")}<|tool_calls_section_end|>`;
  },
  mistral: each((call) => `[TOOL_CALLS]${call.name}[ARGS]${json(call)}`, ""),
  functionary: each((call) => `>>>${call.name}\n${json(call)}`),
  harmony: each(
    (call) =>
      `<|start|>assistant<|channel|>commentary to=functions.${call.name} <|constrain|>json<|message|>${json(call)}<|call|>`,
    "",
  ),
  functiongemma: each(
    (call) =>
      `<start_function_call>call:${call.name}${gemmaValue(call.arguments, "<escape>")}<end_function_call>`,
    "",
  ),
  gemma: each(
    (call) => `<|tool_call>call:${call.name}${gemmaValue(call.arguments, '<|"|>')}<tool_call|>`,
    "",
  ),
  pythonic: (calls) => `[${calls.map(pythonCall).join(", ")}]`,
  lfm2: (calls) => `<|tool_call_start|>[${calls.map(pythonCall).join(", ")}]<|tool_call_end|>`,
  olmo3: (calls) => `<function_calls>${calls.map(pythonCall).join("\n")}</function_calls>`,
};

function pythonCall(call: WrittenCall): string {
  const args = Object.entries(call.arguments).map(([key, value]) => `${key}=${pythonValue(value)}`);
  return `${call.name}(${args.join(", ")})`;
}

function pythonValue(value: JsonValue): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, item]) => `${JSON.stringify(key)}: ${pythonValue(item)}`)
    .join(", ")}}`;
}

function gemmaValue(value: JsonValue | WrittenCall["arguments"], quote: string): string {
  if (typeof value === "string") return `${quote}${value}${quote}`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item: JsonValue) => gemmaValue(item, quote)).join(",")}]`;
  return `{${Object.entries(value)
    .map(([key, item]) => `${key}:${gemmaValue(item, quote)}`)
    .join(",")}}`;
}
