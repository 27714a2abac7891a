/** Writers of the formats whose calls are JSON objects or lists. */
import type { FormatId } from "../types.ts";
import { around, each, type Writer, type WrittenCall } from "./writer.ts";

function object({ name, arguments: args }: WrittenCall): string {
  return JSON.stringify({ name, arguments: args });
}

function withParameters({ name, arguments: args }: WrittenCall): string {
  return JSON.stringify({ name, parameters: args });
}

function openai(call: WrittenCall): string {
  return `{"type":"function","function":${object(call)}}`;
}

function list(write: (call: WrittenCall, place: number) => string): Writer {
  return around("[", each(write, ", "), "]");
}

function framed(open: string, close: string, write = object): Writer {
  return each((call) => `${open}${write(call)}${close}`);
}

/** One object as itself, several as a list. */
function oneOrList(write: (call: WrittenCall) => string): Writer {
  return (calls, after) => (calls.length === 1 ? each(write)(calls, after) : list(write)(calls, after));
}

function cohereObject({ name, arguments: args }: WrittenCall, place: number): string {
  return JSON.stringify({ tool_call_id: String(place), tool_name: name, parameters: args });
}

function inkling({ name, arguments: args }: WrittenCall): string {
  const body = JSON.stringify({ name, args });
  return `<|message_model|>${name}<|content_invoke_tool_json|>${body}<|end_message|>`;
}

export const jsonWriters = {
  hermes: framed("<tool_call>\n", "\n</tool_call>"),
  onyx: framed("<tool>\n", "\n</tool>"),
  longcat: framed("<longcat_tool_call>\n", "\n</longcat_tool_call>"),
  llama3: framed("<|python_tag|>", "", withParameters),
  gigachat: framed("<|function_call|>", ""),
  internlm: framed("<|action_start|><|plugin|>\n", "<|action_end|>", withParameters),
  granite: around("<|tool_call|>", list(object), ""),
  "tool-call-list": around("<tool_calls>", list(object), "</tool_calls>"),
  nemotron: around("<TOOLCALL>", list(object), "</TOOLCALL>"),
  functools: around("functools", list(object), ""),
  firefunction: around("functools", list(object), ""),
  cohere: around("<|START_ACTION|>", list(cohereObject), "<|END_ACTION|>"),
  apertus: around(
    "<|tools_prefix|>",
    list(({ name, arguments: args }) => JSON.stringify({ [name]: args })),
    "<|tools_suffix|>",
  ),
  inkling: each(inkling, ""),
  json: each(object),
  "json-list": list(object),
  openai: oneOrList(openai),
  "tool-args": each(({ name, arguments: args }) => JSON.stringify({ tool: name, args })),
  "fenced-json": around("```json\n", oneOrList(object), "\n```"),
  "ralph-lines": each(
    ({ name, arguments: args }) => `Tool: ${name}\nArguments: ${JSON.stringify(args)}`,
    "\n\n",
  ),
  "name-call": each(({ name, arguments: args }) => `${name}(${JSON.stringify(args)})`),
} satisfies Partial<Record<FormatId, Writer>>;
