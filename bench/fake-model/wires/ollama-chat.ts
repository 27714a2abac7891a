/** Serves `POST /api/chat`: one JSON object per line. A call is not split, and its arguments are an object. */
import type { JsonObject } from "@localharness/protocol";
import type { Reply } from "../scenario.ts";
import type { WireAdapter } from "../wire.ts";
import { readChatMessages } from "./chat-messages.ts";

function base(reply: Reply): JsonObject {
  return { model: reply.model, created_at: "2026-01-01T00:00:00Z" };
}

function end(reply: Reply): JsonObject {
  const durations = { total_duration: 1, load_duration: 1, prompt_eval_duration: 1, eval_duration: 1 };
  return {
    done: true,
    done_reason: "stop",
    ...durations,
    prompt_eval_count: reply.promptTokens,
    eval_count: 5,
  };
}

function toolCalls(reply: Reply): JsonObject {
  if (reply.calls.length === 0) return {};
  return {
    tool_calls: reply.calls.map(({ id, name, arguments: args }) => ({
      id,
      function: { name, arguments: args },
    })),
  };
}

function* frames(reply: Reply): Generator<string> {
  const head = `${JSON.stringify(base(reply)).slice(0, -1)},"message":{"role":"assistant","content":`;
  for (const text of reply.text) yield `${head}${JSON.stringify(text)}},"done":false}\n`;
  if (reply.calls.length > 0) {
    const message = { role: "assistant", content: "", ...toolCalls(reply) };
    yield `${JSON.stringify({ ...base(reply), message, done: false })}\n`;
  }
  yield `${JSON.stringify({ ...base(reply), message: { role: "assistant", content: "" }, ...end(reply) })}\n`;
}

export const ollamaChat: WireAdapter = {
  serves: (path) => path === "/api/chat",
  streams: (_path, body) => body["stream"] !== false,
  readPrompt: readChatMessages,
  contentType: "application/x-ndjson",
  frames,
  whole: (reply) => ({
    ...base(reply),
    message: { role: "assistant", content: [...reply.text].join(""), ...toolCalls(reply) },
    ...end(reply),
  }),
};
