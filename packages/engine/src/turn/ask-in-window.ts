/**
 * Asks the model with a prompt that fits into the context window. Leaves out old results and answers if the prompt is too long.
 */
import type { Told } from "../calls/texts.ts";
import { type AnswerOutcome, askModel } from "./ask-model.ts";
import { type Compaction, maxCompactions } from "./prompt-window.ts";
import { withSummary } from "./summarise.ts";
import {
  compactionNotice,
  noRoomMadeText,
  notRunTexts,
  noWayText,
  tightWindowNotice,
  windowFullText,
} from "./texts.ts";
import type { Turn } from "./turn.ts";

/**
 * Resolves to the model's answer. Leaves out old results and answers before the window is full, and again at most twice if
 * the server refuses the prompt as too long. Resolves to a failed answer if that makes no room. If `turn.compacts` is
 * `on-demand`, it leaves out nothing: it resolves to a failed answer if there is something to leave out of a prompt that
 * nearly fills the window, or if the server refuses the prompt. `cancelCalls` must give each open call a result with the
 * given reason.
 */
export async function askInWindow(turn: Turn, cancelCalls: (told: Told) => void): Promise<AnswerOutcome> {
  await turn.promptWindow.prepare(turn.model(), turn.tools());
  warnOfTightWindow(turn);
  if (turn.promptWindow.isFull()) {
    const before = turn.promptWindow.beforeRequest();
    if (before !== undefined) {
      if (turn.compacts === "on-demand") return { kind: "failed", error: windowFullError };
      const summarised = await withSummary(turn, before);
      if (turn.signal.aborted) return { kind: "interrupted" };
      compact(turn, summarised);
      if (turn.promptWindow.isStuck()) return { kind: "failed", error: stuckError(turn) };
    }
  }
  for (let compactions = 0; ; compactions += 1) {
    const answer = await askModel(turn);
    if (answer.kind !== "failed" || answer.error.code !== "context-overflow") return answer;
    if (turn.compacts === "on-demand") return answer;
    if (compactions === maxCompactions) {
      const message = `${answer.error.message} ${noRoomMadeText}`;
      return { ...answer, error: { ...answer.error, message } };
    }
    const after = turn.promptWindow.afterRefusal();
    if (after === undefined) return answer;
    cancelCalls(notRunTexts.failed);
    compact(turn, after);
  }
}

const windowFullError = { code: "window-full", message: windowFullText, retryable: true };

function stuckError({ promptWindow }: Turn) {
  return { code: "window-full", message: noWayText(promptWindow.filling()), retryable: false };
}

/** The minimum number of tokens that a turn needs besides the system prompt and the tools, for a result and an answer. */
const minWorkTokens = 1_000;

/** Warns the person if the context window hardly has room for a result and the transcript has at most two messages. */
function warnOfTightWindow(turn: Turn): void {
  const basis = turn.messages().length <= 2 ? turn.promptWindow.basis() : undefined;
  if (basis === undefined || basis.window - basis.tokens >= minWorkTokens) return;
  turn.notice("warning", "tight-window", tightWindowNotice(basis, turn.tools().length));
}

/** Emits the event that applies a compaction, and tells the person. */
export function compact(
  { emit, notice, promptWindow }: Pick<Turn, "emit" | "notice" | "promptWindow">,
  compaction: Compaction,
): void {
  const { saidChars: _said, ...change } = compaction;
  emit({ type: "compaction", ...change });
  promptWindow.compacted(compaction);
  const { charsBefore, charsAfter } = change;
  notice("info", "compaction", compactionNotice(charsBefore, charsAfter));
}
