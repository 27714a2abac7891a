/** Counts for each turn how much of its prompts the server had in its cache, from the server's own counts. */
import type { SessionEvent, TurnReuse } from "@localharness/protocol";
import { defined } from "@localharness/protocol";

export interface ReuseMeter {
  take(event: SessionEvent): void;
  /** Returns the counts of the last 10 turns, the oldest turn first. */
  turns(): readonly TurnReuse[];
}

const maxTurns = 10;

export function createReuseMeter(): ReuseMeter {
  const turns = new Map<string, TurnReuse>();
  const change = (turnId: string, how: (turn: TurnReuse) => TurnReuse) => {
    if (turnId === "") return;
    turns.set(turnId, how(turns.get(turnId) ?? { turnId, requests: 0, inputTokens: 0, compactions: 0 }));
    const [oldest] = turns.keys();
    if (turns.size > maxTurns && oldest !== undefined) turns.delete(oldest);
  };
  return {
    take(event) {
      if (event.type === "compaction") {
        change(event.turnId, (turn) => ({ ...turn, compactions: turn.compactions + 1 }));
      }
      if (event.type !== "usage" || event.inputTokens === undefined) return;
      const { inputTokens, cachedTokens } = event;
      change(event.turnId, (turn) => ({
        ...turn,
        requests: turn.requests + 1,
        inputTokens: turn.inputTokens + inputTokens,
        ...defined({ cachedTokens: sum(turn.cachedTokens, cachedTokens) }),
      }));
    },
    turns: () => [...turns.values()],
  };
}

function sum(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined ? other : one + (other ?? 0);
}
