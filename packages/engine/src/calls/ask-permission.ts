/** Asks the person about a call, waits for the answer, and checks that the call would still do what the person was shown. */
import type {
  PermissionAnswer,
  PermissionMode,
  PermissionRequest,
  PlanApproval,
  WiderScope,
} from "@localharness/protocol";
import { defined } from "@localharness/protocol";
import { argumentsHash } from "../arguments/hash.ts";
import { secretId } from "../fresh-id.ts";
import { gradeOf } from "../policy/grade.ts";
import { coverage, type Grants, usefulAnswers, widerScope } from "../policy/grants.ts";
import type { Decision, PolicyQuestion } from "../policy/rule.ts";
import type { ToolOutput } from "../tool.ts";
import { examineCall, withFacts } from "./examine-call.ts";
import type { Mask } from "./mask-text.ts";
import type { ReadyCall } from "./prepare-call.ts";
import type { Answered, CallRecorder } from "./record-calls.ts";
import { sameFacts } from "./same-facts.ts";
import { within } from "./within.ts";

export interface PersonsAnswer {
  readonly answer: PermissionAnswer;
  /** The id of the offer that the person took; only with `once`. */
  readonly offer?: string;
  /** The person's text for the model; only in a denial. */
  readonly note?: string;
  /** True for the scope `wider` of the request; only with `session` and `remember`. */
  readonly wider?: boolean;
  /** The mode in which the session continues; an answer without a mode approves no plan. */
  readonly mode?: PermissionMode;
  /** The plan that the person edited; absent if it is unchanged. */
  readonly plan?: string;
}

export interface Asker {
  /** False if nobody can be asked; the decision `ask` then counts as a denial. */
  readonly interactive: boolean;
  readonly grants: Grants;
  readonly sessionId: string;
  readonly recorder: CallRecorder;
  readonly mask: Mask;
  /** A description of the sandbox that confines commands; a function if it may change. */
  readonly sandbox?: string | (() => string);
  mode(): PermissionMode;
  emit(
    event:
      | { type: "permission-request"; request: PermissionRequest }
      | {
          type: "permission-answer";
          requestId: string;
          answer: PermissionAnswer;
          by: "person" | "nobody";
          offer?: string;
          note?: string;
          wider?: boolean;
          mode?: PermissionMode;
          plan?: string;
        },
  ): void;
  /** Resolves to the person's answer. A rejection or an invalid answer counts as a denial. */
  answer(requestId: string, signal: AbortSignal): Promise<PermissionAnswer | PersonsAnswer>;
}

/** A call about which the person is asked, with the facts about it. */
export interface AskedCall {
  readonly call: ReadyCall;
  readonly question: PolicyQuestion;
  /**
   * The number of other calls in the model's answer that have no result and are not allowed yet, those of later batches
   * included; calls that repeat another call of the batch do not count.
   */
  readonly waiting: number;
  /** The format in which the model wrote the call, `native` for a native call; absent for a call that belongs to no turn. */
  readonly format?: string;
}

export type Permission =
  | {
      readonly allowed: true;
      /** The call that was allowed, with the facts about it. */
      readonly question: PolicyQuestion;
      /** The person's answer; absent if a rule now allows the call without a question. */
      readonly answer?: PermissionAnswer;
      /** True if the answer has the wider scope. */
      readonly wider?: boolean;
      /** Present when the answer approves a plan. */
      readonly approval?: PlanApproval;
      /** The id of the offer that the person took. */
      readonly offer?: string;
    }
  | {
      readonly allowed: false;
      /** `change` means that the facts about the call changed each time while the person was asked. */
      readonly by: "person" | "nobody" | "rule" | "interrupt" | "change";
      readonly decision: Decision;
      readonly note?: string;
    }
  /** The call would fail or change nothing, so nobody was asked. */
  | { readonly allowed: false; readonly by: "foresight"; readonly output: ToolOutput };

const maxForesightMs = 3_000;

/** The maximum number of questions about one call whose facts change while the person is asked. */
const maxRounds = 2;

/**
 * Resolves to the permission or the denial. Never rejects, and resolves at once if the signal aborts. Emits exactly one answer
 * event for each request event.
 */
