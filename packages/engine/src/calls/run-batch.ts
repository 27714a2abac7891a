/** Drives the executor over the calls of one iteration: acts on what each tick returns until every call has a result. */
import type { EventBody, PermissionAnswer, ToolCall, ToolResult } from "@localharness/protocol";
import type { Clock } from "../clock.ts";
import type { Delegate } from "../delegate.ts";
import type { ExecutorInput, ExecutorState, Verdict } from "../executor/state.ts";
import { transition } from "../executor/transition.ts";
import type { RepeatMemory } from "../guards/repeats.ts";
import type { TurnMark } from "../hooks.ts";
import { createMailbox } from "../mailbox.ts";
import type { Decision, PolicyQuestion } from "../policy/rule.ts";
import type { QuotedCalls } from "../quoted/quoted-calls.ts";
import type { ToolRegistry } from "../registry.ts";
import { refusal } from "../tool-result.ts";
import { type AdmissionParts, admitCall } from "./admit-call.ts";
import { type Asker, askPermission, type Permission } from "./ask-permission.ts";
import type { HookDesk } from "./consult-hooks.ts";
import { examineCall, withFacts } from "./examine-call.ts";
import { findTwins } from "./find-twins.ts";
import { createRepeatGuard } from "./judge-repeat.ts";
import { maskResult } from "./mask-text.ts";
import { type PreparedCall, prepareCall, quotedConcernId, type ReadyCall } from "./prepare-call.ts";
import { createResultSink, type SunkResult } from "./result-sink.ts";
import { runTool, type ToolRun } from "./run-tool.ts";

export interface BatchParts extends Asker, AdmissionParts {
  readonly registry: ToolRegistry;
  readonly clock: Clock;
  /** Real path. */
  readonly workspace: string;
  /** False when whatever could change something is to be denied. */
  readonly trusted: boolean;
  readonly repeats: { current: RepeatMemory };
  readonly hooks: HookDesk;
  /** Absent for a call on its own. */
  readonly turn?: TurnMark;
  /** What a call that came as text may be a copy of. Absent for a call on its own. */
  readonly quoted?: QuotedCalls;
  /** Absent where no call can have a task done in a conversation of its own. */
  readonly delegate?: Delegate;
  /** Absent where there is one asker only. Questions of several are put to the person one after another. */
  oneByOne?<T>(ask: () => Promise<T>): Promise<T>;
  emit(event: EventBody): void;
  /** Takes each result, in the order of the calls. */
  deliver(result: SunkResult): void;
}

export interface BatchLimits {
  readonly callsPerIteration: number;
  readonly iteration: number;
  readonly iterationLimit: number;
}

export interface BatchOutcome {
  readonly action: "iteration_complete" | "iteration_limit_reached";
  readonly results: readonly SunkResult[];
  /** Calls that a rule or a person denied. */
  readonly denied: number;
  /** True when the guard against repeated calls ended the iteration. */
  readonly loopEnded: boolean;
}

export async function runBatch(
  calls: readonly ToolCall[],
  limits: BatchLimits,
  parts: BatchParts,
  signal: AbortSignal,
): Promise<BatchOutcome> {
  const within = calls.slice(0, limits.callsPerIteration);
  const sink = createResultSink(
    calls.map((call) => call.id),
    parts.deliver,
  );
  const batch = new Batch(within, parts, signal, sink);
  const action = await batch.run(limits);
  for (const call of calls) {
    const message = within.includes(call)
      ? batch.notRunMessage()
      : overLimit(limits.callsPerIteration, calls.length);
    if (!sink.isSettled(call.id))
      batch.settle(call.id, call.name, refusal("cancelled", message, parts.clock));
  }
  return { action, results: sink.delivered, denied: batch.denied, loopEnded: batch.loopEnded };
}

function overLimit(limit: number, asked: number): string {
  return `not run: at most ${limit} tool calls run in one iteration and you asked for ${asked}. Look at the results you have, then ask again for what you still need`;
}

