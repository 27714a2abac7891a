/** Formats that put JSON between tags or behind a marker. */
import { type JsonFrame, jsonFrameOpener } from "../frames/json-frame.ts";
import { namedJsonOpener } from "../frames/named-json.ts";
import { strayEndOpener } from "../frames/stray-end.ts";
import type { Opener } from "../scan/session.ts";
import type { FormatId } from "../types.ts";
import type { Format } from "./format.ts";

type FramePart = Omit<JsonFrame, "format">;

/** A row whose calls stand in JSON frames. */
function row(
  id: FormatId,
  title: string,
  models: readonly string[],
  example: string,
  frames: readonly FramePart[],
  more: () => readonly Opener[] = () => [],
): Format {
  return {
    id,
    title,
    models,
    example,
    openers: () => [
      ...frames.flatMap((frame) => [
        jsonFrameOpener({ ...frame, format: id }),
        ...frame.ends.map((end) => strayEndOpener(end, id, end.startsWith("<|"))),
      ]),
      ...more(),
    ],
  };
}

const object = '{"name": "read_file", "arguments": {"path": "a.txt"}}';

/** Tags that other things use as well: what is no call in them stays text. */
function plainFrame(name: string): FramePart {
  return { open: `<${name}>`, ends: [`</${name}>`], certainty: "plain" };
}

export const jsonFormats: readonly Format[] = [
  row(
    "hermes",
    "JSON in <tool_call> tags",
    ["hermes", "qwen2", "qwen2.5", "qwen3", "qwq", "granite4", "mimo", "reka", "ernie", "trinity"],
    `<tool_call>\n${object}\n</tool_call>`,
    [
      { open: "<tool_call>", ends: ["</tool_call>"] },
      { open: "<function_call>", ends: ["</function_call>"], endOptional: true },
      ...["tools", "response", "json", "JSON", "xml"].map(plainFrame),
    ],
  ),
  row("onyx", "JSON in <tool> tags", [], `<tool>\n${object}\n</tool>`, [
    { open: "<tool>", ends: ["</tool>"] },
  ]),
  row(
    "llama3",
    "JSON behind <|python_tag|>",
    ["llama3", "llama4"],
    '<|python_tag|>{"name": "read_file", "parameters": {"path": "a.txt"}}',
    [{ open: "<|python_tag|>", ends: ["<|eom_id|>", "<|eot_id|>"], endOptional: true }],
  ),
  row("granite", "A list behind <|tool_call|>", ["granite3"], `<|tool_call|>[${object}]`, [
    { open: "<|tool_call|>", ends: [] },
  ]),
  row(
    "longcat",
    "JSON in <longcat_tool_call> tags",
    ["longcat"],
    `<longcat_tool_call>\n${object}\n</longcat_tool_call>`,
    [{ open: "<longcat_tool_call>", ends: ["</longcat_tool_call>"] }],
  ),
  row(
    "tool-call-list",
    "A list in <tool_calls> tags",
    ["jamba", "hunyuan", "apriel"],
    `<tool_calls>[\n${object}\n]</tool_calls>`,
    [{ open: "<tool_calls>", ends: ["</tool_calls>"] }],
  ),
  row("nemotron", "A list in <TOOLCALL> tags", ["nemotronnano"], `<TOOLCALL>[${object}]</TOOLCALL>`, [
    { open: "<TOOLCALL>", ends: ["</TOOLCALL>"] },
  ]),
  row("functools", "A list behind functools", ["phi4", "firefunction"], `functools[${object}]`, [
    { open: "functools", ends: [], only: "list", standing: "word" },
  ]),
  row(
    "internlm",
    "JSON between action marks",
    ["internlm", "interns1"],
    '<|action_start|><|plugin|>\n{"name": "read_file", "parameters": {"path": "a.txt"}}<|action_end|>',
    [{ open: "<|action_start|><|plugin|>", ends: ["<|action_end|>"] }],
  ),
  row(
    "cohere",
    "A list between action marks",
    ["commandr", "commanda"],
    '<|START_ACTION|>[\n{"tool_call_id": "0", "tool_name": "read_file", "parameters": {"path": "a.txt"}}\n]<|END_ACTION|>',
    [{ open: "<|START_ACTION|>", ends: ["<|END_ACTION|>"] }],
    () =>
      ["<|START_TEXT|>", "<|END_TEXT|>", "<|START_RESPONSE|>", "<|END_RESPONSE|>"].map((mark) =>
        strayEndOpener(mark, "cohere", true),
      ),
  ),
  row("gigachat", "JSON behind a function call mark", ["gigachat"], `<|function_call|>${object}`, [
    { open: "<|function_call|>", ends: ["</s>"], endOptional: true },
    { open: "<|message_sep|>\n\nfunction call<|role_sep|>\n", ends: ["</s>"], endOptional: true },
  ]),
  row(
    "apertus",
    "A list of objects whose key is the name",
    ["apertus"],
    '<|tools_prefix|>[{"read_file": {"path": "a.txt"}}]<|tools_suffix|>',
    [{ open: "<|tools_prefix|>", ends: ["<|tools_suffix|>"] }],
  ),
  row(
    "inkling",
    "JSON behind an invoke mark",
    ["inkling"],
    '<|message_model|>read_file<|content_invoke_tool_json|>{"name": "read_file", "args": {"path": "a.txt"}}<|end_message|>',
    [{ open: "<|content_invoke_tool_json|>", ends: ["<|end_message|>"] }],
    () => [
      namedJsonOpener("<|message_model|>", "<|content_invoke_tool_json|>", "inkling"),
      strayEndOpener("<|message_model|><|content_text|>", "inkling", true),
    ],
  ),
];
