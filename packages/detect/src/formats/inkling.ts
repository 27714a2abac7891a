/**
 * JSON behind a header with the name and a mark, with `args` for the arguments; Inkling:
 *
 *     <|message_model|>read_file<|content_invoke_tool_json|>{"name": "read_file", "args": {"path": "a.txt"}}<|end_message|>
 *
 * The name in the JSON counts.
 */
import { namedJsonOpener } from "../frames/named-json.ts";
import { asObject, each } from "../write/written-call.ts";
import type { Format } from "./format.ts";
import { jsonFormat } from "./json-format.ts";

const header = "<|message_model|>";
const invoke = "<|content_invoke_tool_json|>";

export const inkling: Format = jsonFormat({
  id: "inkling",
  example:
    '<|message_model|>read_file<|content_invoke_tool_json|>{"name": "read_file", "args": {"path": "a.txt"}}<|end_message|>',
  frames: [{ open: invoke, ends: ["<|end_message|>"] }],
  more: [namedJsonOpener(header, invoke, "inkling")],
  marks: [`${header}<|content_text|>`],
  write: each((call) => `${header}${call.name}${invoke}${asObject(call, "name", "args")}<|end_message|>`, ""),
});
