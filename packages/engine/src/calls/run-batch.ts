/** Drives the executor over the calls of one iteration: acts on what each tick returns until every call has a result. */
import type {
  EventBody,
  PermissionAnswer,
  PermissionMode,
  ToolCall,
  ToolResult,
} from "@localharness/protocol";
import type { Clock } from "../clock.ts";
import type { ExecutorInput, ExecutorState, Verdict } from "../executor/state.ts";
import { transition } from "../executor/transition.ts";
import type { RepeatMemory } from "../guards/repeats.ts";
import { createMailbox } from "../mailbox.ts";
import type { Grants } from "../policy/grants.ts";
import type { Decision } from "../policy/rule.ts";
import type { ToolRegistry } from "../registry.ts";
import { refusal } from "../tool-result.ts";
import { type Asker, askPermission, type Permission } from "./ask-permission.ts";
import { findTwins } from "./find-twins.ts";
import { createRepeatGuard } from "./judge-repeat.ts";
import { type PreparedCall, prepareCall, type ReadyCall } from "./prepare-call.ts";
import { createResultSink, type SunkResult } from "./result-sink.ts";
import { runTool } from "./run-tool.ts";

export interface BatchParts {
  readonly registry: ToolRegistry;
  readonly grants: Grants;
  readonly clock: Clock;
  readonly workspace: string;
  readonly interactive: boolean;
  readonly repeats: { current: RepeatMemory };
  mode(): PermissionMode;
  emit(event: EventBody): void;
  /** Takes each result, in the order of the calls. */
  deliver(result: SunkResult): void;
  answer: Asker["answer"];
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
    sink.settle({
      id: call.id,
      toolName: call.name,
      result: refusal("cancelled", message, parts.clock),
      achieved: [],
    });
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
    };
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

  #settle(call: PreparedCall, result: ToolResult, achieved: SunkResult["achieved"] = []): void {
    const toolName = call.kind === "ready" ? call.tool.name : call.toolName;
    this.#sink.settle({ id: call.id, toolName, result, achieved });
    const shared = { ...result, notes: [...(result.notes ?? []), twinNote] };
    for (const [id, first] of this.#twins) {
      if (first === call.id) this.#sink.settle({ id, toolName, result: shared, achieved: [] });
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
    if (call.kind === "settled") {
      this.#settle(call, call.result);
      return "refuse";
    }
    // It gets its result together with the call that it repeats.
    if (this.#twins.has(call.id)) return "refuse";
    // The mode is the one of now: a person may have changed it since the model asked.
    const decision = this.#parts.grants.decide({ ...call.question, mode: this.#parts.mode() });
    if (decision.decision === "deny") return this.#refuse(call, "permission_denied", ruleDenial(decision));
    const judged = await this.#guard.before(call, this.#signal);
    if (judged === undefined) return decision.decision;
    this.#settle(call, judged.result);
    if (judged.endsIteration) this.#endForLoop();
    return "refuse";
  }

  #endForLoop(): void {
    this.loopEnded = true;
    this.#inputs.put({ type: "cancel" });
  }

  #ask(): void {
    if (this.#state.name !== "awaiting_permission") return;
    const call = this.#prepared.get(this.#state.asking);
    if (call?.kind !== "ready") return;
    this.#asking = askPermission(call, this.#parts, this.#signal);
    void this.#asking.then(async (permission) => {
      if (permission.allowed) await this.#keep(call, permission.answer);
      else if (permission.by !== "interrupt") this.#refuse(call, "permission_denied", denial(permission));
      this.#inputs.put({ type: "answered", id: call.id, allowed: permission.allowed });
    });
  }

  /** Keeps what an answer covers beyond the one call. */
  async #keep(call: ReadyCall, answer: PermissionAnswer | undefined): Promise<void> {
    if (answer === undefined) return;
    const message = await this.#parts.grants.record(call.question, answer);
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
    const { clock, emit } = this.#parts;
    if (this.#signal.aborted) return;
    const { id: callId, notes } = call;
    const asRun = { callId, toolName: call.tool.name, arguments: call.arguments };
    emit({ type: "tool-start", ...asRun, ...(notes.length === 0 ? {} : { notes }) });
    const ran = await runTool({
      tool: call.tool,
      arguments: call.arguments,
      callId: call.id,
      notes: call.notes,
      signal: this.#signal,
      clock,
      report: (text) => emit({ type: "tool-progress", callId: call.id, text }),
    });
    const judged = this.#guard.after(call, ran.result);
    this.#settle(call, judged.result, ran.achieved);
    if (judged.endsIteration) this.#endForLoop();
  }
}

const twinNote =
  "the same call stands earlier in this answer and ran once: this is its result. If it is to run twice, ask for it again";

function defect(error: unknown): string {
  return `the call could not be run: ${error instanceof Error ? error.message : String(error)}`;
}

function ruleDenial(decision: Decision): string {
  return `denied by the rule ${decision.rule}: ${decision.reason}. Do not try it again in another form; go on without it or tell the person`;
}

function denial({ by, decision }: Extract<Permission, { allowed: false }>): string {
  if (by === "rule") return ruleDenial(decision);
  if (by === "person") {
    return "the person denied this call. Do not try it again in another form; go on without it or ask the person what to do";
  }
  return `nobody could be asked: this call needs permission (${decision.reason}) and there is no terminal. Go on without it, and tell the person to allow it with --answer, --mode, or a remembered permission`;
}
