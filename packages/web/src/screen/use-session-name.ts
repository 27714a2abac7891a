/** Finds the name of the shown session. */
import type { SessionState } from "../session/session-state.ts";
import { useClientState } from "./use-client.ts";

/** Returns the saved name, else the beginning of the first message; empty for a new session. */
export function useSessionName(): string {
  return useClientState(({ session, saved }) => {
    if (session === undefined) return "";
    const known = saved.find(({ id }) => id === session.id)?.name ?? "";
    return known === "" ? firstWords(session) : known;
  });
}

function firstWords({ items }: SessionState): string {
  const first = items.find((item) => item.kind === "user" && item.from === "person");
  return first?.kind === "user" ? (first.text.split("\n", 1)[0] ?? "").slice(0, 80) : "";
}
