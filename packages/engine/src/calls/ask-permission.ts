/** Puts a call to the person, with what it would change, and waits for the answer. */
import type { PermissionAnswer, PermissionRequest } from "@localharness/protocol";
import { coverage, type Grants } from "../policy/grants.ts";
import type { ReadyCall } from "./prepare-call.ts";

export interface Asker {
  /** False when there is nobody to ask: an ask is then a deny. */
  readonly interactive: boolean;
  readonly grants: Grants;
  emit(
    event:
      | { type: "permission-request"; request: PermissionRequest }
      | { type: "permission-answer"; requestId: string; answer: PermissionAnswer; by: "person" | "nobody" }
      | { type: "notice"; level: "warning"; code: string; message: string },
  ): void;
  /** Resolves with the person's answer; with `deny` when the signal aborts first. */
  answer(requestId: string, signal: AbortSignal): Promise<PermissionAnswer>;
}

export type Permission =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly by: "person" | "nobody" | "interrupt"; readonly reason: string };

export async function askPermission(call: ReadyCall, asker: Asker, signal: AbortSignal): Promise<Permission> {
  const decision = asker.grants.decide(call.question);
  // An answer given meanwhile may cover this call as well.
  if (decision.decision === "allow") return { allowed: true };
  const preview = await previewOf(call, signal);
  if (signal.aborted) return { allowed: false, by: "interrupt", reason: decision.reason };
  const requestId = `permission-${call.id}`;
  const request: PermissionRequest = {
    requestId,
    callId: call.id,
    toolName: call.tool.name,
    arguments: call.arguments,
    risk: call.question.risk,
    rule: decision.rule,
    reason: decision.reason,
    covers: coverage(call.question),
    ...(preview === undefined ? {} : { preview }),
  };
  const answered = asker.interactive ? asker.answer(requestId, signal) : Promise.resolve("deny" as const);
  asker.emit({ type: "permission-request", request });
  const answer = await answered;
  const by = asker.interactive ? "person" : "nobody";
  asker.emit({ type: "permission-answer", requestId, answer, by });
  if (signal.aborted) return { allowed: false, by: "interrupt", reason: decision.reason };
  if (answer === "deny") return { allowed: false, by, reason: decision.reason };
  const warning = await asker.grants.record(call.question, answer);
  if (warning !== undefined)
    asker.emit({ type: "notice", level: "warning", code: "not-remembered", message: warning });
  return { allowed: true };
}

const previewMs = 3_000;

async function previewOf(call: ReadyCall, signal: AbortSignal): Promise<string | undefined> {
  if (call.tool.preview === undefined) return undefined;
  const limited = AbortSignal.any([signal, AbortSignal.timeout(previewMs)]);
  try {
    return await call.tool.preview(call.arguments, limited);
  } catch {
    // A preview is a courtesy: without one the arguments are shown, and the tool itself will say what is wrong.
    return undefined;
  }
}
