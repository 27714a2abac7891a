/** Declares the sandbox for shell commands: its rules, its state, and the function that wraps a command. */
import type { ClosedPlaces } from "@localharness/engine";
import type { ShellArguments } from "../processes/shell-program.ts";

/**
 * With `auto` the sandbox is used if it is available; otherwise the person gets a message. With `require` no command runs
 * without the sandbox.
 */
export type SandboxMode = "auto" | "require" | "off";

export interface SandboxRules {
  /** The real path of the workspace. Commands may write only there and to temporary files. */
  readonly workspace: string;
  /** More folders to which commands may write. */
  readonly writable: readonly string[];
  /** The hosts that commands may reach, such as `example.com` or `*.example.com`; none by default. */
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

export interface Sandbox {
  /** The state, which is determined once, without loading the runtime. */
  readonly state: SandboxState;
  /** The hosts that commands may reach. */
  readonly domains: readonly string[];
  /** Returns a sentence for the person about the limits of commands. */
  describe(): string;
  /**
   * Resolves to the program to start instead of `shell`, for which `places` are closed. Call it only in the state `on`.
   * Rejects if the sandbox cannot be set up; the caller must then not run the command.
   */
  wrap(shell: ShellArguments, signal: AbortSignal, places?: ClosedPlaces): Promise<SandboxedCommand>;
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
  /** Releases the resources of the command. Call it when the command has ended. */
  done(): void;
}
