/** Declares the facts about a call that its tool finds before the call runs: paths, program calls, and reasons to ask. */
import type {
  PermissionGrade,
  PermissionMode,
  PermissionOffer,
  PlanQuestion,
  Risk,
  WiderScope,
} from "@localharness/protocol";

/** The facts about a call. An absent fact is unknown, and no rule allows a call because of an unknown fact. */
export interface CallFacts {
  /** The risk of this call, which replaces the tool's risk. */
  readonly risk?: Risk;
  /** True for a command that is known to change nothing. Replaces the tool's `readOnly` in the policy. */
  readonly readOnly?: boolean;
  /** True if the call only reads ordinary files of the workspace and no secrets. */
  readonly looks?: boolean;
  /** What becomes of the effect; if absent, it is `reads` for a call that only reads, else `lasting`. */
  readonly grade?: PermissionGrade;
  /** The effect of the call, for the person, beginning with a verb: `runs the script test of package.json`. */
  readonly effect?: string;
  /** The files and folders that the call names, as they are on the disk. */
  readonly paths?: readonly TouchedPath[];
  readonly command?: CommandFacts;
  /** Reasons to ask or deny, even if a rule allows the call, such as a protected name. */
  readonly concerns?: readonly Concern[];
  /** The scope of a `session` or `remember` answer, as a text that is equal for equal scopes. Replaces `grantScope`. */
  readonly scope?: string;
  /** The scope in words for the person, if `scope` is hard to read. */
  readonly covers?: string;
  /**
   * The scope of all calls of one kind, by any tool, such as every edit of a text file. It replaces `scope` for an answer that
   * covers more than one call. `covers` says it in words for the person.
   */
  readonly kind?: { readonly scope: string; readonly covers: string };
  /**
   * A scope that also covers other calls of the same beginning, such as any `npm test ...`. It is offered beside `scope`, and holds
   * only if the person chooses it.
   */
  readonly wider?: WiderScope & { readonly scope: string };
  /** False if an answer must cover only this one call. */
  readonly rememberable?: boolean;
  /**
   * A fingerprint of the examined state, such as the size and time of a file. If it changes while the person is asked, the
   * question is out of date, and the person is asked again.
   */
  readonly seen?: string;
  /** The number of bytes that the call would write into the workspace. */
  readonly writesBytes?: number;
  /** Further ways to allow the call once, for the question. `ToolContext.offer` has the id of the one that the person took. */
  readonly offers?: readonly PermissionOffer[];
  /** The plan that the call presents, which the person's answer approves or refuses; absent for other calls. */
  readonly plan?: PlanQuestion;
}

export interface TouchedPath {
  /**
   * The path relative to the workspace, with `/` as separator and links resolved as far as it exists; `.` is the root. It is absolute
   * outside of the workspace.
   */
  readonly path: string;
  readonly access: "read" | "write";
  /** True if everything below the path is touched too, as when a folder is removed or moved. */
  readonly below?: boolean;
  /** The folder that the person added to the workspace and that certainly has the path; absent for any other path. */
  readonly added?: {
    /** The real path of the folder. */
    readonly root: string;
    readonly trusted: boolean;
  };
}

export interface CommandFacts {
  readonly text: string;
  /** The words of each program call, unquoted and in order; absent if the command could not be read with certainty. */
  readonly calls?: readonly (readonly string[])[];
  /** The calls that a wrapper such as `sudo` or `env` starts. Only rules that deny or ask apply to them. */
  readonly hidden?: readonly (readonly string[])[];
  /** The reason why the command could not be read with certainty; absent if it could. */
  readonly unclear?: string;
  /**
   * The facts of an unclear command that are complete all the same, for the rules that deny or ask. `calls`: it is unclear
   * only because of patterns in arguments, and redirections; `calls and paths`: only because of redirections of named files.
   */
  readonly known?: "calls" | "calls and paths";
  /**
   * The program calls of a command that is unclear only because of patterns, with the names of files in place of the
   * patterns.
   */
  readonly callsByPatterns?: readonly (readonly string[])[];
  /** Says what the command removes or overwrites, such as `it changes "src", which exists`. The mode `auto` uses this. */
  readonly destroys?: string;
  /** The places of all that the command is known to remove or overwrite, if undo has a copy of everything there. */
  readonly kept?: readonly Pick<TouchedPath, "path" | "below">[];
  /** The reason why the command cannot stay in the sandbox, such as `it pushes to origin`. The mode `auto` uses this. */
  readonly leaves?: string;
  /**
   * The reason why the command may touch files that it does not name, such as git printing all files. The rules that deny
   * or ask use this.
   */
  readonly touchesMore?: string;
}

export interface Concern {
  /** A short name that is shown with the decision: `protected:.git/config`. */
  readonly id: string;
  readonly decision: "ask" | "deny";
  readonly reason: string;
  /** The mode in which the concern has no effect. */
  readonly exceptIn?: PermissionMode;
}
