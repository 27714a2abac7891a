/**
 * One turn, in the order in which things happen: what the person typed is taken in, the model is asked, the calls it
 * made are run, their results join the transcript, and the model is asked again until it wants nothing or a limit ends it.
 */
import { countText, type LoopEvent, type TurnEndReason } from "@localharness/protocol";
import { askModel } from "./ask-model.ts";
import { type BatchOutcome, runBatch } from "./calls/run-batch.ts";
import { announcesStep } from "./guards/announce.ts";
import { afterIteration, isStuck, noProgressYet, type Progress } from "./guards/progress.ts";
import { refusal } from "./tool-result.ts";
import type { Turn } from "./turn.ts";

export type TurnEnd = Extract<LoopEvent, { type: "turn-end" }>;

/** What a turn keeps count of. */
interface Counts {
  progress: Progress;
  denied: number;
  nudges: number;
  corrections: number;
  loopsEnded: number;
  heldByHooks: number;
  /** Notices that a person needs only once a turn. */
  told: Set<string>;
}

const mostCorrections = 2;
const mostLoopsEnded = 2;
/** A hook that is never content must not keep a turn going until its limit. */
const mostHeld = 3;

/** Never rejects: also a defect of the harness ends the turn, with every open call answered. */
export async function runTurn(turn: Turn): Promise<TurnEnd> {
  const counts: Counts = {
    progress: noProgressYet,
    denied: 0,
    nudges: 0,
    corrections: 0,
    loopsEnded: 0,
    heldByHooks: 0,
    told: new Set(),
  };
  const end = (reason: TurnEndReason, more: Partial<TurnEnd> = {}): TurnEnd => ({
    type: "turn-end",
    reason,
    denied: counts.denied,
    ...more,
  });
  try {
    const ended = await iterate(turn, counts, end);
    if (ended.reason !== "done" && ended.reason !== "interrupted")
      await turn.batchParts.hooks.atEnd(ended.reason, turn.signal);
    return ended;
  } catch (error) {
    const message = `the harness failed: ${error instanceof Error ? error.message : String(error)}`;
    cancelOpenCalls(turn, "the harness failed");
    return end("error", { code: "internal-error", message, retryable: false });
  }
}

type End = (reason: TurnEndReason, more?: Partial<TurnEnd>) => TurnEnd;

async function iterate(turn: Turn, counts: Counts, end: End): Promise<TurnEnd> {
  for (let iteration = 1; ; iteration++) {
    turn.takeSteering();
    if (iteration > 1 && iteration === turn.limits.iterationsPerTurn)
      turn.tellModel(lastIterationNote(iteration));
    turn.emit({ type: "iteration-start", iteration });

    const answer = await askModel(turn);
    if (answer.kind !== "complete") {
      cancelOpenCalls(turn, notRun[answer.kind]);
      turn.emit({ type: "iteration-end", iteration, toolCalls: 0 });
      return answer.kind === "interrupted" ? end("interrupted") : end("error", answer.error);
    }

    if (answer.toolCalls.length === 0) {
      turn.emit({ type: "iteration-end", iteration, toolCalls: 0 });
      const atLimit = iteration >= turn.limits.iterationsPerTurn;
      if (turn.hasSteering()) {
        if (atLimit) return end("done");
        continue;
      }
      if (!correct(turn, counts, answer.unreadable) && !nudge(turn, counts, answer)) {
        const ended = finish(turn, answer, end);
        if (ended.reason !== "done" || !(await isHeld(turn, counts))) return ended;
      }
      if (atLimit) return endAtLimit(turn, end);
      continue;
    }

    const outcome = await runBatch(answer.toolCalls, limitsOf(turn, iteration), turn.batchParts, turn.signal);
    counts.denied += outcome.denied;
    turn.emit({ type: "iteration-end", iteration, toolCalls: answer.toolCalls.length });
    if (turn.signal.aborted) return end("interrupted");
    tellCallLimit(turn, answer.toolCalls.length);
    tellUnreadable(turn, answer.unreadable);
    if (watchLoop(turn, counts, outcome))
      return end("loop", { code: "repeated-calls", message: loopMessage });
    watchProgress(turn, counts, outcome);
    if (outcome.action === "iteration_limit_reached") return endAtLimit(turn, end);
  }
}

/** An answer that nothing follows. A last call that cannot be read, or no word at all, is not passed off as one. */
function finish(turn: Turn, answer: { text: string; unreadable: readonly string[] }, end: End): TurnEnd {
  if (answer.unreadable.length > 0) {
    return end("error", { code: "unreadable-call", message: unreadableMessage, retryable: true });
  }
  if (answer.text.trim() === "")
    turn.notice("warning", "empty-answer", "The model ended with an empty answer.");
  return end("done");
}

