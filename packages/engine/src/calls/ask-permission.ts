/** Puts a call to the person, with what it would change, and waits for the answer. */
import type { PermissionAnswer, PermissionMode, PermissionRequest } from "@localharness/protocol";
import { argumentsHash } from "../arguments/hash.ts";
import { coverage, type Grants } from "../policy/grants.ts";
import type { Decision } from "../policy/rule.ts";
import type { ReadyCall } from "./prepare-call.ts";
import { within } from "./within.ts";

export interface Asker {
  /** False when there is nobody to ask: an ask is then a deny. */
  readonly interactive: boolean;
  readonly grants: Grants;
  mode(): PermissionMode;
  emit(
    event:
      | { type: "permission-request"; request: PermissionRequest }
      | { type: "permission-answer"; requestId: string; answer: PermissionAnswer; by: "person" | "nobody" },
  ): void;
  /** Resolves with the person's answer. Whatever else comes of it, also when it rejects, is a deny. */
  answer(requestId: string, signal: AbortSignal): Promise<PermissionAnswer>;
}

export type Permission =
  /** `answer` is the person's; absent when a rule came to allow it meanwhile. */
  | { readonly allowed: true; readonly answer?: PermissionAnswer }
  | {
      readonly allowed: false;
      readonly by: "person" | "nobody" | "rule" | "interrupt";
      readonly decision: Decision;
    };

/** Never rejects, and settles at once when the signal aborts. Each request is followed by exactly one answer. */
export async function askPermission(call: ReadyCall, asker: Asker, signal: AbortSignal): Promise<Permission> {
  const question = { ...call.question, mode: asker.mode() };
  const decision = asker.grants.decide(question);
  // An answer to another call, or a change of mode, may have settled this one meanwhile.
  if (decision.decision === "allow") return { allowed: true };
  if (decision.decision === "deny") return { allowed: false, by: "rule", decision };
  const preview = await within(
    previewMs,
    signal,
    async (stop) => await call.tool.preview?.(call.arguments, stop),
  );
  if (signal.aborted) return { allowed: false, by: "interrupt", decision };
  const requestId = `permission-${call.id}`;
  const request: PermissionRequest = {
    requestId,
    callId: call.id,
    toolName: call.tool.name,
    arguments: call.arguments,
    argumentsHash: await argumentsHash(call.arguments),
    risk: question.risk,
    rule: decision.rule,
    reason: decision.reason,
    covers: coverage(question),
    concerns: [],
    ...(preview === undefined ? {} : { preview }),
  };
  // Waiting begins before the request is told: whoever hears of it may answer on the spot.
  const answered = asker.interactive ? personsAnswer(requestId, asker, signal) : undefined;
  asker.emit({ type: "permission-request", request });
  const answer = await answered;
  const by = answer === undefined ? "nobody" : "person";
  asker.emit({ type: "permission-answer", requestId, answer: answer ?? "deny", by });
  if (signal.aborted) return { allowed: false, by: "interrupt", decision };
  if (answer === undefined || answer === "deny") return { allowed: false, by, decision };
  return { allowed: true, answer };
}

const previewMs = 3_000;

const answers: ReadonlySet<unknown> = new Set<PermissionAnswer>(["once", "session", "remember", "deny"]);

/** Undefined when no valid answer came: what asks has failed, or an interrupt came first. */
function personsAnswer(
  requestId: string,
  asker: Asker,
  signal: AbortSignal,
): Promise<PermissionAnswer | undefined> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
    const asked = async () => await asker.answer(requestId, signal);
    asked().then(
      (answer) => resolve(answers.has(answer) ? answer : undefined),
      () => resolve(undefined),
    );
  });
}
