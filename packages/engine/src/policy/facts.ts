/** What a tool finds out about a call before it runs: what it would touch, what it would start, what speaks for asking. */
import type { PermissionMode, Risk } from "@localharness/protocol";

/** Everything is optional: what is absent is not known, and then nothing is allowed because of it. */
export interface CallFacts {
  /** Takes the place of the tool's own risk. */
  readonly risk?: Risk;
  /** Takes the place of the tool's `readOnly` for the policy: true for a command that is known to change nothing. */
  readonly readOnly?: boolean;
  /** Every file and folder that the call names, as found on the disk. */
  readonly paths?: readonly TouchedPath[];
  readonly command?: CommandFacts;
  /** What holds whatever was allowed: a protected name, a repository that configures programs. */
  readonly concerns?: readonly Concern[];
  /** What a `session` or `remember` answer covers, exactly, as a stable text. Takes the place of `grantScope`. */
  readonly scope?: string;
  /** The same in words for the person, where `scope` is not readable. */
  readonly covers?: string;
  /**
   * What a `session` answer, or one to a call of low risk, covers where that is more than `scope`: the same text for
   * every call of a harmless kind. A `remember` answer never covers more than `scope`.
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
  /** Programs found behind wrappers such as `sudo` or `env`: they count for deny and ask, never for allow. */
  readonly hidden?: readonly (readonly string[])[];
  /** Why the command could not be read with certainty. */
  readonly unclear?: string;
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
