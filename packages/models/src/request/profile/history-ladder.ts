/**
 * Finds a form of a history that a server takes. After a refusal it tries what the refusal names, then plainer and plainer
 * forms. What helped is learnt for the model, and what did not help is forgotten.
 */
import type { ModelRequest } from "@localharness/engine";
import type { ModelFailure } from "../../answer/failure.ts";
import { type Habit, habitRows, isTemplateRefusal, plainHabits } from "./habits.ts";
import type { ModelProfile } from "./model-profile.ts";

export interface HistoryLadder {
  /** Returns the habits with which this request is written. */
  habits(request: ModelRequest): ReadonlySet<Habit>;
  /**
   * Chooses the next form of the request, and returns a notice about it. Returns undefined if the failure does not concern the
   * history, or if no form is left. `write` returns the body of the request as habits write it. No body is sent twice.
   * If `mayDescribe` is false, the last form, which describes the tools in the prompt, is not chosen yet.
   */
  next(
    failure: ModelFailure,
    request: ModelRequest,
    write: (habits: ReadonlySet<Habit>) => string,
    mayDescribe: boolean,
  ): string | undefined;
  /** Makes the tools be described in the prompt, because the server takes none. Returns a notice about it. */
  describeTools(failure: ModelFailure, request: ModelRequest): string;
  /** Notes that the server has taken the request: its form is learnt. */
  taken(request: ModelRequest): void;
  /** Returns the failure to report when no form is left: the first refusal, which is about the history as it was. */
  reported(failure: ModelFailure, request: ModelRequest): ModelFailure;
}

interface Rung {
  readonly habits: readonly Habit[];
  readonly remedy: string;
}

/** The forms that are tried if a refusal names no known demand, each by itself. The last two combine everything. */
const rungs: readonly Rung[] = [
  { habits: ["only-known-fields"], remedy: "fields beside text, thoughts and calls are left out" },
  { habits: ["no-thoughts"], remedy: "the model's earlier thoughts are left out" },
  {
    habits: ["alternating-roles"],
    remedy: "messages are joined or filled in so that user and assistant alternate",
  },
  {
    habits: ["calls-without-content", "one-call-a-message"],
    remedy: "each call is sent in a message by itself, without text",
  },
  { habits: plainHabits, remedy: "the conversation is written in the plainest form" },
  { habits: ["no-tools", "results-as-user"], remedy: "tools are described in the prompt" },
];

/** The forms of one request so far. */
interface Trial {
  readonly first: ModelFailure;
  /** Habits that changed the refusal, and so overcame a part of it. */
  readonly kept: Set<Habit>;
  /** The habits that the last form added. */
  trying: readonly Habit[];
  /** Habits of the profile that the refusal speaks against. */
  readonly ended: Set<Habit>;
  /** The named habits that were tried. */
  readonly named: Set<Habit>;
  /** The bodies that the server has refused. */
  readonly refused: Set<string>;
  rung: number;
  words: string;
}

export function createHistoryLadder(profile: ModelProfile): HistoryLadder {
  const trials = new WeakMap<ModelRequest, Trial>();
  /** True if tools are described in the prompt from now on, until a request shows whether that helps. */
  let isTextTried = false;

  return {
    habits(request) {
      const trial = trials.get(request);
      return trial === undefined ? profile.habits : withHabits(profile.habits, trial);
    },
    next(failure, request, write, mayDescribe) {
      const words = failure.said ?? "";
      if (!concernsHistory(failure, request)) return undefined;
      const trial = trials.get(request) ?? newTrial(failure);
      trials.set(request, trial);
      trial.refused.add(write(withHabits(profile.habits, trial)));
      if (!isSame(trial.words, words)) for (const habit of trial.trying) trial.kept.add(habit);
      trial.trying = [];
      trial.words = words;
      const text = request.tools.length === 0 ? "no-tools-left" : mayDescribe ? "now" : "later";
      const step = nextStep(trial, profile.habits, write, text);
      if (step === undefined) return undefined;
      trial.trying = step.habits;
      if (step.habits.includes("no-tools")) isTextTried = request.tools.length > 0;
      return refused(words, step.remedy);
    },
    describeTools(failure, request) {
      const trial = trials.get(request) ?? newTrial(failure);
      trials.set(request, trial);
      trial.trying = ["no-tools", "results-as-user"];
      trial.rung = rungs.length;
      isTextTried = true;
      return refused(failure.said ?? "", "tools are described in the prompt");
    },
    taken(request) {
      if (isTextTried && request.tools.length === 0) {
        isTextTried = false;
        profile.add(["no-tools", "results-as-user"], []);
      }
      const trial = trials.get(request);
      if (trial === undefined) return;
      trials.delete(request);
      profile.add([...trial.kept, ...trial.trying], [...trial.ended]);
    },
    reported(failure, request) {
      const first = trials.get(request)?.first;
      if (first === undefined) return failure;
      if (failure.code === "tools-unsupported") return { ...failure, message: first.message };
      return failure.code === "bad-request" ? first : failure;
    },
  };
}

