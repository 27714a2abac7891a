/** Converts the messages of a request to what the two servers pass to the template. */
import type { JsonObject, JsonValue } from "@localharness/protocol";
import type { Abilities } from "./abilities.ts";
import { type Family, familyOf } from "./families.ts";
import { fillIn } from "./fill-in.ts";
import type { LlamaServer } from "./llama-server.ts";
import { withObjectArguments } from "./object-arguments.ts";
import { joined, type ReadMessage } from "./read-messages.ts";

export interface Shaped {
  readonly messages: readonly JsonObject[];
  readonly family: Family | undefined;
}

export function shapeMessages(
  read: readonly ReadMessage[],
  tools: JsonValue | undefined,
  how: { readonly server: LlamaServer; readonly abilities: Abilities; readonly source: string },
): Shaped {
  const { server, abilities, source } = how;
  const family = familyOf(source, server);
  const plain = read.map((message) => plainMessage(message, how.server, abilities));
  const messages =
    server === "2025-08"
      ? fillIn(plain, tools, abilities)
      : withObjects(withSystem(plain, abilities), abilities);
  return { messages: family?.shape?.(messages) ?? messages, family };
}

function plainMessage(message: ReadMessage, server: LlamaServer, abilities: Abilities): JsonObject {
  const { role, reasoning, name, callId, calls } = message;
  return {
    role: role === "developer" ? "system" : role,
    content: contentOf(message, server, abilities),
    ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
    ...(name === "" ? {} : { name }),
    ...(callId === "" ? {} : { tool_call_id: callId }),
    ...(calls.length === 0
      ? {}
      : {
          tool_calls: calls.map((call) => ({
            type: "function",
            function: { name: call.name, arguments: call.arguments },
            ...(call.id === "" ? {} : { id: call.id }),
          })),
        }),
  };
}

/** The older server turns an empty text into null; the later one turns null into an empty text. */
function contentOf({ content }: ReadMessage, server: LlamaServer, abilities: Abilities): JsonValue {
  const typed = abilities.supports_typed_content;
  if (content === null || content === "") return server === "2025-08" ? null : "";
  if (typeof content === "string") return typed ? [{ type: "text", text: content }] : content;
  return typed ? [...content] : joined(content);
}

function withSystem(messages: readonly JsonObject[], abilities: Abilities): readonly JsonObject[] {
  const [first, second, ...rest] = messages;
  if (abilities.supports_system_role || first?.["role"] !== "system") return messages;
  if (second === undefined) return [];
  return [{ ...second, content: `${first["content"]}\n${second["content"]}` }, ...rest];
}

function withObjects(messages: readonly JsonObject[], abilities: Abilities): readonly JsonObject[] {
  return abilities.supports_object_arguments ? messages.map(withObjectArguments) : messages;
}
