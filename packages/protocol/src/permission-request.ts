/** What a person is asked about a call of a tool, and the answers that are possible. */
import type { JsonObject } from "./json.ts";
import type { PermissionGrade, WiderScope } from "./permission-scope.ts";

export type Risk = "safe" | "low" | "medium" | "high";
export type PermissionAnswer = "once" | "session" | "remember" | "deny";
export const permissionModes = ["default", "plan", "accept-edits", "auto", "bypass"] as const;
export type PermissionMode = (typeof permissionModes)[number];
/** A reason to ask about a call even when a rule allows it. `reason` is text for the person. */
export interface PermissionConcern {
  readonly id: string;
  readonly reason: string;
}

export interface PermissionRequest {
  /** The random id of this question. An answer with another id has no effect. */
  readonly requestId: string;
  readonly callId: string;
  readonly toolName: string;
  /** `native`, or the text format in which the call was written. Absent when no model made the call. */
  readonly format?: string;
  /** The agent that made the call; absent when the session's own model made it. */
  readonly agent?: string;
  /** The exact arguments that run when the call is allowed. */
  readonly arguments: JsonObject;
  /** SHA-256 in hex of `arguments` as canonical JSON, with sorted keys and without spaces. */
  readonly argumentsHash: string;
  readonly risk: Risk;
  /** Absent in the requests of older programs. */
  readonly grade?: PermissionGrade;
  /** The rule that asks; `reason` says why. */
  readonly rule: string;
  readonly reason: string;
  /** The scope of a `session` or `remember` answer, in words. */
  readonly covers: string;
  /** The scope of a `session` or `remember` answer with `wider`; absent if there is none. */
  readonly wider?: WiderScope;
  /** The answers to offer. An answer is left out if it would allow the same as another; absent when all four differ. */
  readonly answers?: readonly PermissionAnswer[];
  /** The offers of the tool, the most likely one first; absent if there are none. */
  readonly offers?: readonly PermissionOffer[];
  /** The reasons to ask even if a rule allows the call; empty if only a rule, the mode or the risk asks. */
  readonly concerns: readonly PermissionConcern[];
  /** The paths that the call touches, links resolved, `/` as the separator; absent when they are not known. */
  readonly paths?: readonly { readonly path: string; readonly access: "read" | "write" }[];
  /** Says which sandbox confines the session's commands, or that none does; absent if the session was not told. */
  readonly sandbox?: string;
  /**
   * The number of other calls of the same answer with neither a result nor a permission yet, without duplicates; absent if
   * there are none.
   */
  readonly waiting?: number;
  /** The change that the call would make, as a unified diff; absent if it is unknown. */
  readonly preview?: string;
  /** True if secrets are masked in the preview, so that only the arguments show all of what they change. */
  readonly previewMasked?: true;
  /**
   * Present if the call presents a plan. Only an answer that allows the call and names a mode of `plan.modes` approves the plan.
   */
  readonly plan?: PlanQuestion;
}

/**
 * A further way to allow the call once, which its tool offers, such as with the network. The choices of a question with offers are the
 * offers and the denial; a plain `once` allows the call without what they add.
 */
export interface PermissionOffer {
  readonly id: string;
  /** The words of the choice, such as `Once, with the network`. */
  readonly words: string;
  /** The same in one word, for a narrow screen, such as `Network`. */
  readonly short: string;
  /** What the call may do with this choice, on one line. */
  readonly detail: string;
  /** True if the choice frees the call from a protection, so that the detail is a warning. */
  readonly warns?: boolean;
}

export interface PlanQuestion {
  /** The modes in which the session can continue, the strictest first. */
  readonly modes: readonly PermissionMode[];
}
