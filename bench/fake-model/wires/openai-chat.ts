/** Serves `POST /v1/chat/completions`: server-sent events, with calls as argument deltas by index. */
import { isJsonObject, type JsonObject } from "@localharness/protocol";
import { pieces, type Reply } from "../scenario.ts";
import type { WireAdapter } from "../wire.ts";
import { readChatMessages } from "./chat-messages.ts";

const envelope = { id: "chatcmpl-1", created: 1_767_225_600 };

function usage(reply: Reply): JsonObject {
  return { prompt_tokens: reply.promptTokens, completion_tokens: 5, total_tokens: reply.promptTokens + 5 };
}

function* frames(reply: Reply, body: JsonObject): Generator<string> {
  const base = { ...envelope, object: "chat.completion.chunk", model: reply.model };
  const head = `data: ${JSON.stringify(base).slice(0, -1)},"choices":[{"index":0,"delta":`;
  const tail = `,"finish_reason":null}]}\n\n`;
  yield `${head}{"role":"assistant","content":""}${tail}`;
  for (const text of reply.text) yield `${head}{"content":${JSON.stringify(text)}}${tail}`;
  for (const [index, call] of reply.calls.entries()) {
    const opening = { index, id: call.id, type: "function", function: { name: call.name, arguments: "" } };
    yield `${head}{"tool_calls":[${JSON.stringify(opening)}]}${tail}`;
    for (const piece of pieces(JSON.stringify(call.arguments), call.deltaChars)) {
      yield `${head}{"tool_calls":[{"index":${index},"function":{"arguments":${JSON.stringify(piece)}}}]}${tail}`;
    }
  }
  const finish = { index: 0, delta: {}, finish_reason: reply.calls.length > 0 ? "tool_calls" : "stop" };
  yield `data: ${JSON.stringify({ ...base, choices: [finish] })}\n\n`;
  if (isJsonObject(body["stream_options"]) && body["stream_options"]["include_usage"] === true) {
    yield `data: ${JSON.stringify({ ...base, choices: [], usage: usage(reply) })}\n\n`;
  }
  yield "data: [DONE]\n\n";
}

function whole(reply: Reply): JsonObject {
  const calls = reply.calls.map((call) => ({
    id: call.id,
    type: "function",
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  }));
  const message = {
    role: "assistant",
    content: [...reply.text].join(""),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
  const choice = { index: 0, message, finish_reason: calls.length > 0 ? "tool_calls" : "stop" };
  return {
    ...envelope,
    object: "chat.completion",
    model: reply.model,
    choices: [choice],
    usage: usage(reply),
  };
}

export const openaiChat: WireAdapter = {
  serves: (path) => path.endsWith("/chat/completions"),
  streams: (_path, body) => body["stream"] === true,
  readPrompt: readChatMessages,
  contentType: "text/event-stream; charset=utf-8",
  frames,
  whole,
};
