/**
 * Gives every tool call an id that is unique in the transcript. That is the server's id if it can be used, and
 * otherwise a generated id.
 */
import type { ModelMessage } from "@localharness/protocol";

export interface CallIds {
  /**
   * Returns `wanted` if no other call has this id, and otherwise `call_N`. The same transcript always gives the same
   * ids.
   */
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
