/** Asks the person about a call, waits for the answer, and checks that the call would still do what was shown. */
import type {
  PermissionAnswer,
  PermissionMode,
  PermissionRequest,
  PlanApproval,
  PlanQuestion,
} from "@localharness/protocol";
import { defined } from "@localharness/protocol";
import { argumentsHash } from "../arguments/hash.ts";
import { secretId } from "../fresh-id.ts";
import { coverage, type Grants } from "../policy/grants.ts";
import type { Decision, PolicyQuestion } from "../policy/rule.ts";
import { examineCall, withFacts } from "./examine-call.ts";
import type { Mask } from "./mask-text.ts";
import type { ReadyCall } from "./prepare-call.ts";
import type { CallRecorder } from "./record-calls.ts";
import { sameFacts } from "./same-facts.ts";
import { within } from "./within.ts";

export interface PersonsAnswer {
  readonly answer: PermissionAnswer;
  /** What the model is told with a denial. */
  readonly note?: string;
  /** The mode in which the session goes on: without it no answer approves a plan. */
  readonly mode?: PermissionMode;
  /** The plan as the person edited it. */
  readonly plan?: string;
}

export interface Asker {
  /** False when nobody can be asked: an ask is then a deny. */
  readonly interactive: boolean;
  readonly grants: Grants;
  readonly sessionId: string;
  readonly recorder: CallRecorder;
  readonly mask: Mask;
  /** What confines commands, in words. */
  readonly sandbox?: string;
  mode(): PermissionMode;
  emit(
    event:
      | { type: "permission-request"; request: PermissionRequest }
      | {
          type: "permission-answer";
          requestId: string;
          answer: PermissionAnswer;
          by: "person" | "nobody";
          note?: string;
          mode?: PermissionMode;
          plan?: string;
        },
  ): void;
  /** Resolves to the person's answer. A rejection counts as a denial, and so does an invalid answer. */
  answer(requestId: string, signal: AbortSignal): Promise<PermissionAnswer | PersonsAnswer>;
}

/** The call that is asked about, and what was found out about it. */
export interface Asked {
  readonly call: ReadyCall;
  readonly question: PolicyQuestion;
  /** How many other calls of the iteration have no result yet. */
  readonly waiting: number;
  /** The format in which the model wrote the call. Absent when no model made it. */
  readonly format?: string;
}

export type Permission =
  | {
      readonly allowed: true;
      /** What was allowed. */
      readonly question: PolicyQuestion;
      /** Absent when a rule allows the call by now, so that nobody had to answer. */
      readonly answer?: PermissionAnswer;
      /** Present when the answer approves a plan. */
      readonly approval?: PlanApproval;
    }
  | {
      readonly allowed: false;
      /** `change` when what the call would touch changed again and again while it was asked about. */
      readonly by: "person" | "nobody" | "rule" | "interrupt" | "change";
      readonly decision: Decision;
      readonly note?: string;
    };

/** How often the same call is put to the person, when its facts change while it is asked about. */
const maxRounds = 2;

/**
 * Resolves to whether the call is allowed. Never rejects, and resolves at once when the signal aborts. Emits exactly one
 * answer for each request.
 */
export async function askPermission(asked: Asked, asker: Asker, signal: AbortSignal): Promise<Permission> {
  const { call } = asked;
  let { question } = asked;
  for (let round = 1; ; round += 1) {
    // An answer to another call, or a change of mode, may have decided this one meanwhile.
    question = { ...question, mode: asker.mode() };
    const decision = asker.grants.decide(question);
    if (decision.decision === "allow") return { allowed: true, question };
    if (decision.decision === "deny") return { allowed: false, by: "rule", decision };
    if (round > maxRounds) return { allowed: false, by: "change", decision };
    const answered = await putQuestion({ ...asked, question }, decision, asker, signal);
    if (answered.kind === "interrupt") return { allowed: false, by: "interrupt", decision };
    const { answer, note } = answered;
    if (answer === undefined) return { allowed: false, by: "nobody", decision };
    if (answer === "deny") return { allowed: false, by: "person", decision, ...defined({ note }) };
    const facts = await examineCall(call.tool, call.arguments, signal);
    if (signal.aborted) return { allowed: false, by: "interrupt", decision };
    const now = { ...withFacts(call.question, facts), mode: asker.mode() };
    if (!sameFacts(question, now, "seen")) {
      question = now;
      continue;
    }
    const since = asker.grants.decide(now);
    if (since.decision === "deny") return { allowed: false, by: "rule", decision: since };
    return { allowed: true, question, answer, ...approvalOf(answered) };
  }
}