/** Returns the habits with which a form of the request is written. */
function withHabits(known: ReadonlySet<Habit>, { kept, trying, ended }: Trial): ReadonlySet<Habit> {
  const all = new Set([...known, ...kept, ...trying]);
  for (const habit of ended) all.delete(habit);
  return all;
}

/**
 * Returns what to try next. `known` has the habits of the profile. `text` says what becomes of the last form, which describes the
 * tools in the prompt.
 */
function nextStep(
  trial: Trial,
  known: ReadonlySet<Habit>,
  write: (habits: ReadonlySet<Habit>) => string,
  text: "now" | "later" | "no-tools-left",
): Rung | undefined {
  const named = habitRows.find(
    ({ id, refusal }) =>
      refusal?.test(trial.words) === true && !trial.named.has(id) && !withHabits(known, trial).has(id),
  );
  if (named !== undefined) {
    trial.named.add(named.id);
    for (const habit of named.ends ?? []) trial.ended.add(habit);
    return { habits: [named.id], remedy: named.remedy };
  }
  for (let rung = rungs[trial.rung]; rung !== undefined; rung = rungs[trial.rung]) {
    if (rung.habits.includes("no-tools") && text === "later") return undefined;
    trial.rung += 1;
    const has = withHabits(known, trial);
    if (rung.habits.every((habit) => has.has(habit))) continue;
    if (rung.habits.includes("no-tools") && text === "now") return rung;
    if (!trial.refused.has(write(withHabits(known, { ...trial, trying: rung.habits })))) return rung;
  }
  return undefined;
}

function newTrial(first: ModelFailure): Trial {
  const words = first.said ?? "";
  return {
    first,
    kept: new Set(),
    trying: [],
    ended: new Set(),
    named: new Set(),
    refused: new Set(),
    rung: 0,
    words,
  };
}

/** The statuses of 4xx that no form of the history changes. */
const otherCauses = new Set([401, 402, 403, 404, 405, 407, 408, 410, 413, 425, 429, 451]);

/**
 * Returns true if another form of the history may help: a template refused it, or a server refused, in whatever words, a
 * history that is longer than a first request.
 */
function concernsHistory({ code, status = 0, said = "" }: ModelFailure, { messages }: ModelRequest): boolean {
  if (code !== "bad-request") return false;
  if (isTemplateRefusal(said)) return true;
  if (status < 400 || status > 499 || otherCauses.has(status)) return false;
  return messages.filter(({ role }) => role !== "system").length > 1;
}

/** Returns true if both refusals have the same words, apart from numbers and ids. */
function isSame(one: string, other: string): boolean {
  const plain = (words: string) => words.replace(/[0-9a-f-]*\d[0-9a-f-]*/gi, "#");
  return plain(one) === plain(other);
}

/** The maximum length of a quoted refusal, in characters. */
const maxQuotedChars = 160;

export function quotedRefusal(words: string): string {
  const first = words.split("\n", 1)[0] ?? "";
  return first.length > maxQuotedChars ? `${first.slice(0, maxQuotedChars)}…` : first;
}

function refused(words: string, remedy: string): string {
  return `refused the conversation: "${quotedRefusal(words)}". Sent again: ${remedy}`;
}
