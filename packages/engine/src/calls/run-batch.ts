/** Drives the executor over one batch of calls: acts on what each tick returns until every call has a result. */
import { defined, type PlanApproval, reasonOf, type ToolCall, type ToolResult } from "@localharness/protocol";
import type { ExecutorInput, ExecutorState } from "../executor/state.ts";
import { transition } from "../executor/transition.ts";
import { planToolName } from "../plan/plan-tool.ts";
import type { PolicyQuestion } from "../policy/rule.ts";
import { refusal, toResult } from "../tool-result.ts";
import { askPermission, type Permission } from "./ask-permission.ts";
import type { BatchLimits, BatchOutcome, BatchParts } from "./batch-parts.ts";
import { executeCall } from "./execute-call.ts";
import { findDuplicates } from "./find-duplicates.ts";
import { type Judgement, judgeCall } from "./judge-call.ts";
import { createDuplicateGuard, type DuplicateGuard } from "./judge-duplicate.ts";
import { createMailbox } from "./mailbox.ts";
import { maskDiff, maskResult } from "./mask-text.ts";
import { type PreparedCall, prepareCall, quotedConcernId, type ReadyCall } from "./prepare-call.ts";
import { createResultSink, type ResultSink, type SunkResult } from "./result-sink.ts";
import type { ToolRun } from "./run-tool.ts";
import {
  defectText,
  interruptedText,
  keepsChangingText,
  loopEndedText,
  nobodyToAskText,
  personDenialText,
  planRefusedText,
  planUnapprovedText,
  quotedDenialText,
  ruleDenialText,
  sameAnswerNote,
  type Told,
} from "./texts.ts";

/** Resolves when every call has its result. An error in a tool does not make it reject. */
export async function runBatch(
  calls: readonly ToolCall[],
  limits: BatchLimits,
  parts: BatchParts,
  signal: AbortSignal,
): Promise<BatchOutcome> {
  const sink = createResultSink(
    calls.map((call) => call.id),
    parts.deliver,
  );
  const batch = new Batch(calls, parts, signal, sink, limits.callsAfter ?? 0);
  const action = await batch.run(limits);
  const { message, ...reason }: Told = batch.loopEnded ? { message: loopEndedText } : interruptedText;
  for (const { id, name } of calls) {
    if (sink.isSettled(id)) continue;
    batch.settle(id, name, refusal("cancelled", message, parts.clock), { ...nothing, ...reason });
  }
  const { denied, loopEnded, unapproved } = batch;
  return { action, results: sink.delivered, denied, loopEnded, ...defined({ unapproved }) };
}

type Made = Pick<SunkResult, "achieved" | "diff" | "images" | "why">;

const nothing: Made = { achieved: [] };

/** One running batch: the state of the executor and the data of each call. */
class Batch {
  loopEnded = false;
  denied = 0;
  /** The plan that nobody could approve. */
  unapproved: string | undefined;
  readonly #parts: BatchParts & { readonly duplicates: DuplicateGuard };
  readonly #signal: AbortSignal;
  readonly #sink: ResultSink;
  readonly #callsAfter: number;
  readonly #raw: ReadonlyMap<string, ToolCall>;
  readonly #prepared: ReadonlyMap<string, PreparedCall>;
  /** Maps the id of each duplicate to the id of the first identical call in this batch. */
  readonly #firstOf: ReadonlyMap<string, string>;
  /** The question for the policy by which each call was decided. */
  readonly #questions = new Map<string, PolicyQuestion>();
  readonly #approvals = new Map<string, PlanApproval>();
  /** The offer that the person took for a call. */
  readonly #offers = new Map<string, string>();
  readonly #judging = new Set<string>();
  readonly #inputs = createMailbox<ExecutorInput>();
  #asking: Promise<Permission> | undefined;
  #state: ExecutorState = { name: "idle" };