/** The life of one batch: its executor state, what it waits for, and what came of each call. */
class Batch {
  loopEnded = false;
  denied = 0;
  readonly #parts: BatchParts;
  readonly #signal: AbortSignal;
  readonly #sink: ReturnType<typeof createResultSink>;
  readonly #prepared: ReadonlyMap<string, PreparedCall>;
  readonly #raw: ReadonlyMap<string, ToolCall>;
  /** What was found out about each call, and decided on. */
  readonly #questions = new Map<string, PolicyQuestion>();
  readonly #twins: ReadonlyMap<string, string>;
  readonly #inputs = createMailbox<ExecutorInput>();
  readonly #guard: ReturnType<typeof createRepeatGuard>;
  readonly #evaluating = new Set<string>();
  #asking: Promise<Permission> | undefined;
  #state: ExecutorState = { name: "idle" };

  constructor(
    calls: readonly ToolCall[],
    parts: BatchParts,
    signal: AbortSignal,
    sink: ReturnType<typeof createResultSink>,
  ) {
    this.#parts = parts;
    this.#signal = signal;
    this.#sink = sink;
    this.#guard = createRepeatGuard(parts.repeats, parts.clock);
    const around = {
      registry: parts.registry,
      clock: parts.clock,
      mode: parts.mode(),
      workspace: parts.workspace,
      trusted: parts.trusted,
      ...(parts.quoted === undefined ? {} : { quoted: parts.quoted }),
    };
    this.#raw = new Map(calls.map((call) => [call.id, call]));
    this.#prepared = new Map(calls.map((call) => [call.id, prepareCall(call, around)]));
    this.#twins = findTwins([...this.#prepared.values()]);
  }

  async run(limits: BatchLimits): Promise<BatchOutcome["action"]> {
    const cancel = () => this.#inputs.put({ type: "cancel" });
    if (this.#signal.aborted) cancel();
    this.#signal.addEventListener("abort", cancel, { once: true });
    const { iteration, iterationLimit } = limits;
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
        if (this.#state.name === "evaluating_policy") this.#evaluate(this.#state.group.ids);
        this.#apply(await this.#inputs.take());
      }
    } finally {
      this.#signal.removeEventListener("abort", cancel);
      // A prompt that an interrupt has closed says so before the turn ends.
      await this.#asking;
    }
  }

  notRunMessage(): string {
    return this.loopEnded
      ? "not run: the iteration was ended because a call was repeated again and again"
      : "not run: the person interrupted";
  }

  #apply(input: ExecutorInput): ReturnType<typeof transition>["action"] {
    const { state, action } = transition(this.#state, input);
    if (state.name !== this.#state.name) this.#parts.emit({ type: "executor-state", state: state.name });
    this.#state = state;
    return action;
  }

  /** Hands a result on, with known secrets taken out, and puts it on record. */
  settle(id: string, toolName: string, result: ToolResult, achieved: SunkResult["achieved"] = []): void {
    const masked = maskResult(result, this.#parts.mask);
    this.#parts.recorder.finished(id, masked);
    this.#sink.settle({ id, toolName, result: masked, achieved });
  }

  #settle(call: PreparedCall, result: ToolResult, achieved: SunkResult["achieved"] = []): void {
    const toolName = call.kind === "ready" ? call.tool.name : call.toolName;
    this.settle(call.id, toolName, result, achieved);
    const shared = { ...result, notes: [...(result.notes ?? []), twinNote] };
    for (const [id, first] of this.#twins) {
      if (first === call.id) this.settle(id, toolName, shared);
    }
  }

  #refuse(call: PreparedCall, errorType: Parameters<typeof refusal>[0], message: string): "refuse" {
    if (errorType === "permission_denied") this.denied++;
    this.#settle(call, refusal(errorType, message, this.#parts.clock));
    return "refuse";
  }