type Answered =
  | { readonly kind: "interrupt" }
  /** `answer` is absent when nobody could give one. */
  | ({ readonly kind: "answer" } & Partial<PersonsAnswer>);

function approvalOf({ mode, plan }: Partial<PersonsAnswer>): { readonly approval?: PlanApproval } {
  return mode === undefined ? {} : { approval: { mode, ...defined({ plan }) } };
}

async function putQuestion(
  asked: Asked,
  decision: Decision,
  asker: Asker,
  signal: AbortSignal,
): Promise<Answered> {
  const request = await makeRequest(asked, decision, asker, signal);
  if (signal.aborted) return { kind: "interrupt" };
  const { requestId } = request;
  // Waits from before the request is emitted: a listener may answer at once.
  const waiting = asker.interactive ? personsAnswer(requestId, asker, signal) : undefined;
  asker.emit({ type: "permission-request", request });
  const given = heldTo(request.plan, await waiting);
  const answer = given?.answer ?? "deny";
  const by = given === undefined ? "nobody" : "person";
  const { note, mode, plan } = given ?? {};
  asker.emit({ type: "permission-answer", requestId, answer, by, ...defined({ note, mode, plan }) });
  asker.recorder.answered(asked.call.id, answer, by, given?.note);
  if (signal.aborted) return { kind: "interrupt" };
  return given === undefined ? { kind: "answer" } : { kind: "answer", ...given };
}

const maxPreviewMs = 3_000;

async function makeRequest(
  { call, question, waiting, format }: Asked,
  decision: Decision,
  asker: Asker,
  signal: AbortSignal,
): Promise<PermissionRequest> {
  const preview = await within(
    maxPreviewMs,
    signal,
    async (stop) => await call.tool.preview?.(call.arguments, stop),
  );
  const { paths, concerns = [], plan } = question.facts;
  return {
    requestId: `permission-${asker.sessionId}-${secretId()}`,
    callId: call.id,
    toolName: call.tool.name,
    ...defined({ format }),
    arguments: call.arguments,
    argumentsHash: await argumentsHash(call.arguments),
    risk: question.risk,
    rule: decision.rule,
    reason: decision.reason,
    covers: coverage(question, decision),
    concerns: concerns.map(({ id, reason }) => ({ id, reason })),
    ...defined({ paths, sandbox: asker.sandbox }),
    ...(waiting === 0 ? {} : { waiting }),
    ...(preview === undefined ? {} : { preview: asker.mask(preview) }),
    ...defined({ plan }),
  };
}

/** Returns what the answer says to such a request: undefined when it allows a plan without one of the plan's modes. */
function heldTo(
  asked: PlanQuestion | undefined,
  given: PersonsAnswer | undefined,
): PersonsAnswer | undefined {
  if (given === undefined) return undefined;
  const { answer, note, mode, plan } = given;
  if (asked === undefined || answer === "deny") return { answer, ...defined({ note }) };
  if (mode === undefined || !asked.modes.includes(mode)) return undefined;
  return { answer, mode, ...defined({ plan }) };
}

const answers: ReadonlySet<unknown> = new Set<PermissionAnswer>(["once", "session", "remember", "deny"]);

/** Resolves to undefined when no valid answer came: asking failed, or an interrupt came first. */
function personsAnswer(
  requestId: string,
  asker: Asker,
  signal: AbortSignal,
): Promise<PersonsAnswer | undefined> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
    const asked = async () => await asker.answer(requestId, signal);
    asked().then(
      (answer) => resolve(validAnswer(typeof answer === "string" ? { answer } : answer)),
      () => resolve(undefined),
    );
  });
}

function validAnswer(given: PersonsAnswer | null | undefined): PersonsAnswer | undefined {
  if (given === null || given === undefined || !answers.has(given.answer)) return undefined;
  const { answer, note, mode, plan } = given;
  return { answer, ...defined({ note: textOf(note), mode, plan: textOf(plan) }) };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
