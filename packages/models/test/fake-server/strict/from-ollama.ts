/** Converts a request to Ollama's chat to the one that Ollama sends to its own llama.cpp. */
import { isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";

export function openaiFromOllama(body: JsonObject): JsonObject {
  const messages = Array.isArray(body["messages"]) ? body["messages"].filter(isJsonObject) : [];
  return { ...body, messages: messages.map(handedOn) };
}

function handedOn(message: JsonObject): JsonObject {
  const { content, images, thinking, tool_calls: calls, tool_name: name, ...rest } = message;
  return {
    ...rest,
    content: contentOf(content, images),
    ...(typeof thinking === "string" && thinking !== "" ? { reasoning_content: thinking } : {}),
    ...(typeof name === "string" ? { name } : {}),
    ...(Array.isArray(calls) ? { tool_calls: calls.filter(isJsonObject).map(callHandedOn) } : {}),
  };
}

function contentOf(content: JsonValue | undefined, images: JsonValue | undefined): JsonValue {
  const text = typeof content === "string" ? content : "";
  if (!Array.isArray(images) || images.length === 0) return text;
  const parts = images.map((data) => ({
    type: "image_url",
    image_url: { url: `data:image/png;base64,${data}` },
  }));
  return [{ type: "text", text }, ...parts];
}

function callHandedOn(call: JsonObject): JsonObject {
  const made = isJsonObject(call["function"]) ? call["function"] : {};
  const args = made["arguments"];
  const text = typeof args === "string" ? args : JSON.stringify(args ?? {});
  return {
    id: call["id"] ?? "",
    type: "function",
    function: { name: made["name"] ?? null, arguments: text },
  };
}
