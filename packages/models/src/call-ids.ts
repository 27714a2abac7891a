/** Gives every tool call an id that is unique in the transcript: the server's id if it is usable, else a generated one. */
import type { ModelMessage } from "@localharness/protocol";

export interface CallIds {
  /** Returns `wanted` if no other call has it, else `call_N`. Deterministic: the same transcript gives the same ids. */
  take(wanted?: unknown): string;
}

export function createCallIds(messages: readonly ModelMessage[]): CallIds {
  let taken: Set<string> | undefined;
  return {
    take(wanted) {
      taken ??= idsIn(messages);
      const id = typeof wanted === "string" && wanted !== "" && !taken.has(wanted) ? wanted : free(taken);
      taken.add(id);
      return id;
    },
  };
}

function idsIn(messages: readonly ModelMessage[]): Set<string> {
  const ids = new Set<string>();
  for (const message of messages) {
    if (message.role !== "assistant") continue;
    for (const call of message.toolCalls ?? []) ids.add(call.id);
  }
  return ids;
}

function free(taken: ReadonlySet<string>): string {
  let number = taken.size + 1;
  while (taken.has(`call_${number}`)) number += 1;
  return `call_${number}`;
}
