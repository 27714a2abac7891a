/**
 * Runs calls that do not come from the model of a session, such as calls of an MCP client. They may come one after another or
 * at the same time. They get the same validation, policy, permission, limits, audit log and execution as calls in a session.
 */
import type {
  EventBody,
  JsonObject,
  PermissionAnswer,
  PermissionMode,
  ToolResult,
} from "@localharness/protocol";
import { defined } from "@localharness/protocol";
import type { AuditLog } from "../audit.ts";
import { type Clock, systemClock } from "../clock.ts";
import { freshId } from "../fresh-id.ts";
import { noCallsYet } from "../guards/duplicates.ts";
import type { Hooks } from "../hooks.ts";
import { createGrants } from "../policy/grants.ts";
import type { Freedoms, PolicyStore } from "../policy/rule.ts";
import type { ToolRegistry } from "../registry.ts";
import type { PersonsAnswer } from "./ask-permission.ts";
import { createHookDesk } from "./consult-hooks.ts";
import { safeMask } from "./mask-text.ts";
import { createCallMeter, defaultRateLimits, type RateLimits } from "./rate-limits.ts";
import { auditFailed, createCallRecorder } from "./record-calls.ts";
import { runBatch } from "./run-batch.ts";
import { createRunLock, type RunLock } from "./run-lock.ts";

type Notice = Extract<EventBody, { type: "notice" }>;

export interface CallDeskOptions {
  readonly registry: ToolRegistry;
  /** The real path of the workspace. */
  readonly workspace: string;
  mode?(): PermissionMode;
  readonly policyStore?: PolicyStore;
  readonly clock?: Clock;
  /** The session of the calls; a new id by default. */
  readonly sessionId?: string;
  readonly audit?: AuditLog;
  readonly mask?: (text: string) => string;
  readonly sandbox?: string;
  /** False if the person has not trusted the folder; true by default. */
  readonly trusted?: boolean;
  readonly freedoms?: Freedoms;
  readonly hooks?: Hooks;
  /** The rate limits. The counters of a turn begin again when a call names another turn than the previous call, or none. */
  readonly limits?: RateLimits;
  /** The lock that keeps changes from running at the same time, if several desks share one workspace. */
  readonly runLock?: RunLock;
  /** Called with each warning that is not about a single call. */
  readonly notice?: (event: Notice) => void;
}

export interface DeskCall {
  readonly name: string;
  /** The arguments as JSON text or an object, as models send them. */
  readonly arguments: string | JsonObject;
  /** The id for the audit log; a new id by default. Ids of calls that run at the same time must differ. */
  readonly id?: string;
  /** The turn to which undo counts the changes of the call. If it is absent, the changes cannot be undone. */
  readonly turnId?: string;
  readonly signal?: AbortSignal;
  /** Resolves to the person's answer. Absent if nobody can be asked; the decision `ask` then counts as a denial. */
  readonly answer?: (requestId: string, signal: AbortSignal) => Promise<PermissionAnswer | PersonsAnswer>;
  readonly emit?: (event: EventBody) => void;
  /** The tools for this call; by default the tools of the desk. */
  readonly registry?: ToolRegistry;
}

export interface CallDesk {
  readonly sessionId: string;
  readonly registry: ToolRegistry;
  /**
   * Resolves to the result of the call. An error in a tool does not make it reject. Read-only calls run in parallel, and a call
   * that may change something runs alone. A question about a call does not make other calls wait.
   */
  run(call: DeskCall): Promise<ToolResult>;
}

export function createCallDesk(options: CallDeskOptions): CallDesk {
  const { clock = systemClock, sessionId = freshId() } = options;
  const mask = safeMask(options.mask);
  const meter = createCallMeter(options.limits ?? defaultRateLimits, clock);
  const runLock = options.runLock ?? createRunLock();
  const tell = safely(options.notice);
  const warn = (message: string) => tell({ type: "notice", level: "warning", code: "policies", message });
  const grants = createGrants(options.policyStore, clock, options.registry.riskOfProgram, warn);
  const recorder = createCallRecorder({
    audit: options.audit,
    clock,
    sessionId,
    mask,
    onFailure: (reason) => tell(auditFailed(reason)),
  });
  let loading: Promise<void> | undefined;
  let turn = "";
  const startTurn = (turnId: string) => {
    if (turnId !== turn) meter.startTurn();
    turn = turnId;
  };

  return {
    sessionId,
    registry: options.registry,
    async run(call) {
      loading ??= grants.load().then((warnings) => warnings.forEach(warn));
      await loading;
      const { turnId, signal = new AbortController().signal } = call;
      const id = call.id ?? `call_${freshId().slice(-11)}`;
      startTurn(turnId ?? id);
      const mark = turnId === undefined ? undefined : { sessionId, turnId };
      const emit = safely(call.emit);
      const outcome = await runBatch(
        [{ id, name: call.name, arguments: call.arguments }],
        { iteration: 1, iterationLimit: 2 },
        {
          registry: call.registry ?? options.registry,
          grants,
          clock,
          sessionId,
          mask,
          meter,
          recorder,
          runLock,
          trusted: options.trusted ?? true,
          ...defined({ sandbox: options.sandbox, freedoms: options.freedoms, turn: mark }),
          workspace: options.workspace,
          interactive: call.answer !== undefined,
          hooks: createHookDesk({
            hooks: options.hooks,
            turn: mark ?? { sessionId, turnId: "" },
            recorder,
            mask,
            emit,
          }),
          earlierCalls: { current: noCallsYet },
          mode: () => options.mode?.() ?? "default",
          emit,
          deliver: () => undefined,
          answer: call.answer ?? (() => Promise.resolve("deny" as const)),
        },
        signal,
      );
      await recorder.handedOver();
      const [only] = outcome.results;
      if (only === undefined) throw new Error("a batch of one call ended without its result");
      return only.result;
    },
  };
}

/** Returns a function that calls the listener and ignores its errors. */
function safely<T extends EventBody>(listener: ((event: T) => void) | undefined): (event: T) => void {
  return (event) => {
    try {
      listener?.(event);
    } catch {
      // An error in a listener must not end the call.
    }
  };
}
