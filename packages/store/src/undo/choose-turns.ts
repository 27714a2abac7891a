/** Chooses the turns that an undo takes back. */
import { isTypedTurn } from "@localharness/workspace/snapshots/typed-turn";
import type { TurnChanges } from "./change-history.ts";

/**
 * Returns the last turns that are not undone, the last one first: so many, or those with the ids. With ids, also returns commands that
 * the person typed after one of these turns, and nothing from before a change of another turn, because it may depend on that.
 */
export function chooseTurns(
  turns: readonly TurnChanges[],
  wanted: number | readonly string[],
): readonly TurnChanges[] {
  const open = turns.filter(({ undone }) => !undone).toReversed();
  if (typeof wanted === "number") return open.slice(0, wanted);
  const chosen: TurnChanges[] = [];
  let typed: TurnChanges[] = [];
  for (const one of open) {
    if (wanted.includes(one.turn)) {
      chosen.push(...typed, one);
      typed = [];
    } else if (isTypedTurn(one.turn)) {
      typed.push(one);
    } else {
      break;
    }
  }
  return chosen;
}
