/** One call without a model: through validation, policy, permission and executor, to its result. */
import type {
  EventBody,
  JsonObject,
  PermissionAnswer,
  PermissionMode,
  ToolResult,
} from "@localharness/protocol";
import type { AuditLog } from "./audit.ts";
import type { PersonsAnswer } from "./calls/ask-permission.ts";
import { createHookDesk } from "./calls/consult-hooks.ts";
import { safeMask } from "./calls/mask-text.ts";
import { createCallMeter, defaultRateLimits } from "./calls/rate-limits.ts";
import { auditFailed, createCallRecorder } from "./calls/record-calls.ts";
import { runBatch } from "./calls/run-batch.ts";
import { type Clock, systemClock } from "./clock.ts";
import { freshId } from "./fresh-id.ts";
import { emptyRepeatMemory } from "./guards/repeats.ts";
import type { Hooks } from "./hooks.ts";
import { createGrants } from "./policy/grants.ts";
import type { PolicyStore } from "./policy/rule.ts";
import type { ToolRegistry } from "./registry.ts";

export interface ToolCallOptions {
  readonly registry: ToolRegistry;
  readonly name: string;
  /** JSON text or an object, as a model would send it. */
  readonly arguments: string | JsonObject;
  readonly workspace: string;
  readonly mode?: PermissionMode;
  readonly policyStore?: PolicyStore;
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
  /** Absent when nobody can be asked: an `ask` is then a deny. */
  readonly answer?: (requestId: string, signal: AbortSignal) => Promise<PermissionAnswer | PersonsAnswer>;
  readonly emit?: (event: EventBody) => void;
  /** Of the session that the call belongs to; made up when absent. */
  readonly sessionId?: string;
  readonly audit?: AuditLog;
  readonly mask?: (text: string) => string;
  readonly sandbox?: string;
  /** False for a folder that nobody has said to trust. True by default. */
  readonly trusted?: boolean;
  readonly hooks?: Hooks;
}

export async function runToolCall(options: ToolCallOptions): Promise<ToolResult> {
  const clock = options.clock ?? systemClock;
  const sessionId = options.sessionId ?? freshId();
  const mask = safeMask(options.mask);
  const grants = createGrants(options.policyStore, clock, options.registry.riskOfProgram);
  const emit = (event: EventBody) => {
    try {
      options.emit?.(event);
    } catch {
      // What listens must not end what it listens to.
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
    { callsPerIteration: 1, iteration: 1, iterationLimit: 2 },
    {
      registry: options.registry,
      grants,
      clock,
      sessionId,
      mask,
      meter: createCallMeter(defaultRateLimits, clock),
      recorder,
      trusted: options.trusted ?? true,
      ...(options.sandbox === undefined ? {} : { sandbox: options.sandbox }),
      workspace: options.workspace,
      interactive: options.answer !== undefined,
      hooks: createHookDesk({ hooks: options.hooks, turn: { sessionId, turnId: "" }, recorder, mask, emit }),
      repeats: { current: emptyRepeatMemory },
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
