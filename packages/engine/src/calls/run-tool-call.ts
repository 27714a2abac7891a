/** Runs one call without a model, with the same validation, policy, permission and execution as in a session. */
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
import { createCallMeter, defaultRateLimits } from "./rate-limits.ts";
import { auditFailed, createCallRecorder } from "./record-calls.ts";
import { runBatch } from "./run-batch.ts";

export interface ToolCallOptions {
  readonly registry: ToolRegistry;
  readonly name: string;
  /** The arguments as JSON text or an object, as models send them. */
  readonly arguments: string | JsonObject;
  readonly workspace: string;
  readonly mode?: PermissionMode;
  readonly policyStore?: PolicyStore;
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
  /** Resolves to the person's answer. Absent if nobody can be asked; the decision `ask` then counts as a denial. */
  readonly answer?: (requestId: string, signal: AbortSignal) => Promise<PermissionAnswer | PersonsAnswer>;
  readonly emit?: (event: EventBody) => void;
  /** The session of the call; a new id by default. */
  readonly sessionId?: string;
  readonly audit?: AuditLog;
  readonly mask?: (text: string) => string;
  readonly sandbox?: string;
  /** False if the person has not trusted the folder; true by default. */
  readonly trusted?: boolean;
  readonly freedoms?: Freedoms;
  readonly hooks?: Hooks;
}

/** Resolves to the result of the call. */
export async function runToolCall(options: ToolCallOptions): Promise<ToolResult> {
  const clock = options.clock ?? systemClock;
  const sessionId = options.sessionId ?? freshId();
  const mask = safeMask(options.mask);
  const grants = createGrants(options.policyStore, clock, options.registry.riskOfProgram);
  const emit = (event: EventBody) => {
    try {
      options.emit?.(event);
    } catch {
      // An error in a listener must not end the call.
    }
  };
  for (const message of await grants.load())
    emit({ type: "notice", level: "warning", code: "policies", message });
  const recorder = createCallRecorder({
    audit: options.audit,
    clock,
    sessionId,
    mask,
    onFailure: (reason) => emit(auditFailed(reason)),
  });
  const call = { id: "call_1", name: options.name, arguments: options.arguments };
  const outcome = await runBatch(
    [call],
    { iteration: 1, iterationLimit: 2 },
    {
      registry: options.registry,
      grants,
      clock,
      sessionId,
      mask,
      meter: createCallMeter(defaultRateLimits, clock),
      recorder,
      trusted: options.trusted ?? true,
      ...defined({ sandbox: options.sandbox, freedoms: options.freedoms }),
      workspace: options.workspace,
      interactive: options.answer !== undefined,
      hooks: createHookDesk({ hooks: options.hooks, turn: { sessionId, turnId: "" }, recorder, mask, emit }),
      earlierCalls: { current: noCallsYet },
      mode: () => options.mode ?? "default",
      emit,
      deliver: () => undefined,
      answer: options.answer ?? (() => Promise.resolve("deny" as const)),
    },
    options.signal ?? new AbortController().signal,
  );
  await recorder.handedOver();
  const [only] = outcome.results;
  if (only === undefined) throw new Error("a batch of one call ended without its result");
  return only.result;
}
