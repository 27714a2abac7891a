/**
 * Runs one turn, in the order in which things happen: takes the person's messages, asks the model, runs the calls of its
 * answer, adds their results to the transcript, and asks the model again, until an answer has no calls, or a limit, an
 * error, repeated calls, a plan that nobody can approve or an interrupt ends the turn.
 */
import {
  defined,
  type ImageContent,
  reasonOf,
  type TurnEndReason,
  tooManyImages,
} from "@localharness/protocol";
import type { BatchOutcome } from "./calls/batch-parts.ts";
import type { DeliveredResult } from "./calls/call-in-work.ts";
import { runBatches } from "./calls/run-batches.ts";
import type { Told } from "./calls/texts.ts";
import { announcesStep } from "./guards/announce.ts";
import { afterIteration, isStuck, noProgressYet, type Progress } from "./guards/progress.ts";
import { refusal } from "./tool-result.ts";
import { askInWindow } from "./turn/ask-in-window.ts";
import type { CompleteAnswer } from "./turn/ask-model.ts";
import {
  duplicateNotice,
  emptyAnswerCode,
  emptyAnswerNotice,
  heldByHookText,
  imagesText,
  iterationLimitNotice,
  iterationLimitText,
  lastIdleIterationText,
  lastIterationText,
  loopNotice,
  noProgressLimitNotice,
  noProgressLimitText,
  noProgressNotice,
  noProgressText,
  notRunTexts,
  nudgeText,
  unreadableNotice,
  unreadableText,
} from "./turn/texts.ts";
import type { Turn } from "./turn/turn.ts";
import type { TurnEnd } from "./turn/turn-end.ts";

interface Counts {
  progress: Progress;
  denied: number;
  nudges: number;
  corrections: number;
  loopsEnded: number;
  heldByHooks: number;
  /** The codes of the notices that this turn has already given, for notices that are given once a turn. */
  told: Set<string>;
}

const maxCorrections = 2;
const maxLoopsEnded = 2;
/** The maximum number of times that hooks can make one turn continue. A hook might otherwise never let the turn end. */
const maxHeldByHooks = 3;

/**
 * Resolves to the event that ends the turn, which the caller must emit. Never rejects: after an error in the harness, every
 * open call gets a result.
 */
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
  const end: End = (reason, more = {}) => ({ type: "turn-end", reason, denied: counts.denied, ...more });
  try {
    const ended = await iterate(turn, counts, end);
    if (ended.reason !== "done" && ended.reason !== "interrupted") {
      await turn.batchParts.hooks.atEnd(ended.reason, turn.signal);
    }
    return ended;
  } catch (error) {
    cancelOpenCalls(turn, notRunTexts.defect);
    const message = `the harness failed: ${reasonOf(error)}`;
    return end("error", { code: "internal-error", message, retryable: false });
  }
}

type End = (reason: TurnEndReason, more?: Partial<TurnEnd>) => TurnEnd;

async function iterate(turn: Turn, counts: Counts, end: End): Promise<TurnEnd> {
  const limit = turn.limits.iterationsPerTurn;
  for (let iteration = 1; ; iteration += 1) {
    takeSteering(turn, counts);
    if (iteration > 1 && iteration === limit) turn.tellModel(lastIterationText(iteration));
    turn.emit({ type: "iteration-start", iteration });

    const answer = await askInWindow(turn, (told) => cancelOpenCalls(turn, told));
    if (answer.kind !== "complete") {
      cancelOpenCalls(turn, notRunTexts[answer.kind]);
      turn.emit({ type: "iteration-end", iteration, toolCalls: 0 });
      return answer.kind === "interrupted" ? end("interrupted") : end("error", answer.error);
    }

    if (answer.toolCalls.length === 0) {
      turn.emit({ type: "iteration-end", iteration, toolCalls: 0 });
      const atLimit = iteration >= limit;
      if (turn.hasSteering() && !atLimit) {
        tellUnreadable(turn, answer.unreadable);
        continue;
      }
      if (!correct(turn, counts, answer.unreadable) && !nudge(turn, counts, answer)) {
        const ended = finish(turn, answer, end);
        if (ended.reason !== "done" || !(await isHeld(turn, counts))) return ended;
      }
      if (atLimit) return endAtLimit(turn, end);
      continue;
    }

    const batchLimits = { iteration, iterationLimit: limit };
    const outcome = await runBatches(
      answer.toolCalls,
      turn.limits.callsPerIteration,
      batchLimits,
      turn.batchParts,
      turn.signal,
    );
    counts.denied += outcome.denied;
    turn.emit({ type: "iteration-end", iteration, toolCalls: answer.toolCalls.length });
    if (turn.signal.aborted) return end("interrupted");
    const { unapproved: plan } = outcome;
    if (plan !== undefined && !(await isHeld(turn, counts))) return end("done", { plan });
    tellUnreadable(turn, answer.unreadable);
    tellImages(turn, outcome.results);
    if (isLoop(turn, counts, outcome)) return end("loop", { code: "repeated-calls", message: loopNotice });
    counts.progress = afterIteration(counts.progress, outcome.results);
    if (outcome.action === "iteration_limit_reached") return endAtLimit(turn, end);
    if (counts.progress.idle >= turn.limits.iterationsWithoutProgress) return endIdle(turn, counts, end);
    watchProgress(turn, counts);
  }
}

/**
 * Returns the end of the turn after an answer with no call to run: `error` if the answer had unreadable calls, else `done`,
 * with a code if the answer may be incomplete or is empty. Warns the person if the answer is empty.
 */
