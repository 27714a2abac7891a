/** Asks the person about the hosts that a running command tries to reach. The command's connections wait for the answers. */
import { createHash } from "node:crypto";
import {
  type AnswerForElsewhere,
  createStopClock,
  type QuestionElsewhere,
  type StopClock,
  type ToolContext,
} from "@localharness/engine";
import type { JsonObject, PermissionOffer, Risk } from "@localharness/protocol";

/** What the person decided about a host, or why they were not asked. */
export type HostVerdict =
  | { readonly kind: "once" }
  | { readonly kind: "session" }
  | { readonly kind: "refused"; readonly reason: string };

export interface HostRequest {
  /** In the form of `canonicalHost`. */
  readonly host: string;
  readonly port: number | undefined;
  /** True if no other command that runs can have made the request. */
  readonly isAlone: boolean;
}

/** What became of the requests of one command, for the notes about it. */
export interface HostOutcome {
  /** The hosts that the person opened. */
  readonly opened: readonly string[];
  /** The hosts that the person refused. */
  readonly denied: readonly string[];
  /** The person's text for the model in a denial. */
  readonly said: readonly string[];
  /** The number of requests that were refused without a question, because of the bounds. */
  readonly unasked: number;
  /** The hosts that are this machine or on its networks. */
  readonly near: readonly string[];
}

export interface HostQuestions {
  /** Returns true if the person opened the host to this command. */
  reaches(host: string): boolean;
  /** Resolves to the person's answer. Several requests for one host make one question, and hosts are asked about one after another. */
  ask(request: HostRequest): Promise<HostVerdict>;
  /** Notes that a host is this machine or on its networks. */
  noteNear(host: string): void;
  outcome(): HostOutcome;
  /** The clock of the command, which stands still while a question waits. */
  readonly clock: StopClock;
  /** Ends all questions, because the command has ended. Resolves when none is open. */
  end(): Promise<void>;
}

/** The number of denials after which the person is not asked any more for the same command. */
export const maxDenied = 3;
/** The maximum number of questions for one command. */
export const maxAsked = 20;

/** The maximum number of connections of one command that wait for answers. Each is held by processes outside of the sandbox. */
export const maxWaiting = 200;
/** The maximum number of hosts in a list of the outcome. */
const maxNamed = 20;
const maxCommandChars = 200;

export const reachHostName = "reach_host";
const sessionOffer = "session";

/** Returns the questions of one command; undefined if no person is asked about its hosts. */
export function hostQuestions(
  command: string,
  risk: Risk,
  { ask, aside, interactive, mode, signal }: ToolContext,
): HostQuestions | undefined {
  // Calls of an agent and of other programs have no `aside`.
  if (ask === undefined || aside === undefined || interactive !== true) return undefined;
  return mode === "bypass" || mode === "plan"
    ? undefined
    : createHostQuestions((request, stop) => ask(questionAbout(command, risk, request), stop), signal);
}

export function createHostQuestions(
  ask: (request: HostRequest, signal: AbortSignal) => Promise<AnswerForElsewhere | undefined>,
  signal: AbortSignal,
): HostQuestions {
  const ended = new AbortController();
  const stop = AbortSignal.any([signal, ended.signal]);
  const clock = createStopClock(() => performance.now());
  const verdicts = new Map<string, Promise<HostVerdict>>();
  const outcome = {
    opened: [] as string[],
    denied: [] as string[],
    said: [] as string[],
    unasked: 0,
    near: [] as string[],
  };
  let asked = 0;
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();

  const isOver = () => outcome.denied.length >= maxDenied || asked >= maxAsked;
  const unasked = () => {
    outcome.unasked += 1;
    return refused("the person is not asked about more hosts of this command");
  };

  async function decide(request: HostRequest): Promise<HostVerdict> {
    if (stop.aborted) return refused(endedReason);
    if (isOver()) return unasked();
    asked += 1;
    const given = await clock.apart(() => ask(request, stop));
    if (given === undefined) return refused(endedReason);
    const verdict = verdictOf(given, request);
    if (verdict.kind === "refused") {
      outcome.denied.push(request.host);
      if (given.note !== undefined && given.note.trim() !== "") outcome.said.push(given.note);
    } else outcome.opened.push(request.host);
    return verdict;
  }

  return {
    clock,
    reaches: (host) => outcome.opened.includes(host),
    async ask(request) {
      const known = verdicts.get(request.host);
      if (waiting >= maxWaiting || (known === undefined && isOver())) return unasked();
      const verdict = known ?? last.then(() => decide(request));
      if (known === undefined) {
        last = verdict;
        verdicts.set(request.host, verdict);
      }
      waiting += 1;
      try {
        return await verdict;
      } finally {
        waiting -= 1;
      }
    },
    noteNear(host) {
      if (outcome.near.length < maxNamed && !outcome.near.includes(host)) outcome.near.push(host);
    },
    outcome: () => outcome,
    async end() {
      ended.abort();
      await last;
    },
  };
}

const endedReason = "nobody answered the question about this host";

export function refused(reason: string): HostVerdict {
  return { kind: "refused", reason };
}

function verdictOf({ answer, offer }: AnswerForElsewhere, { isAlone }: HostRequest): HostVerdict {
  if (answer === "once" && offer === sessionOffer) return { kind: "session" };
  if (answer === "once" && isAlone) return { kind: "once" };
  return refused("the person does not allow this host");
}

function questionAbout(command: string, risk: Risk, { host, port, isAlone }: HostRequest): QuestionElsewhere {
  const args: JsonObject = {
    command: shortened(command),
    host,
    ...(port === undefined ? {} : { port }),
  };
  const who = isAlone ? "the command" : "the command, or another one that runs now,";
  return {
    toolName: reachHostName,
    arguments: args,
    argumentsHash: createHash("sha256").update(JSON.stringify(args)).digest("hex"),
    risk,
    grade: "leaves",
    rule: `risk:${risk}`,
    reason: `${who} tries to reach ${host} and waits for your answer`,
    covers: "",
    answers: ["once", "deny"],
    offers: offersFor(host, isAlone),
    concerns: [],
  };
}

function offersFor(host: string, isAlone: boolean): readonly PermissionOffer[] {
  const once: PermissionOffer = {
    id: "once",
    words: "Once, for this command",
    short: "Once",
    detail: `it reaches ${host} until it ends, at any port`,
  };
  const session: PermissionOffer = {
    id: sessionOffer,
    words: "For this session",
    short: "Session",
    detail: `this and later commands of this session reach ${host}, at any port`,
  };
  return isAlone ? [once, session] : [session];
}

/** Returns the command on one line, without its end if it is long. */
function shortened(command: string): string {
  const line = command.trim().split("\n")[0] ?? "";
  const isWhole = line === command.trim() && line.length <= maxCommandChars;
  return isWhole ? line : `${line.slice(0, maxCommandChars)} …`;
}