/** True when a hook wants the turn to go on. */
async function isHeld(turn: Turn, counts: Counts): Promise<boolean> {
  const why = await turn.batchParts.hooks.atEnd("done", turn.signal);
  if (why === undefined || counts.heldByHooks >= mostHeld || turn.signal.aborted) return false;
  counts.heldByHooks++;
  turn.tellModel(`A check at the end of the turn says: ${why}`);
  return true;
}

const unreadableMessage = "The model wrote tool calls that cannot be read, also after it was corrected.";

function limitsOf(turn: Turn, iteration: number) {
  const { callsPerIteration, iterationsPerTurn } = turn.limits;
  return { callsPerIteration, iteration, iterationLimit: iterationsPerTurn };
}

const notRun = { interrupted: "the person interrupted", failed: "the model's answer broke off" };

/** Calls that have not run and never will: each gets its one result. */
function cancelOpenCalls(turn: Turn, why: string): void {
  for (const call of turn.openCalls()) {
    const result = refusal("cancelled", `not run: ${why}`, turn.batchParts.clock);
    turn.batchParts.deliver({ id: call.id, toolName: call.name, result, achieved: [] });
  }
}

/** The model reads it in the results of the calls that were not run. */
function tellCallLimit(turn: Turn, asked: number): void {
  const limit = turn.limits.callsPerIteration;
  if (asked <= limit) return;
  const message = `The model asked for ${asked} tool calls at once; the first ${limit} were taken, the limit of one iteration.`;
  turn.notice("warning", "call-limit", message);
}

/** The model has to know what of its answer did not run: else it believes that all of it did. */
function tellUnreadable(turn: Turn, unreadable: readonly string[]): void {
  if (unreadable.length > 0) turn.tellModel(`Not run: ${unreadable.join(" ")}`);
}

/** Nothing but calls that cannot be read: the model is told in the same turn, at most twice, and asked again. */
function correct(turn: Turn, counts: Counts, unreadable: readonly string[]): boolean {
  if (unreadable.length === 0) return false;
  if (counts.corrections >= mostCorrections) {
    if (!counts.told.has("unreadable-call")) turn.notice("warning", "unreadable-call", unreadableMessage);
    counts.told.add("unreadable-call");
    return false;
  }
  counts.corrections++;
  tellUnreadable(turn, unreadable);
  return true;
}

/** "Let me now read..." and nothing after it: the model is asked to go on, once a turn. */
function nudge(turn: Turn, counts: Counts, answer: { readonly text: string }): boolean {
  if (counts.nudges > 0 || turn.tools().length === 0 || !announcesStep(answer.text)) return false;
  counts.nudges++;
  turn.tellModel(
    answer.text.trim() === ""
      ? "Your last answer was empty. Make the tool call that you need next, or give your answer."
      : "You announced a step but made no tool call. Make the call now, or give your final answer.",
  );
  return true;
}

const loopMessage = "The model made the same calls again and again, also after it was told their results.";

/** True when the turn has to end because repeated calls have ended an iteration twice. */
function watchLoop(turn: Turn, counts: Counts, outcome: BatchOutcome): boolean {
  if (!outcome.loopEnded) return false;
  counts.loopsEnded++;
  turn.notice(
    "warning",
    "repeated-calls",
    "The model repeats the same call without need: the iteration was ended.",
  );
  return counts.loopsEnded >= mostLoopsEnded;
}

function watchProgress(turn: Turn, counts: Counts, outcome: BatchOutcome): void {
  counts.progress = afterIteration(counts.progress, outcome.results);
  if (!isStuck(counts.progress)) return;
  counts.progress = { ...counts.progress, warned: true };
  const iterations = counts.progress.idle;
  turn.notice(
    "warning",
    "no-progress",
    `No progress in ${iterations} iterations: nothing was changed and nothing new was learnt.`,
  );
  turn.tellModel(
    `You have made no progress in ${iterations} iterations: nothing was changed and no result was new. Do something different, or say what you found and what keeps you from going on.`,
  );
}

function lastIterationNote(limit: number): string {
  return `This is the last of ${limit} iterations for this message. If you can, answer the person now; say what is done and what is left.`;
}

function endAtLimit(turn: Turn, end: End): TurnEnd {
  const limit = turn.limits.iterationsPerTurn;
  turn.tellModel(
    `The limit of ${countText(limit, "iteration")} for one message is reached. Work goes on when the person writes again.`,
  );
  const message = `Stopped at the limit of ${countText(limit, "iteration")}. Write "go on" to continue, or raise the limit.`;
  turn.notice("warning", "iteration-limit", message);
  return end("iteration-limit", { code: "iteration-limit", message });
}