  #evaluate(ids: readonly string[]): void {
    for (const id of ids) {
      const call = this.#prepared.get(id);
      if (call === undefined || this.#evaluating.has(id)) continue;
      this.#evaluating.add(id);
      void this.#verdict(call)
        .catch((error: unknown) => this.#refuse(call, "internal_error", defect(error)))
        .then((verdict) => this.#inputs.put({ type: "evaluated", id, verdict }));
    }
  }

  async #verdict(call: PreparedCall): Promise<Verdict> {
    const { grants, recorder, meter, mode } = this.#parts;
    const name = call.kind === "ready" ? call.tool.name : call.toolName;
    const skip = (rule: string) =>
      recorder.skipped(call.id, name, this.#raw.get(call.id)?.arguments ?? {}, rule);
    if (call.kind === "settled") {
      skip("built-in:invalid");
      this.#settle(call, call.result);
      return "refuse";
    }
    // It gets its result together with the call that it repeats.
    if (this.#twins.has(call.id)) {
      skip("built-in:repeated");
      return "refuse";
    }
    const facts = await examineCall(call.tool, call.arguments, this.#signal);
    if (this.#signal.aborted) return "refuse";
    // The mode is the one of now: a person may have changed it since the model asked.
    const question = { ...withFacts(call.question, facts), mode: mode() };
    const decision = grants.decide(question);
    this.#questions.set(call.id, question);
    recorder.decided(call.id, question, decision);
    if (decision.decision === "deny") return this.#refuse(call, "permission_denied", ruleDenial(decision));
    const over = meter.refusal(question.tool, question.facts);
    if (over !== undefined) return this.#refuse(call, "permission_denied", over);
    const judged = await this.#guard.before(call, this.#signal);
    if (judged === undefined) return this.#consulted(call, question, decision.decision);
    this.#settle(call, judged.result);
    if (judged.endsIteration) this.#endForLoop();
    return "refuse";
  }

  /** Hooks have their say before a person is asked: what they stop needs no answer. */
  async #consulted(call: ReadyCall, question: PolicyQuestion, decision: "allow" | "ask"): Promise<Verdict> {
    const block = await this.#parts.hooks.before(call.id, question, this.#signal);
    if (this.#signal.aborted) return "refuse";
    return block === undefined
      ? decision
      : this.#refuse(call, "permission_denied", `blocked by a hook of the person's: ${block}`);
  }

  #endForLoop(): void {
    this.loopEnded = true;
    this.#inputs.put({ type: "cancel" });
  }

  #ask(): void {
    if (this.#state.name !== "awaiting_permission") return;
    const call = this.#prepared.get(this.#state.asking);
    if (call?.kind !== "ready") return;
    const question = this.#questions.get(call.id) ?? call.question;
    const open = [...this.#prepared.keys()].filter((id) => !this.#sink.isSettled(id) && !this.#twins.has(id));
    const format = this.#parts.turn === undefined ? {} : { format: call.format ?? "native" };
    const asked = { call, question, waiting: open.length - 1, ...format };
    const ask = () => askPermission(asked, this.#parts, this.#signal);
    this.#asking = this.#parts.oneByOne?.(ask) ?? ask();
    void this.#asking
      .then((permission) => this.#answered(call, permission))
      .catch((error: unknown) => {
        this.#refuse(call, "internal_error", defect(error));
        return false;
      })
      .then((allowed) => this.#inputs.put({ type: "answered", id: call.id, allowed }));
  }

  async #answered(call: ReadyCall, permission: Permission): Promise<boolean> {
    if (permission.allowed) {
      this.#questions.set(call.id, permission.question);
      await this.#keep(permission.question, permission.answer);
    } else if (permission.by !== "interrupt") this.#refuse(call, "permission_denied", denial(permission));
    return permission.allowed;
  }

  /** Keeps what an answer covers beyond the one call. */
  async #keep(question: PolicyQuestion, answer: PermissionAnswer | undefined): Promise<void> {
    if (answer === undefined) return;
    const message = await this.#parts.grants.record(question, answer);
    if (message !== undefined)
      this.#parts.emit({ type: "notice", level: "warning", code: "not-remembered", message });
  }

  #start(): void {
    if (this.#state.name !== "executing") return;
    for (const id of this.#state.running) {
      const call = this.#prepared.get(id);
      if (call?.kind !== "ready") continue;
      void this.#run(call)
        .catch((error: unknown) => this.#refuse(call, "internal_error", defect(error)))
        .then(() => this.#inputs.put({ type: "finished", id }));
    }
  }

  async #run(call: ReadyCall): Promise<void> {
    const { clock, emit, grants, mask, turn } = this.#parts;
    if (this.#signal.aborted) return;
    const admitted = await admitCall(
      call,
      this.#questions.get(call.id) ?? call.question,
      this.#parts,
      this.#signal,
    );
    if (this.#signal.aborted) return;
    if (admitted.kind === "refuse") {
      this.#refuse(call, admitted.errorType, admitted.message);
      return;
    }
    const { id: callId, notes } = call;
    const asRun = { callId, toolName: call.tool.name, arguments: call.arguments };
    emit({ type: "tool-start", ...asRun, ...(notes.length === 0 ? {} : { notes }) });
    const denies = grants.filter(admitted.question);
    const ran = await runTool({
      tool: call.tool,
      arguments: call.arguments,
      callId,
      notes,
      signal: this.#signal,
      clock,
      report: (text) => emit({ type: "tool-progress", callId, text: mask(text) }),
      examined: admitted.question.facts,
      ...(denies === undefined ? {} : { denies }),
      ...(turn === undefined ? {} : { turn }),
      ...this.#delegation(call),
    });
    const judged = this.#guard.after(call, ran.result);
    const noted = await this.#parts.hooks.after(call.id, admitted.question, judged.result, this.#signal);
    this.#settle(call, noted, ran.achieved);
    if (judged.endsIteration) this.#endForLoop();
  }

  /** What is denied in a task that a call has others do is denied in the turn. */
  #delegation({ id: callId, tool: { name: toolName } }: ReadyCall): Pick<ToolRun, "delegate"> {
    const { delegate } = this.#parts;
    if (delegate === undefined) return {};
    return {
      delegate: async (work, signal) => {
        const done = await delegate(work, { callId, toolName, signal });
        this.denied += done.end.denied;
        return done;
      },
    };
  }
}

const quotedRule = `built-in:${quotedConcernId}`;

const twinNote =
  "the same call stands earlier in this answer and ran once: this is its result. If it is to run twice, ask for it again";

function defect(error: unknown): string {
  return `the call could not be run: ${error instanceof Error ? error.message : String(error)}`;
}

function ruleDenial(decision: Decision): string {
  return `denied by the rule ${decision.rule}: ${decision.reason}. Do not try it again in another form; go on without it or tell the person`;
}

function denial({ by, decision, note }: Extract<Permission, { allowed: false }>): string {
  if (by === "rule") return ruleDenial(decision);
  if (by === "change")
    return "not run: what this call would touch changed again and again while the person was asked. Look at it again before you make the call once more";
  if (by === "person") {
    const said = note === undefined || note.trim() === "" ? "" : ` and says: ${note.trim()}`;
    return `the person denied this call${said}. Do not try it again in another form; go on without it or ask the person what to do`;
  }
  if (decision.rule === quotedRule)
    return `not run: ${decision.reason}, and nobody could be asked. What you only quote or tell about needs no result: go on with the person's task, do not make this call in another form, and tell the person that you found it`;
  return `nobody could be asked: this call needs permission (${decision.reason}). Go on without it, and tell the person to allow it with --allow, --answer, --mode, or a remembered permission`;
}
