/** The facts that a tool finds out about a call before it runs: what it would touch and start, and reasons to ask. */
import type { PermissionMode, PlanQuestion, Risk } from "@localharness/protocol";

/** An absent fact is not known, and no rule allows a call because of a fact that is not known. */
export interface CallFacts {
  /** Used instead of the tool's risk. */
  readonly risk?: Risk;
  /** Used by the policy instead of the tool's `readOnly`: true for a command that is known to change nothing. */
  readonly readOnly?: boolean;
  /** True for a call that only looks, and shows nothing but ordinary files of the workspace: no secret. */
  readonly looks?: boolean;
  /** Says for the person what the call can do, beginning with a verb: `runs the script test of package.json`. */
  readonly effect?: string;
  /** Every file and folder that the call names, as found on the disk. */
  readonly paths?: readonly TouchedPath[];
  readonly command?: CommandFacts;
  /** Reasons to ask or deny that hold whatever was allowed, such as a protected name. */
  readonly concerns?: readonly Concern[];
  /** The scope of a `session` or `remember` answer, as a text that stays the same. Used instead of `grantScope`. */
  readonly scope?: string;
  /** The scope in words for the person, where `scope` itself is hard to read. */
  readonly covers?: string;
  /**
   * A wider scope for a `session` answer, and for any answer to a call of low risk: the same for every call of a harmless
   * kind. A `remember` answer never has a wider scope than `scope`.
   */
  readonly sessionScope?: { readonly scope: string; readonly covers: string };
  /** False when an answer must hold for this one call only. */
  readonly rememberable?: boolean;
  /**
   * A mark of the state that was looked at, such as the size and time of a file. When it is another one after a
   * permission wait, what was shown is out of date and is asked again.
   */
  readonly seen?: string;
  /** Bytes that it would write into the workspace. */
  readonly writesBytes?: number;
  /** Present when the call presents a plan: the person's answer approves or refuses it. */
  readonly plan?: PlanQuestion;
}

export interface TouchedPath {
  /** Relative to the workspace, `/` between names, links followed as far as the path exists; `.` is the root. */
  readonly path: string;
  readonly access: "read" | "write";
  /** True when everything below it is touched as well, as when a folder is removed or moved. */
  readonly below?: boolean;
}

export interface CommandFacts {
  readonly text: string;
  /** The words of each program call, unquoted, in order; absent when the command could not be read with certainty. */
  readonly calls?: readonly (readonly string[])[];
  /** Programs that a wrapper such as `sudo` or `env` starts. Rules that deny or ask see them, rules that allow do not. */
  readonly hidden?: readonly (readonly string[])[];
  /** Why the command could not be read with certainty; absent when it could. */
  readonly unclear?: string;
  /** Why it needs more than the sandbox gives, such as `it pushes to origin`. For mode `auto`. */
  readonly leaves?: string;
  /** Why it may touch more files than it names, such as git that prints every file. For rules that deny or ask. */
  readonly touchesMore?: string;
}

export interface Concern {
  /** A short name that a decision shows: `protected:.git/config`. */
  readonly id: string;
  readonly decision: "ask" | "deny";
  readonly reason: string;
  /** The mode in which it does not count. */
  readonly exceptIn?: PermissionMode;
}
