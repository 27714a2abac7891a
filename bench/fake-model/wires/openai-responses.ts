/** Serves `POST /v1/responses`, which codex uses. */
import type { JsonObject, JsonValue } from "@localharness/protocol";
import type { OfferedTool } from "../fill-tool.ts";
import { pieces, type Reply } from "../scenario.ts";
import { objectsIn, type PromptParts, textOf, type WireAdapter } from "../wire.ts";

function readPrompt(body: JsonObject): PromptParts {
  const input =
    typeof body["input"] === "string" ? [{ role: "user", content: body["input"] }] : objectsIn(body["input"]);
  const isSystem = (item: JsonObject) => item["role"] === "system" || item["role"] === "developer";
  const instructions = typeof body["instructions"] === "string" ? body["instructions"] : "";
  return {
    system:
      instructions +
      input
        .filter(isSystem)
        .map((item) => textOf(item["content"]))
        .join(""),
    tools: offered(body["tools"]),
    toolsText: body["tools"] === undefined ? "" : JSON.stringify(body["tools"]),
    messages: input.filter((item) => !isSystem(item)).map((item) => JSON.stringify(item)),
    results: input.filter((item) => String(item["type"]).endsWith("_output")).length,
  };
}

function offered(list: JsonValue | undefined): OfferedTool[] {
  return objectsIn(list).flatMap((tool) =>
    tool["type"] === "namespace"
      ? offered(tool["tools"])
      : [{ name: String(tool["name"] ?? tool["type"]), schema: tool["parameters"] }],
  );
}

function envelope(reply: Reply, status: string, output: JsonObject[]): JsonObject {
  return {
    id: "resp_1",
    object: "response",
    created_at: 1_767_225_600,
    model: reply.model,
    status,
    output,
    usage: {
      input_tokens: reply.promptTokens,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: reply.promptTokens + 5,
    },
  };
}

function items(reply: Reply): JsonObject[] {
  if (reply.calls.length > 0) {
    return reply.calls.map((call) => ({
      id: `fc_${call.id}`,
      type: "function_call",
      status: "completed",
      call_id: call.id,
      name: call.name,
      arguments: JSON.stringify(call.arguments),
    }));
  }
  const content = [{ type: "output_text", text: [...reply.text].join(""), annotations: [] }];
  return [{ id: "msg_1", type: "message", status: "completed", role: "assistant", content }];
}

function* frames(reply: Reply): Generator<string> {
  let sequence = 0;
  const event = (type: string, data: JsonObject) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence++, ...data })}\n\n`;
  const done = items(reply);
  yield event("response.created", { response: envelope(reply, "in_progress", []) });
  for (const [index, item] of done.entries()) {
    const place = { output_index: index, item_id: item["id"] ?? "" };
    if (item["type"] === "function_call") {
      const text = String(item["arguments"]);
      yield event("response.output_item.added", {
        output_index: index,
        item: { ...item, status: "in_progress", arguments: "" },
      });
      for (const piece of pieces(text, reply.calls[index]?.deltaChars ?? 0)) {
        yield event("response.function_call_arguments.delta", { ...place, delta: piece });
      }
      yield event("response.function_call_arguments.done", { ...place, arguments: text });
    } else {
      const part = { type: "output_text", text: "", annotations: [] };
      yield event("response.output_item.added", {
        output_index: index,
        item: { ...item, status: "in_progress", content: [] },
      });
      yield event("response.content_part.added", { ...place, content_index: 0, part });
      for (const text of reply.text)
        yield event("response.output_text.delta", { ...place, content_index: 0, delta: text });
      const text = [...reply.text].join("");
      yield event("response.output_text.done", { ...place, content_index: 0, text });
    }
    yield event("response.output_item.done", { output_index: index, item });
  }
  yield event("response.completed", { response: envelope(reply, "completed", done) });
}

export const openaiResponses: WireAdapter = {
  serves: (path) => path.endsWith("/responses"),
  streams: (_path, body) => body["stream"] === true,
  readPrompt,
  contentType: "text/event-stream; charset=utf-8",
  frames: (reply) => frames({ ...reply, text: [...reply.text] }),
  whole: (reply) => envelope(reply, "completed", items(reply)),
};
