/** Parses a request with a `messages` list, for the OpenAI chat and the Ollama wire. */
import { isJsonObject, type JsonObject } from "@localharness/protocol";
import { objectsIn, type PromptParts, textOf } from "../wire.ts";

export function readChatMessages(body: JsonObject): PromptParts {
  const all = objectsIn(body["messages"]);
  const isSystem = (message: JsonObject) => message["role"] === "system" || message["role"] === "developer";
  return {
    system: all
      .filter(isSystem)
      .map((message) => textOf(message["content"]))
      .join(""),
    tools: objectsIn(body["tools"]).map((tool) => {
      const shape = isJsonObject(tool["function"]) ? tool["function"] : tool;
      return { name: String(shape["name"]), schema: shape["parameters"] };
    }),
    toolsText: body["tools"] === undefined ? "" : JSON.stringify(body["tools"]),
    messages: all.filter((message) => !isSystem(message)).map((message) => JSON.stringify(message)),
    results: all.filter((message) => message["role"] === "tool").length,
  };
}
