/** Serves `POST /v1beta/models/NAME:streamGenerateContent`, which gemini-cli uses. A call is not split into deltas. */
import type { JsonObject } from "@localharness/protocol";
import type { Reply } from "../scenario.ts";
import { objectsIn, type PromptParts, type WireAdapter } from "../wire.ts";

function readPrompt(body: JsonObject): PromptParts {
  const instruction = (body["systemInstruction"] ?? body["system_instruction"]) as JsonObject | undefined;
  const contents = objectsIn(body["contents"]);
  const tools = objectsIn(body["tools"]).flatMap((tool) => objectsIn(tool["functionDeclarations"]));
  return {
    system: objectsIn(instruction?.["parts"])
      .map((part) => String(part["text"] ?? ""))
      .join(""),
    tools: tools.map((tool) => ({
      name: String(tool["name"]),
      schema: tool["parametersJsonSchema"] ?? tool["parameters"],
    })),
    toolsText: body["tools"] === undefined ? "" : JSON.stringify(body["tools"]),
    messages: contents.map((content) => JSON.stringify(content)),
    results: contents
      .flatMap((content) => objectsIn(content["parts"]))
      .filter((part) => "functionResponse" in part).length,
  };
}

function answer(reply: Reply, parts: JsonObject[], last: boolean): JsonObject {
  const usageMetadata = {
    promptTokenCount: reply.promptTokens,
    candidatesTokenCount: 5,
    totalTokenCount: reply.promptTokens + 5,
  };
  const candidate = {
    content: { role: "model", parts },
    index: 0,
    ...(last ? { finishReason: "STOP" } : {}),
  };
  return { candidates: [candidate], usageMetadata };
}

function callParts(reply: Reply): JsonObject[] {
  return reply.calls.map((call) => ({
    functionCall: { id: call.id, name: call.name, args: call.arguments },
  }));
}

function* frames(reply: Reply): Generator<string> {
  const event = (parts: JsonObject[], last: boolean) =>
    `data: ${JSON.stringify(answer(reply, parts, last))}\r\n\r\n`;
  for (const text of reply.text) yield event([{ text }], false);
  if (reply.calls.length > 0) yield event(callParts(reply), false);
  yield event([{ text: "" }], true);
}

export const gemini: WireAdapter = {
  serves: (path) => /:(streamGenerateContent|generateContent)$/.test(path),
  streams: (path) => path.endsWith(":streamGenerateContent"),
  readPrompt,
  contentType: "text/event-stream; charset=utf-8",
  frames,
  whole: (reply) => answer(reply, [...callParts(reply), { text: [...reply.text].join("") }], true),
};
