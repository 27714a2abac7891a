/** Declares the audit log, which records the calls of a session. The package `store` writes it to a file. */
import type {
  JsonValue,
  PermissionAnswer,
  PermissionMode,
  Risk,
  ToolErrorType,
} from "@localharness/protocol";
import type { HookEvent, HookRun } from "./hooks.ts";
import type { TouchedPath } from "./policy/facts.ts";

/** An append-only log. It keeps the entries in the order in which `append` was called. */
export interface AuditLog {
  /** Resolves once the entry is saved. Rejects if it cannot be saved; then only a read-only call may run. */
  append(entry: AuditEntry): Promise<void>;
  /** Returns the SHA-256 of a text in hex. If this method is absent, the engine uses WebCrypto, which starts a thread. */
  sha256?(text: string): string;
}

export type AuditEntry = AuditCall | AuditAnswer | AuditResult | AuditHook;

interface AuditedCall {
  /** The time of the entry in Unix milliseconds. */
  readonly time: number;
  readonly session: string;
  /** The id of the tool call; empty for the hooks at the end of a turn. */
  readonly call: string;
}

/**
 * The entry about the decision on a call, written before the call runs and also if it does not run. The decision is `skip`
 * for a call that the policy never sees: an invalid call, or a call that repeats another call of the same batch.
 */
export interface AuditCall extends AuditedCall {
  readonly type: "call";
  readonly tool: string;
  /** The agent that made the call; absent for the session's own model. */
  readonly agent?: string;
  /** The arguments, with known secrets masked and long texts cut. */
  readonly arguments: JsonValue;
  /** SHA-256 in hex of the complete arguments as JSON with sorted keys. */
  readonly argumentsHash: string;
  readonly paths?: readonly TouchedPath[];
  readonly risk?: Risk;
  readonly decision: "allow" | "ask" | "deny" | "skip";
  readonly rule: string;
  readonly concerns?: readonly string[];
}

/**
 * The entry written when the person has answered, nobody could answer, or an interrupt came first: before the call runs, or before
 * a running call does what it asked about.
 */
export interface AuditAnswer extends AuditedCall {
  readonly type: "answer";
  readonly answer: PermissionAnswer;
  readonly by: "person" | "nobody" | "interrupt";
  readonly note?: string;
  /** True if the answer covers all calls of the same beginning. */
  readonly wider?: boolean;
  /** The mode in which the session continues; only in the approval of a plan. */
  readonly mode?: PermissionMode;
  /** The id of the tool's offer that the person took. */
  readonly offer?: string;
  /** What a running call asked about, with known secrets masked; absent for the answer about the call itself. */
  readonly about?: AuditSubject;
}

/** The subject of a question that a running call put to the person, such as a host that its command tries to reach. */
export interface AuditSubject {
  readonly tool: string;
  readonly arguments: JsonValue;
}

export interface AuditResult extends AuditedCall {
  readonly type: "result";
  readonly success: boolean;
  readonly error_type: ToolErrorType;
  /** SHA-256 of the data that the model reads; null for a result without data. */
  readonly sha256: string | null;
  readonly bytes: number;
  readonly ms: number;
}

/** The entry written after a hook has run. */
export interface AuditHook extends AuditedCall {
  readonly type: "hook";
  readonly event: HookEvent;
  readonly hook: string;
  readonly outcome: HookRun["outcome"];
  readonly ms: number;
}
