/** What is put on record of a session's calls: asked for, decided, answered, done. The engine owns the interface. */
import type { JsonValue, PermissionAnswer, Risk, ToolErrorType } from "@localharness/protocol";
import type { HookEvent, HookRun } from "./hooks.ts";
import type { TouchedPath } from "./policy/facts.ts";

/** Append-only, in the order of the calls of `append`. */
export interface AuditLog {
  /** Resolves once the entry is safe, rejects when it could not be kept: then nothing that changes anything runs. */
  append(entry: AuditEntry): Promise<void>;
}

export type AuditEntry = AuditCall | AuditAnswer | AuditResult | AuditHook;

interface AuditedCall {
  /** Unix milliseconds. */
  readonly time: number;
  readonly session: string;
  /** Id of the tool call; empty for what belongs to none. */
  readonly call: string;
}

/** Written before a call runs. `skip` is for what never came to the policy: an invalid call, or a repeated one. */
export interface AuditCall extends AuditedCall {
  readonly type: "call";
  readonly tool: string;
  /** Who asked for it, when it was not the session's own model. */
  readonly agent?: string;
  /** Known secrets masked, long texts cut with their length. */
  readonly arguments: JsonValue;
  /** SHA-256 in hex of the canonical JSON of the whole arguments. */
  readonly argumentsHash: string;
  readonly paths?: readonly TouchedPath[];
  readonly risk?: Risk;
  readonly decision: "allow" | "ask" | "deny" | "skip";
  readonly rule: string;
  readonly concerns?: readonly string[];
}

/** Written after an answer came, before the call runs. */
export interface AuditAnswer extends AuditedCall {
  readonly type: "answer";
  readonly answer: PermissionAnswer;
  readonly by: "person" | "nobody";
  readonly note?: string;
}

export interface AuditResult extends AuditedCall {
  readonly type: "result";
  readonly success: boolean;
  readonly error_type: ToolErrorType;
  /** Of the data that the model reads; null when there is none. */
  readonly sha256: string | null;
  readonly bytes: number;
  readonly ms: number;
}

/** Written after a hook of the person's has run. */
export interface AuditHook extends AuditedCall {
  readonly type: "hook";
  readonly event: HookEvent;
  readonly hook: string;
  readonly outcome: HookRun["outcome"];
  readonly ms: number;
}
