/** Checks the rules for any text. Each check of a case returns a description of the problem, or nothing. */
import { isDeepStrictEqual } from "node:util";
import {
  createDetector,
  type DetectEvent,
  type DetectorOptions,
  detect,
  mergeDeltas,
} from "../../src/index.ts";
import { checkCalls, isPolluted } from "./check-calls.ts";
import { checkOrder } from "./check-order.ts";
import { checkPlainText, checkSubsequence } from "./check-text.ts";
import { checkWords } from "./check-words.ts";
import { type FuzzCase, piecesOf } from "./fuzz-case.ts";

export type ProblemKind = "crash" | "split" | "lost" | "invented" | "disorder" | "slow";

export interface Problem {
  readonly kind: ProblemKind;
  readonly detail: string;
}

/** Called for each loss of a word that a documented reading explains. */
export type OnAllowed = (reading: string) => void;

/** Returns the first problem of a case; undefined when all holds. */
export function findProblem(one: FuzzCase, onAllowed: OnAllowed = () => {}): Problem | undefined {
  const { text, options } = one;
  try {
    const events = detect(text, options);
    const problem = checkEvents(text, options, afterRestart(events), onAllowed);
    if (problem) return problem;
    if (!one.inPieces) return undefined;
    return checkPieces(one, events) ?? checkWithoutTools(one);
  } catch (error) {
    return { kind: "crash", detail: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

function checkEvents(
  text: string,
  options: DetectorOptions,
  events: readonly DetectEvent[],
  onAllowed: OnAllowed,
): Problem | undefined {
  return (
    named("disorder", checkOrder(events)) ??
    named("invented", checkCalls(events, options.tools)) ??
    named("invented", checkSubsequence(text, events)) ??
    named("lost", checkPlainText(text, options, events)) ??
    named("lost", checkWords(text, events, onAllowed))
  );
}

function named(kind: ProblemKind, detail: string | undefined): Problem | undefined {
  return detail === undefined ? undefined : { kind, detail };
}

function checkPieces(one: FuzzCase, whole: readonly DetectEvent[]): Problem | undefined {
  const detector = createDetector(one.options);
  const pieces = piecesOf(one.text, one.cutSeed);
  // Copied at once: an event that was handed out must not change any more.
  const handed = pieces.flatMap((piece) => structuredClone(detector.push(piece)));
  const events = mergeDeltas([...handed, ...detector.end()]);
  if (isDeepStrictEqual(events, whole)) return undefined;
  return { kind: "split", detail: `whole ${JSON.stringify(whole)}\npieces ${JSON.stringify(events)}` };
}

const noTools: DetectorOptions["tools"] = [];

function checkWithoutTools(one: FuzzCase): Problem | undefined {
  const call = detect(one.text, { ...one.options, tools: noTools }).find(
    (event) => event.type === "tool-call-end",
  );
  return named("invented", call && `a call without tools on offer: ${JSON.stringify(call)}`);
}

/** Returns a problem if the prototype of all objects or lists has new properties. */
export function findPollution(): Problem | undefined {
  return isPolluted()
    ? { kind: "invented", detail: "Object.prototype or Array.prototype has new keys" }
    : undefined;
}

/** Returns the events that hold: those after the last restart, which repeat the text before it. */
function afterRestart(events: readonly DetectEvent[]): readonly DetectEvent[] {
  return events.slice(events.findLastIndex(({ type }) => type === "restart") + 1);
}
