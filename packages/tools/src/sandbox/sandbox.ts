/** Declares the sandbox for shell commands: its rules, its state, and how a command is wrapped. */
import type { ShellArguments } from "../shell/shell-program.ts";

/** `auto`: used if available; the person is told if not. `require`: no command runs without it. */
export type SandboxMode = "auto" | "require" | "off";

export interface SandboxRules {
  /** Real path of the workspace; commands may write only there and to temporary files. */
  readonly workspace: string;
  /** Further folders that commands may write to. */
  readonly writable: readonly string[];
  /** Hosts that commands may reach, `example.com` or `*.example.com`; none by default. */
  readonly domains: readonly string[];
  /** Files and folders that commands cannot read, in addition to the usual places of secrets. */
  readonly unreadable: readonly string[];
}

export type SandboxState =
  /** Commands run in the sandbox. */
  | { readonly kind: "on"; readonly summary: string }
  /** Disabled by the person. */
  | { readonly kind: "off" }
  /** Wanted but not available; `problem` says why and what to do. */
  | { readonly kind: "absent"; readonly problem: string };

export interface Sandbox {
  /** Determined once, without loading the runtime. */
  readonly state: SandboxState;
  /** Returns a sentence for the person about what a command may do. */
  describe(): string;
  /**
   * Returns the program to start instead of `shell`. Rejects if the sandbox cannot be set up; the caller must then not
   * run the command.
   */
  wrap(shell: ShellArguments, signal: AbortSignal): Promise<SandboxedCommand>;
  close(): Promise<void>;
}

export interface SandboxedCommand extends ShellArguments {
  /** Variables to add to the filtered environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Git settings for this command, to be added to its environment. */
  readonly gitSettings: Readonly<Record<string, string>>;
  /** Must be called when the command has ended. */
  done(): void;
}
