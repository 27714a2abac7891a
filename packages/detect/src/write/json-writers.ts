/** Writers of the formats that hold JSON. */
import type { FormatId } from "../types.ts";
import { asList, asObject, type CallWriter, each } from "./written-call.ts";

const around = (open: string, close: string): CallWriter =>
  each((call) => `${open}${asObject(call)}${close}`);

export const jsonWriters: { readonly [id in FormatId]?: CallWriter } = {
  hermes: around("<tool_call>\n", "\n</tool_call>"),
  onyx: around("<tool>\n", "\n</tool>"),
  longcat: around("<longcat_tool_call>\n", "\n</longcat_tool_call>"),
  llama3: (calls) => `<|python_tag|>${calls.map((call) => asObject(call, "name", "parameters")).join("; ")}`,
  granite: (calls) => `<|tool_call|>${asList(calls)}`,
  "tool-call-list": (calls) => `<tool_calls>${asList(calls)}</tool_calls>`,
  nemotron: (calls) => `<TOOLCALL>${asList(calls)}</TOOLCALL>`,
  functools: (calls) => `functools${asList(calls)}`,
  internlm: each(
    (call) => `<|action_start|><|plugin|>\n${asObject(call, "name", "parameters")}<|action_end|>`,
  ),
  cohere: (calls) => {
    const list = calls.map((call, index) =>
      JSON.stringify({ tool_call_id: String(index), tool_name: call.name, parameters: call.arguments }),
    );
    return `<|START_ACTION|>[\n${list.join(",\n")}\n]<|END_ACTION|>`;
  },
  gigachat: around("<|function_call|>", ""),
  apertus: (calls) => {
    const list = calls.map((call) => JSON.stringify({ [call.name]: call.arguments }));
    return `<|tools_prefix|>[${list.join(", ")}]<|tools_suffix|>`;
  },
  inkling: each(
    (call) =>
      `<|message_model|>${call.name}<|content_invoke_tool_json|>${asObject(call, "name", "args")}<|end_message|>`,
    "",
  ),
  json: around("", ""),
  "json-list": (calls) => asList(calls),
  openai: (calls) => {
    const written = calls.map((call) => ({
      type: "function",
      function: { name: call.name, arguments: call.arguments },
    }));
    return JSON.stringify(written.length === 1 ? written[0] : { tool_calls: written });
  },
  "tool-args": each((call) => asObject(call, "tool", "args")),
  "fenced-json": (calls) => {
    const [first] = calls;
    const body = calls.length === 1 && first ? asObject(first) : asList(calls);
    return `\`\`\`json\n${body}\n\`\`\``;
  },
  "ralph-lines": each((call) => `Tool: ${call.name}\nArguments: ${JSON.stringify(call.arguments)}`, "\n\n"),
  "name-call": each((call) => `${call.name}(${JSON.stringify(call.arguments)})`),
};
