/** Makes a model of the AI SDK with the middleware, on the scripted server. Also has one call as text and as parts. */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { toolCalls } from "@localharness/detect/ai-sdk";
import { fakeModelName } from "@localharness/models/fake-server";
import { wrapLanguageModel } from "ai";

export function modelOn(server: { baseUrl: string }, options: Parameters<typeof toolCalls>[0] = {}) {
  const provider = createOpenAICompatible({ name: "fake", baseURL: server.baseUrl });
  return wrapLanguageModel({ model: provider(fakeModelName), middleware: toolCalls(options) });
}

export const call = '<tool_call>\n{"name": "read_file", "arguments": {"path": "a.txt"}}\n</tool_call>';
/** The call as the middleware writes it into the text when it turns out that the call must not run. */
export const rewritten = '<tool_call>\n{"name":"read_file","arguments":{"path":"a.txt"}}\n</tool_call>';
export const input = [
  { type: "tool-input-start", id: "c1", toolName: "read_file" },
  { type: "tool-input-delta", id: "c1", delta: '{"path": "a.txt"}' },
  { type: "tool-input-end", id: "c1" },
];
/** A call without its end, which may have lacked arguments too if the reply was cut. */
export const open = "<tool_call>\n<function=read_file>\n<parameter=path>\na.txt\n</parameter>\n";
export const made = { type: "tool-call", toolCallId: "c1", toolName: "read_file", input: '{"path":"a.txt"}' };