function finish(turn: Turn, answer: CompleteAnswer, end: End): TurnEnd {
  if (answer.unreadable.length > 0) {
    return end("error", { code: "unreadable-call", message: unreadableNotice, retryable: true });
  }
  if (answer.text.trim() !== "") return end("done", defined({ code: answer.cut }));
  turn.notice("warning", emptyAnswerCode, emptyAnswerNotice);
  return end("done", { code: answer.cut ?? emptyAnswerCode });
}

/**
 * Runs the hooks for the end of the turn. Resolves to true, and tells the model the reason, if a hook makes the turn
 * continue; to false if none does, after the third time in the turn, and after an interrupt.
 */
async function isHeld(turn: Turn, counts: Counts): Promise<boolean> {
  const why = await turn.batchParts.hooks.atEnd("done", turn.signal);
  if (why === undefined || counts.heldByHooks >= maxHeldByHooks || turn.signal.aborted) return false;
  counts.heldByHooks += 1;
  turn.tellModel(heldByHookText(why));
  return true;
}

/**
 * Adds the person's messages of the turn and the new notes of the harness to the transcript. If there are such messages, the
 * count of idle iterations restarts.
 */
function takeSteering(turn: Turn, counts: Counts): void {
  if (turn.hasSteering()) counts.progress = { ...counts.progress, idle: 0 };
  turn.takeSteering();
}

/** Gives every call without a result a result with this reason. */
function cancelOpenCalls(turn: Turn, { message, ...reason }: Told): void {
  for (const call of turn.openCalls()) {
    const result = refusal("cancelled", message, turn.batchParts.clock);
    turn.batchParts.deliver({ id: call.id, toolName: call.name, result, achieved: [], ...reason });
  }
}

/** Tells the model which calls could not be read, because it would otherwise believe that they ran. */
function tellUnreadable(turn: Turn, unreadable: readonly string[]): void {
  if (unreadable.length > 0) turn.tellModel(unreadableText(unreadable));
}

/**
 * Gives the model the images of the results in a message of the role `user`, because most wire APIs allow only text in a
 * result. Leaves out the images that do not fit into one message, and says how many.
 */
function tellImages(turn: Turn, results: readonly DeliveredResult[]): void {
  const all = results.flatMap(({ images = [] }) => images);
  const shown: ImageContent[] = [];
  for (const image of all) if (tooManyImages([...shown, image]) === undefined) shown.push(image);
  if (shown.length > 0) turn.tellModel(imagesText(shown, all.length - shown.length), shown);
}

/**
 * Asks the model to write unreadable calls again. Returns false if there are no such calls. After the last allowed
 * correction, warns the person once a turn and returns false.
 */
function correct(turn: Turn, counts: Counts, unreadable: readonly string[]): boolean {
  if (unreadable.length === 0) return false;
  if (counts.corrections >= maxCorrections) {
    if (!counts.told.has("unreadable-call")) turn.notice("warning", "unreadable-call", unreadableNotice);
    counts.told.add("unreadable-call");
    return false;
  }
  counts.corrections += 1;
  tellUnreadable(turn, unreadable);
  return true;
}

/**
 * Asks the model to continue if its answer is empty or like "Let me now read...". Returns true if the model was asked;
 * false for any other answer, without tools, and after the maximum number of such requests in the turn.
 */
function nudge(turn: Turn, counts: Counts, { text }: CompleteAnswer): boolean {
  const most = turn.model().nudgesPerTurn ?? turn.limits.nudgesPerTurn;
  const mayAsk = counts.nudges < most && turn.tools().length > 0;
  if (!mayAsk || !announcesStep(text)) return false;
  counts.nudges += 1;
  turn.tellModel(nudgeText(text));
  return true;
}

/** Counts an iteration that duplicate calls have ended, and warns the person. Returns true if the turn must end as well. */
function isLoop(turn: Turn, counts: Counts, outcome: BatchOutcome): boolean {
  if (!outcome.loopEnded) return false;
  counts.loopsEnded += 1;
  turn.notice("warning", "repeated-calls", duplicateNotice);
  return counts.loopsEnded >= maxLoopsEnded;
}

/**
 * Warns the person and the model, once a turn, after several iterations without progress. Also warns the model before an
 * iteration after which the turn ends if that iteration brings no progress either.
 */
function watchProgress(turn: Turn, counts: Counts): void {
  const { idle } = counts.progress;
  if (idle > 0 && idle === turn.limits.iterationsWithoutProgress - 1) {
    turn.tellModel(lastIdleIterationText(idle));
  }
  if (!isStuck(counts.progress)) return;
  counts.progress = { ...counts.progress, warned: true };
  turn.notice("warning", "no-progress", noProgressNotice(counts.progress.idle));
  turn.tellModel(noProgressText(counts.progress.idle));
}

function endIdle(turn: Turn, { progress: { idle } }: Counts, end: End): TurnEnd {
  turn.tellModel(noProgressLimitText(idle));
  const message = noProgressLimitNotice(idle);
  turn.notice("warning", "no-progress-limit", message);
  return end("iteration-limit", { code: "no-progress", message });
}

function endAtLimit(turn: Turn, end: End): TurnEnd {
  const limit = turn.limits.iterationsPerTurn;
  turn.tellModel(iterationLimitText(limit));
  const message = iterationLimitNotice(limit);
  turn.notice("warning", "iteration-limit", message);
  return end("iteration-limit", { code: "iteration-limit", message });
}
