/** Lists the keys under which models put the parts of a call. */
import { argumentKeys } from "@localharness/schema";

export type KeyRole = "name" | "arguments" | "id" | "wrapper" | "calls" | "beside" | "unknown";

const keys: { readonly [role in Exclude<KeyRole, "unknown">]: readonly string[] } = {
  name: ["name", "tool", "tool_name", "toolName", "function_name", "functionName", "recipient_name"],
  arguments: argumentKeys,
  id: ["id", "tool_call_id", "toolCallId", "call_id"],
  wrapper: ["function", "function_call", "functionCall", "tool_call", "toolCall", "action"],
  calls: ["tool_calls", "toolCalls", "function_calls", "calls", "tool_uses"],
  beside: ["type", "index", "role", "content", "thought", "thoughts", "reasoning", "explanation"],
};

const roles: ReadonlyMap<string, KeyRole> = new Map(
  Object.entries(keys).flatMap(([role, names]) => names.map((name) => [name, role as KeyRole] as const)),
);

/** A length that no key of the table exceeds, in characters. */
export const maxKey = 20;

/** Returns the part of a call that a key holds. A key for a name or a wrapper may hold the name or another call object. */
export function keyRole(key: string): KeyRole {
  return roles.get(key) ?? "unknown";
}