  constructor(
    calls: readonly ToolCall[],
    parts: BatchParts,
    signal: AbortSignal,
    sink: ResultSink,
    callsAfter: number,
  ) {
    this.#callsAfter = callsAfter;
    this.#parts = {
      ...parts,
      duplicates: createDuplicateGuard(
        parts.earlierCalls,
        parts.clock,
        (id) => parts.isSentWhole?.(id) === true,
      ),
    };
    this.#signal = signal;
    this.#sink = sink;
    const around = {
      registry: parts.registry,
      clock: parts.clock,
      mode: parts.mode(),
      workspace: parts.workspace,
      trusted: parts.trusted,
      hasResult: (id: string) => this.#raw.has(id) || parts.isSentWhole?.(id) === true,
      ...defined({
        quoted: parts.quoted,
        freedoms: parts.freedoms,
        added: parts.added,
        listedFor: parts.listedFor,
      }),
    };
    this.#raw = new Map(calls.map((call) => [call.id, call]));
    this.#prepared = new Map(calls.map((call) => [call.id, prepareCall(call, around)]));
    this.#firstOf = findDuplicates([...this.#prepared.values()]);
  }

  async run({ iteration, iterationLimit }: BatchLimits): Promise<BatchOutcome["action"]> {
    const cancel = () => this.#inputs.put({ type: "cancel" });
    if (this.#signal.aborted) cancel();
    this.#signal.addEventListener("abort", cancel, { once: true });
    const calls = [...this.#prepared].map(([id, call]) => ({
      id,
      readOnly: call.kind === "ready" && call.tool.readOnly,
    }));
    this.#apply({ type: "submit", calls, iteration, iterationLimit });
    try {
      for (;;) {
        const action = this.#apply({ type: "tick" });
        if (action === "iteration_complete" || action === "iteration_limit_reached") {
          this.#apply({ type: "tick" });
          return action;
        }
        if (action === "show_permission_prompt") this.#ask();
        if (action === "render_requested") this.#start();
        if (this.#state.name === "evaluating_policy") this.#judge(this.#state.group.ids);
        this.#apply(await this.#inputs.take());
      }
    } finally {
      this.#signal.removeEventListener("abort", cancel);
      // An interrupt closes the open question. The event with the answer must come before the end of the turn.
      await this.#asking;
    }
  }

  #apply(input: ExecutorInput): ReturnType<typeof transition>["action"] {
    const { state, action } = transition(this.#state, input);
    if (state.name !== this.#state.name) this.#parts.emit({ type: "executor-state", state: state.name });
    this.#state = state;
    return action;
  }

  /** Masks known secrets in the result, records it and delivers it. */
  settle(id: string, toolName: string, result: ToolResult, made: Made = nothing): void {
    const { mask } = this.#parts;
    const masked = maskResult(result, mask);
    this.#parts.recorder.finished(id, masked);
    const { achieved, images } = made;
    const diff = made.diff === undefined ? undefined : maskDiff(made.diff, mask);
    const why = made.why === undefined ? undefined : mask(made.why);
    this.#sink.settle({ id, toolName, result: masked, achieved, ...defined({ why, diff, images }) });
  }

  /** Gives the result to the call, and to the calls of this batch that repeat it. */
  #settle(call: PreparedCall, result: ToolResult, made?: Made): void {
    const toolName = nameOf(call);
    this.settle(call.id, toolName, result, made);
    const repeated = { ...nothing, ...defined({ why: made?.why }) };
    const shared = { ...result, notes: [...(result.notes ?? []), sameAnswerNote] };
    for (const [id, first] of this.#firstOf)
      if (first === call.id) this.settle(id, toolName, shared, repeated);
  }

  /** Gives a result to a call that did not run or whose run failed in the harness. Counts the call if it was denied. */
  #refuse(call: PreparedCall, result: ToolResult, why?: string): void {
    if (result.error_type === "permission_denied") this.denied += 1;
    this.#settle(call, result, { ...nothing, ...defined({ why }) });
  }

  #refuseDefect(call: PreparedCall, error: unknown): void {
    this.#refuse(call, refusal("internal_error", defectText(reasonOf(error)), this.#parts.clock));
  }

  #judge(ids: readonly string[]): void {
    for (const id of ids) {
      const call = this.#prepared.get(id);
      if (call === undefined || this.#judging.has(id)) continue;
      this.#judging.add(id);
      void this.#judgement(call)
        .then((judgement) => this.#judged(call, judgement))
        .catch((error: unknown) => {
          this.#refuseDefect(call, error);
          return "refuse" as const;
        })
        .then((verdict) => this.#inputs.put({ type: "evaluated", id, verdict }));
    }
  }

  async #judgement(call: PreparedCall): Promise<Judgement> {
    const skipped = (rule: string) => {
      const raw = this.#raw.get(call.id)?.arguments ?? {};
      this.#parts.recorder.skipped(call.id, nameOf(call), raw, rule);
    };
    if (call.kind === "settled") {
      skipped("built-in:invalid");
      return { verdict: "refuse", result: call.result };
    }
    if (!this.#firstOf.has(call.id)) return await judgeCall(call, this.#parts, this.#signal);
    // This call gets the result of the call that it repeats.
    skipped("built-in:repeated");
    return { verdict: "refuse" };
  }

  #judged(call: PreparedCall, judgement: Judgement): Judgement["verdict"] {
    if (judgement.verdict !== "refuse") this.#questions.set(call.id, judgement.question);
    else if (judgement.result !== undefined) this.#refuse(call, judgement.result, judgement.why);
    if (judgement.verdict === "refuse" && judgement.endsIteration === true) this.#endForLoop();
    return judgement.verdict;
  }

  #endForLoop(): void {
    this.loopEnded = true;
    this.#inputs.put({ type: "cancel" });
  }

  #ask(): void {
    if (this.#state.name !== "awaiting_permission") return;
    const { asking, group } = this.#state;
    const call = this.#prepared.get(asking);
    if (call?.kind !== "ready") return;
    const isWaiting = (id: string) =>
      id !== asking &&
      !this.#sink.isSettled(id) &&
      !this.#firstOf.has(id) &&
      group.verdicts.get(id) !== "allow";
    const waiting = this.#callsAfter + [...this.#prepared.keys()].filter(isWaiting).length;
    const format = this.#parts.turn === undefined ? {} : { format: call.format ?? "native" };
    const asked = { call, question: this.#questionOf(call), waiting, ...format };
    const ask = () => askPermission(asked, this.#parts, this.#signal);
    this.#asking = this.#parts.questionLock?.(ask) ?? ask();
    void this.#asking
      .then((permission) => this.#answered(call, permission))
      .catch((error: unknown) => {
        this.#refuseDefect(call, error);
        return false;
      })
      .then((allowed) => this.#inputs.put({ type: "answered", id: call.id, allowed }));
  }

  #questionOf(call: ReadyCall): PolicyQuestion {
    return this.#questions.get(call.id) ?? call.question;
  }

  async #answered(call: ReadyCall, permission: Permission): Promise<boolean> {
    const { clock, emit, grants } = this.#parts;
    if (!permission.allowed) {
      if (permission.by === "foresight") {
        const { output } = permission;
        this.#refuse(call, toResult(output, clock, 0), output.ok ? undefined : output.why);
      } else if (isUnapprovedPlan(call, permission)) this.#takeAsAnswer(call);
      else if (permission.by !== "interrupt") {
        const { message, why } = denialText(permission, call);
        this.#refuse(call, refusal("permission_denied", message, clock), why);
      }
      return false;
    }
    const { question, answer, wider, approval, offer } = permission;
    this.#questions.set(call.id, question);
    if (approval !== undefined) this.#approvals.set(call.id, approval);
    if (offer !== undefined) this.#offers.set(call.id, offer);
    // A question with offers is about this one call, as it says, whatever a client answers.
    const covers = question.facts.offers === undefined ? answer : undefined;
    const message = covers === undefined ? undefined : await grants.record(question, covers, wider);
    if (message !== undefined) emit({ type: "notice", level: "warning", code: "not-remembered", message });
    return true;
  }

  /** Gives a result to a plan that nobody can approve. The turn will end with this plan. */
  #takeAsAnswer(call: ReadyCall): void {
    const { plan } = call.arguments;
    this.unapproved = typeof plan === "string" ? plan : "";
    this.#settle(call, toResult({ ok: true, data: planUnapprovedText }, this.#parts.clock, 0));
  }

  #start(): void {
    if (this.#state.name !== "executing") return;
    for (const id of this.#state.running) {
      const call = this.#prepared.get(id);
      if (call?.kind !== "ready") continue;
      void this.#run(call)
        .catch((error: unknown) => this.#refuseDefect(call, error))
        .then(() => this.#inputs.put({ type: "finished", id }));
    }
  }

  async #run(call: ReadyCall): Promise<void> {
    const question = this.#questionOf(call);
    const given = { approval: this.#approvals.get(call.id), offer: this.#offers.get(call.id) };
    const parts = { ...this.#parts, ...defined(given) };
    const execute = () => executeCall(call, question, parts, this.#delegateFor(call), this.#signal);
    const done = await (parts.runLock?.(call.tool.readOnly, this.#signal, execute) ?? execute());
    if (done?.kind === "refused") this.#refuse(call, done.result);
    if (done?.kind !== "ran") return;
    if (done.denied === true) this.denied += 1;
    this.#settle(call, done.result, done);
    if (done.endsIteration) this.#endForLoop();
  }

  /** Returns the function that gives a task to an agent for this call. Calls denied to the agent count as denied in the turn. */
  #delegateFor({ id: callId, tool: { name: toolName } }: ReadyCall): ToolRun["delegate"] {
    const { delegate } = this.#parts;
    if (delegate === undefined) return undefined;
    return async (work, signal) => {
      const done = await delegate(work, { callId, toolName, signal });
      this.denied += done.end.denied;
      return done;
    };
  }
}

type Denial = Extract<Permission, { allowed: false; decision: unknown }>;

function nameOf(call: PreparedCall): string {
  return call.kind === "ready" ? call.tool.name : call.toolName;
}

/** Returns true for a plan that nobody answered, unless the model may only be quoting it or another rule asked. */
function isUnapprovedPlan({ tool }: ReadyCall, { by, decision }: Denial): boolean {
  return by === "nobody" && tool.name === planToolName && decision.rule === "built-in:plan";
}

function denialText({ by, decision, note }: Denial, { tool }: ReadyCall): Told {
  if (by === "rule") return ruleDenialText(decision);
  if (by === "change") return keepsChangingText;
  if (by === "person") return tool.name === planToolName ? planRefusedText(note) : personDenialText(note);
  const isQuoted = decision.rule === `built-in:${quotedConcernId}`;
  return isQuoted ? quotedDenialText(decision.reason) : nobodyToAskText(decision);
}
