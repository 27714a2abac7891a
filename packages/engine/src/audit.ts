/** The audit log: what is recorded about the calls of a session. The engine owns the interface, `store` keeps the file. */
import type { JsonValue, PermissionAnswer, Risk, ToolErrorType } from "@localharness/protocol";
import type { HookEvent, HookRun } from "./hooks.ts";
import type { TouchedPath } from "./policy/facts.ts";

/** A log to which entries are only added. It keeps them in the order of the calls of `append`. */
export interface AuditLog {
  /** Resolves once the entry is kept. Rejects when it could not be kept: the call then runs only if it is read-only. */
  append(entry: AuditEntry): Promise<void>;
  /** Returns the SHA-256 of a text in hex. Without this method the hash comes from WebCrypto, which takes a thread for it. */
  sha256?(text: string): string;
}

export type AuditEntry = AuditCall | AuditAnswer | AuditResult | AuditHook;

interface AuditedCall {
  /** Unix milliseconds. */
  readonly time: number;
  readonly session: string;
  /** The id of the tool call; empty for an entry that belongs to no call. */
  readonly call: string;
}

/** Written before a call runs. The decision is `skip` for an invalid call and for a duplicate: the policy was not asked. */
export interface AuditCall extends AuditedCall {
  readonly type: "call";
  readonly tool: string;
  /** The agent that made the call; absent for the session's own model. */
  readonly agent?: string;
  /** With known secrets masked, and long texts cut. */
  readonly arguments: JsonValue;
  /** SHA-256, in hex, of the whole arguments as JSON with sorted keys. */
  readonly argumentsHash: string;
  readonly paths?: readonly TouchedPath[];
  readonly risk?: Risk;
  readonly decision: "allow" | "ask" | "deny" | "skip";
  readonly rule: string;
  readonly concerns?: readonly string[];
}

/** Written after the person has answered, before the call runs. */
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
  /** Of the data that the model reads; null for a result without data. */
  readonly sha256: string | null;
  readonly bytes: number;
  readonly ms: number;
}

/** Written after a hook has run. */
export interface AuditHook extends AuditedCall {
  readonly type: "hook";
  readonly event: HookEvent;
  readonly hook: string;
  readonly outcome: HookRun["outcome"];
  readonly ms: number;
}