export async function askPermission(
  asked: AskedCall,
  asker: Asker,
  signal: AbortSignal,
): Promise<Permission> {
  const { call } = asked;
  let { question } = asked;
  let again: string | undefined;
  for (let round = 1; ; round += 1) {
    // Meanwhile an answer to another call, or a change of mode, may have decided about this call.
    question = { ...question, mode: asker.mode() };
    const decision = await asker.grants.decide(question);
    if (decision.decision === "allow") return { allowed: true, question };
    if (decision.decision === "deny") return { allowed: false, by: "rule", decision };
    if (round > maxRounds) return { allowed: false, by: "change", decision };
    const output = await foreseen(call, question, asker.grants, signal);
    if (output !== undefined) return { allowed: false, by: "foresight", output };
    const shown = again === undefined ? decision : { ...decision, reason: `${again}; ${decision.reason}` };
    const answered = await putQuestion({ ...asked, question }, shown, asker, signal);
    if (answered.kind === "interrupt") return { allowed: false, by: "interrupt", decision };
    const { answer, note } = answered;
    if (answer === undefined) return { allowed: false, by: "nobody", decision };
    if (answer === "deny") return { allowed: false, by: "person", decision, ...defined({ note }) };
    const facts = await examineCall(call.tool, call.arguments, signal);
    if (signal.aborted) return { allowed: false, by: "interrupt", decision };
    const now = { ...withFacts(call.question, facts), mode: asker.mode() };
    if (!sameFacts(question, now, "seen")) {
      again = askedAgain(question, now);
      question = now;
      continue;
    }
    const since = await asker.grants.decide(now);
    if (since.decision === "deny") return { allowed: false, by: "rule", decision: since };
    return {
      allowed: true,
      question,
      answer,
      ...approvalOf(answered),
      ...defined({ offer: answered.offer, wider: answered.wider }),
    };
  }
}

/** Returns the reason why the person is asked again, in words for the person. */
function askedAgain(before: PolicyQuestion, now: PolicyQuestion): string {
  const written = now.facts.paths?.filter(({ access }) => access === "write") ?? [];
  const [path] = (written.length > 0 ? written : (now.facts.paths ?? [])).map((one) => one.path);
  const isSameCall = sameFacts(before, now, "unseen");
  const what = isSameCall && path !== undefined ? path : "what the call would do";
  return `asked again, because ${what} changed after the question before`;
}

async function foreseen(
  { tool, arguments: args }: ReadyCall,
  question: PolicyQuestion,
  grants: Grants,
  signal: AbortSignal,
): Promise<ToolOutput | undefined> {
  if (tool.foresee === undefined) return undefined;
  const mayShow = await mayRead(question, grants);
  return await within(maxForesightMs, signal, async (stop) => await tool.foresee?.(args, stop, mayShow));
}

/** Resolves to true if a call of `read_file` would read all paths of the call without a question. */
async function mayRead(question: PolicyQuestion, grants: Grants): Promise<boolean> {
  const { paths, concerns } = question.facts;
  if (paths === undefined) return false;
  const read = paths.map((touched) => ({ ...touched, access: "read" as const }));
  const { decision } = await grants.decide({
    ...question,
    ...{ tool: "read_file", scope: "", risk: "medium", readOnly: true, editsFiles: false },
    facts: { paths: read, looks: true, ...defined({ concerns }) },
  });
  return decision === "allow";
}

type Reply =
  | { readonly kind: "interrupt" }
  /** `answer` is absent if nobody could answer. */
  | ({ readonly kind: "answer" } & Partial<PersonsAnswer>);

function approvalOf({ mode, plan }: Partial<PersonsAnswer>): { readonly approval?: PlanApproval } {
  return mode === undefined ? {} : { approval: { mode, ...defined({ plan }) } };
}

async function putQuestion(
  asked: AskedCall,
  decision: Decision,
  asker: Asker,
  signal: AbortSignal,
): Promise<Reply> {
  const request = await makeRequest(asked, decision, asker, signal);
  if (signal.aborted) return { kind: "interrupt" };
  const given = await putRequest(request, asker, signal);
  if (signal.aborted) return { kind: "interrupt" };
  return given === undefined ? { kind: "answer" } : { kind: "answer", ...given };
}

/**
 * Emits the request, waits for the person's answer, emits exactly one answer event and records the answer. Resolves to
 * undefined if nobody can answer, if the answer is invalid, or if an interrupt comes first. `about` is what the question is about if
 * it is not the call itself.
 */
