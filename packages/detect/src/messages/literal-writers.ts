/** Writers of the formats with values in a notation of their own: Python's, Gemma's and YAML's. */
import type { FormatId, JsonValue } from "../types.ts";
import { around, each, type Writer, type WrittenCall } from "./writer.ts";

/** A value as a Python literal. JSON's strings and numbers are Python's too. */
function python(value: JsonValue): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(python).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${python(item)}`);
  return `{${entries.join(", ")}}`;
}

function pythonCall(call: WrittenCall): string {
  const args = Object.entries(call.arguments).map(([key, value]) => `${key}=${python(value)}`);
  return `${call.name}(${args.join(", ")})`;
}

/** A value in Gemma's notation; `quote` stands on both sides of a text. */
function gemma(value: JsonValue, quote: string): string {
  if (typeof value === "string") return quote + value + quote;
  if (Array.isArray(value)) return `[${value.map((item) => gemma(item, quote)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return gemmaObject(value, quote);
}

function gemmaObject(value: { readonly [key: string]: JsonValue }, quote: string): string {
  const entries = Object.entries(value).map(([key, item]) => `${key}:${gemma(item, quote)}`);
  return `{${entries.join(",")}}`;
}

const notPlain = /^(?:true|false|null|none|nil|yes|no|on|off|~)$/i;

/** A text in one line, without quotes where it cannot be taken for anything else. */
function yamlScalar(value: JsonValue): string {
  if (typeof value !== "string") return JSON.stringify(value);
  return /^[A-Za-z/][\w./ -]*$/.test(value) && !/ $/.test(value) && !notPlain.test(value)
    ? value
    : JSON.stringify(value);
}

function yamlKey(key: string): string {
  return /^[A-Za-z_][\w-]*$/.test(key) ? key : JSON.stringify(key);
}

/** What stands behind a key or a dash: a value on the same line, or lines below it. */
function yaml(value: JsonValue, indent: string): string {
  if (Array.isArray(value) && value.length > 0) {
    return value.map((item) => `\n${indent}-${yaml(item, `${indent}  `)}`).join("");
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length > 0) {
    return Object.entries(value)
      .map(([key, item]) => `\n${indent}${yamlKey(key)}:${yaml(item, `${indent}  `)}`)
      .join("");
  }
  return ` ${yamlScalar(value)}`;
}

function yamlCall(call: WrittenCall): string {
  const body = yaml(call.arguments, "");
  return `<${call.name}>${body === " {}" ? "" : body}\n</${call.name}>`;
}

export const literalWriters = {
  pythonic: around("[", each(pythonCall, ", "), "]"),
  lfm2: around("<|tool_call_start|>[", each(pythonCall, ", "), "]<|tool_call_end|>"),
  olmo3: around("<function_calls>", each(pythonCall), "</function_calls>"),
  functiongemma: each(
    (call) =>
      `<start_function_call>call:${call.name}${gemmaObject(call.arguments, "<escape>")}<end_function_call>`,
    "",
  ),
  gemma: each(
    (call) => `<|tool_call>call:${call.name}${gemmaObject(call.arguments, '<|"|>')}<tool_call|>`,
    "",
  ),
  "yaml-xml": each(yamlCall),
} satisfies Partial<Record<FormatId, Writer>>;
