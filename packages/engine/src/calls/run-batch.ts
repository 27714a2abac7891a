/** Drives the executor over the calls of one iteration: acts on what each tick returns until every call has a result. */
import type { EventBody, PermissionMode, ToolCall, ToolResult } from "@localharness/protocol";
import type { Clock } from "../clock.ts";
import type { ExecutorInput, ExecutorState, Verdict } from "../executor/state.ts";
import { transition } from "../executor/transition.ts";
import type { RepeatMemory } from "../guards/repeats.ts";
import { createMailbox } from "../mailbox.ts";
import type { Grants } from "../policy/grants.ts";
import type { ToolRegistry } from "../registry.ts";
import { refusal } from "../tool-result.ts";
import { type Asker, askPermission, type Permission } from "./ask-permission.ts";
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
  const denied = sink.delivered.filter((one) => one.result.error_type === "permission_denied").length;
  return { action, results: sink.delivered, denied, loopEnded: batch.loopEnded };
}

function overLimit(limit: number, asked: number): string {
  return `not run: at most ${limit} tool calls run in one iteration and you asked for ${asked}. Look at the results you have, then ask again for what you still need`;
}

/** The life of one batch: its executor state, what it waits for, and what came of each call. */
class Batch {
  loopEnded = false;
  readonly #parts: BatchParts;
  readonly #signal: AbortSignal;
  readonly #sink: ReturnType<typeof createResultSink>;
  readonly #prepared: ReadonlyMap<string, PreparedCall>;
  readonly #inputs = createMailbox<ExecutorInput>();
  readonly #guard: ReturnType<typeof createRepeatGuard>;
  readonly #evaluating = new Set<string>();
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
  }

  #evaluate(ids: readonly string[]): void {
    const keys = new Set<string>();
    for (const id of ids) {
      const call = this.#prepared.get(id);
      if (call === undefined || this.#evaluating.has(id)) continue;
      this.#evaluating.add(id);
      const twin = call.kind === "ready" && keys.has(call.key);
      if (call.kind === "ready") keys.add(call.key);
      void this.#verdict(call, twin).then((verdict) => this.#inputs.put({ type: "evaluated", id, verdict }));
    }
  }

  async #verdict(call: PreparedCall, twin: boolean): Promise<Verdict> {
    if (call.kind === "settled") {
      this.#settle(call, call.result);
      return "refuse";
    }
    if (twin && call.tool.polls !== true) {
      const message = "not run: the same call stands earlier in this answer; its result is that one's";
      this.#settle(call, refusal("cancelled", message, this.#parts.clock));
      return "refuse";
    }
    const decision = this.#parts.grants.decide(call.question);
    if (decision.decision === "deny") {
      const message = `denied by the rule ${decision.rule}: ${decision.reason}. Do not try it again in another form; go on without it or tell the person`;
      this.#settle(call, refusal("permission_denied", message, this.#parts.clock));
      return "refuse";
    }
    const judged = await this.#guard.before(call);
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
    void askPermission(call, this.#parts, this.#signal).then((permission) => {
      if (!permission.allowed && permission.by !== "interrupt") {
        this.#settle(call, refusal("permission_denied", denial(permission), this.#parts.clock));
      }
      this.#inputs.put({ type: "answered", id: call.id, allowed: permission.allowed });
    });
  }

  #start(): void {
    if (this.#state.name !== "executing") return;
    for (const id of this.#state.running) {
      const call = this.#prepared.get(id);
      if (call?.kind === "ready") void this.#run(call).then(() => this.#inputs.put({ type: "finished", id }));
    }
  }

  async #run(call: ReadyCall): Promise<void> {
    const { clock, emit } = this.#parts;
    emit({ type: "tool-start", callId: call.id, toolName: call.tool.name, arguments: call.arguments });
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

function denial(permission: Extract<Permission, { allowed: false }>): string {
  if (permission.by === "person") {
    return "the person denied this call. Do not try it again in another form; go on without it or ask the person what to do";
  }
  return `nobody could be asked: this call needs permission (${permission.reason}) and there is no terminal. Go on without it, and tell the person to allow it with --answer, --mode, or a remembered permission`;
}