export async function putRequest(
  request: PermissionRequest,
  asker: Asker,
  signal: AbortSignal,
  about?: Answered["about"],
): Promise<PersonsAnswer | undefined> {
  const { requestId } = request;
  // Waits before the request is emitted, because a listener may answer at once.
  const waiting = asker.interactive ? personsAnswer(requestId, asker, signal) : undefined;
  asker.emit({ type: "permission-request", request });
  const given = heldTo(request, await waiting);
  const answer = given?.answer ?? "deny";
  const by = given === undefined ? "nobody" : "person";
  const { note, wider, mode, plan, offer } = given ?? {};
  asker.emit({
    type: "permission-answer",
    requestId,
    answer,
    by,
    ...defined({ note, wider, mode, plan, offer }),
  });
  const isInterrupted = given === undefined && signal.aborted;
  asker.recorder.answered(request.callId, {
    answer,
    by: isInterrupted ? "interrupt" : by,
    ...defined({ note, wider, mode, offer, about }),
  });
  return given;
}

const maxPreviewMs = 3_000;

/** The answers to a question with offers, for a screen that does not know offers. */
const onceOrNever: readonly PermissionAnswer[] = ["once", "deny"];

async function makeRequest(
  { call, question, waiting, format }: AskedCall,
  decision: Decision,
  asker: Asker,
  signal: AbortSignal,
): Promise<PermissionRequest> {
  const preview = await within(
    maxPreviewMs,
    signal,
    async (stop) => await call.tool.preview?.(call.arguments, stop),
  );
  const masked = preview === undefined ? undefined : asker.mask(preview);
  const { paths, concerns = [], plan, offers } = question.facts;
  const answers = offers === undefined ? usefulAnswers(question, decision) : onceOrNever;
  return {
    requestId: `permission-${asker.sessionId}-${secretId()}`,
    callId: call.id,
    toolName: call.tool.name,
    ...defined({ format }),
    arguments: call.arguments,
    argumentsHash: await argumentsHash(call.arguments),
    risk: question.risk,
    grade: gradeOf(question),
    rule: decision.rule,
    reason: decision.reason,
    covers: offers === undefined ? coverage(question, decision) : "this one call",
    concerns: concerns.map(({ id, reason }) => ({ id, reason })),
    ...defined({ wider: offers === undefined ? widerWords(question, decision) : undefined }),
    ...defined({ paths, offers, sandbox: sandboxOf(asker), answers }),
    ...(waiting === 0 ? {} : { waiting }),
    ...defined({ preview: masked }),
    ...(masked === preview ? {} : { previewMasked: true }),
    ...defined({ plan }),
  };
}

function sandboxOf({ sandbox }: Asker): string | undefined {
  return typeof sandbox === "function" ? sandbox() : sandbox;
}

function widerWords(question: PolicyQuestion, decision: Decision): WiderScope | undefined {
  const found = widerScope(question, decision);
  return found && { covers: found.covers, begins: found.begins };
}

/**
 * Returns the fields of the answer that apply to the request; undefined if the answer approves a plan without naming a mode
 * that the request offers, takes an offer that the request does not make, or is wider than
 * the request offers.
 */
function heldTo(
  { plan: asked, offers = [], wider: widest }: PermissionRequest,
  given: PersonsAnswer | undefined,
): PersonsAnswer | undefined {
  if (given === undefined) return undefined;
  const { answer, note, wider, mode, plan, offer } = given;
  if (answer === "deny") return { answer, ...defined({ note }) };
  if (offer !== undefined && (answer !== "once" || !offers.some(({ id }) => id === offer))) return undefined;
  if (wider === true && (widest === undefined || answer === "once")) return undefined;
  if (asked === undefined) return { answer, ...defined({ note, wider, offer }) };
  if (mode === undefined || !asked.modes.includes(mode)) return undefined;
  return { answer, mode, ...defined({ plan }) };
}

const answers: ReadonlySet<unknown> = new Set<PermissionAnswer>(["once", "session", "remember", "deny"]);

/** Resolves to the answer; undefined if asking failed, the answer was invalid, or an interrupt came first. */
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
  const { answer, note, wider, mode, plan, offer } = given;
  const isWider = wider === true ? { wider } : {};
  return {
    answer,
    ...isWider,
    ...defined({ note: textOf(note), mode, plan: textOf(plan), offer: textOf(offer) }),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
