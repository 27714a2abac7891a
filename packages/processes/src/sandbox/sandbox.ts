/** Declares the sandbox for shell commands: its rules, its state, and the function that wraps a command. */
import type { ClosedPlaces } from "@localharness/engine";
import type { ShellArguments } from "../children/shell-program.ts";
import type { CallGrant, CallGrants } from "./call-grants.ts";

/**
 * With `auto` the sandbox is used if it is available; otherwise the person gets a message. With `require` no command runs
 * without the sandbox.
 */
export type SandboxMode = "auto" | "require" | "off";

export interface SandboxRules {
  /** The real path of the workspace. Commands may write only there and to temporary files. */
  readonly workspace: string;
  /** The real paths of the folders that the person added, which may change: in those that are not writable nothing may be changed. */
  readonly added?: readonly { readonly root: string; readonly writable: boolean }[];
  /** More folders to which commands may write. */
  readonly writable: readonly string[];
  /** Places that commands may read, although they are in the hidden home folder or usually hold secrets. */
  readonly readable?: readonly string[];
  /**
   * The hosts that commands may reach, such as `example.com` or `*.example.com`, and servers of this machine with their port, such as
   * `localhost:4873`; none by default.
   */
  readonly domains: readonly string[];
  /** The files and folders that commands cannot read, in addition to the usual places of secrets. */
  readonly unreadable: readonly string[];
}

export type SandboxState =
  /** Commands run in the sandbox. */
  | { readonly kind: "on"; readonly summary: string }
  /** The person disabled the sandbox. */
  | { readonly kind: "off" }
  /** The sandbox is wanted but not available. `problem` is the reason and the remedy. */
  | { readonly kind: "absent"; readonly problem: string };

/** What commands see of the home folders of the user. */
export interface HomeView {
  /** The real paths of the hidden folders. */
  readonly homes: readonly string[];
  /** What is shown of them, read-only. */
  readonly shown: readonly { readonly path: string; readonly why: string }[];
}

export interface WrapOptions {
  /** True if rules have judged all that the command shows of the repository's history. */
  readonly isJudged?: boolean;
  /** What the person granted to this command. */
  readonly grant?: CallGrant;
}

export interface Sandbox {
  /** The state, which is determined once, without loading the runtime. */
  readonly state: SandboxState;
  /** The hosts that commands may reach. */
  readonly domains: readonly string[];
  /** False if no command may run outside of the sandbox. */
  readonly mayLeave: boolean;
  /** What the person granted to commands in this session. */
  readonly grants: CallGrants;
  /** Returns a sentence for the person about the limits of commands. */
  describe(): string;
  /** Returns the reason why a command may write protected names in subfolders; undefined if all of them are closed. */
  incomplete(): string | undefined;
  /** Resolves to what commands see of the home folder, which is hidden otherwise; undefined if it is not hidden. */
  home(): Promise<HomeView | undefined>;
  /**
   * Resolves to the program to start instead of `shell`, for which `places` are closed. Call it only in the
   * state `on`. Rejects if the sandbox cannot be set up; the caller must then not run the command.
   */
  wrap(
    shell: ShellArguments,
    signal: AbortSignal,
    places?: ClosedPlaces,
    more?: WrapOptions,
  ): Promise<SandboxedCommand>;
  close(): Promise<void>;
}

export interface SandboxedCommand extends ShellArguments {
  /** The variables to add to the filtered environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** The git settings for this command, which are added to its environment. */
  readonly gitSettings: Readonly<Record<string, string>>;
  /** The names that the command cannot write, relative to the workspace. */
  readonly closed: readonly string[];
  /** The names that the command cannot read or write because of a rule, relative to the workspace. */
  readonly byRules: readonly string[];
  /** The closed names that do not exist and have only a placeholder while the command runs. */
  readonly held: readonly string[];
  /** The home folders that are hidden from the command, and what is shown of them. */
  readonly home: HomeView | undefined;
  /** Releases the resources of the command. Call it when the command has ended. */
  done(): void;
}
