/**
 * Adds what a template lacks, like the server of August 2025: tools go into the system message, calls and
 * results become JSON in messages of the assistant and the user, a system message goes into the next user message.
 */
import { isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";
import type { Abilities } from "./abilities.ts";
import { withObjectArguments } from "./object-arguments.ts";

export function fillIn(
  messages: readonly JsonObject[],
  tools: JsonValue | undefined,
  abilities: Abilities,
): readonly JsonObject[] {
  const offered = Array.isArray(tools) && tools.length > 0;
  const objects = !abilities.text_arguments && abilities.supports_object_arguments;
  const told = offered && !abilities.supports_tools ? withTools(messages, tools) : messages;
  const made = told.map((message) => {
    const calls = Array.isArray(message["tool_calls"]);
    if (calls && !abilities.supports_tool_calls) return callsAsText(withObjectArguments(message));
    if (calls && objects) return withObjectArguments(message);
    const dropped = !abilities.tool_results || !abilities.supports_tool_calls;
    return message["role"] === "tool" && dropped ? resultAsText(message) : message;
  });
  return abilities.supports_system_role ? made : systemIntoUser(made);
}

function withTools(messages: readonly JsonObject[], tools: readonly JsonValue[]): readonly JsonObject[] {
  const text = `These tools may be called: ${JSON.stringify(tools, undefined, 2)}`;
  const [first, ...rest] = messages;
  if (first?.["role"] !== "system") return [{ role: "system", content: text }, ...messages];
  return [{ ...first, content: `${first["content"]}\n\n${text}` }, ...rest];
}

function callsAsText(message: JsonObject): JsonObject {
  const { tool_calls: calls, content, ...rest } = message;
  const made = (Array.isArray(calls) ? calls : []).filter(isJsonObject).map((call) => {
    const { name, arguments: args } = call["function"] as JsonObject;
    return { name: name ?? null, arguments: args ?? null, id: call["id"] ?? null };
  });
  const text = content === null || content === "" ? {} : { content: content ?? null };
  return { ...rest, content: JSON.stringify({ tool_calls: made, ...text }, undefined, 2) };
}

function resultAsText(message: JsonObject): JsonObject {
  const { name, content, tool_call_id: id } = message;
  const response = { tool: name ?? null, content: content ?? null, tool_call_id: id ?? null };
  return { role: "user", content: JSON.stringify({ tool_response: response }, undefined, 2) };
}

function systemIntoUser(messages: readonly JsonObject[]): readonly JsonObject[] {
  const made: JsonObject[] = [];
  let waiting = "";
  for (const message of messages) {
    if (message["role"] === "system") {
      waiting = [waiting, String(message["content"])].filter((text) => text !== "").join("\n");
    } else if (waiting !== "" && message["role"] === "user") {
      made.push({ ...message, content: `${waiting}\n${message["content"]}` });
      waiting = "";
    } else {
      if (waiting !== "") made.push({ role: "user", content: waiting });
      waiting = "";
      made.push(message);
    }
  }
  if (waiting !== "") made.push({ role: "user", content: waiting });
  return made;
}
