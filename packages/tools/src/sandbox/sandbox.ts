/** The sandbox around shell commands: what it promises, and how a command is put into it. */
import type { ShellArguments } from "../shell/shell-program.ts";

/** `auto`: used where it works, said where not. `require`: no command runs without it. */
export type SandboxMode = "auto" | "require" | "off";

export interface SandboxRules {
  /** Real path of the workspace: the one place, besides temporary files, that commands may write to. */
  readonly workspace: string;
  /** Further folders that commands may write to. */
  readonly writable: readonly string[];
  /** Hosts that commands may reach, `example.com` or `*.example.com`; none by default. */
  readonly domains: readonly string[];
  /** Files and folders that commands cannot read, beside the usual places of secrets. */
  readonly unreadable: readonly string[];
}

export type SandboxState =
  /** Commands run in it. */
  | { readonly kind: "on"; readonly summary: string }
  /** It was not wanted. */
  | { readonly kind: "off" }
  /** It was wanted and cannot be had; `problem` says why and what to do. */
  | { readonly kind: "absent"; readonly problem: string };

export interface Sandbox {
  /** What is in force. Looked at once; cheap, and nothing is loaded for it. */
  readonly state: SandboxState;
  /** What a command may do, in words for the person. */
  describe(): string;
  /**
   * The program to start in place of `shell`. Rejects with an error that says why when the sandbox cannot be set up:
   * then nothing must run.
   */
  wrap(shell: ShellArguments, signal: AbortSignal): Promise<SandboxedCommand>;
  close(): Promise<void>;
}

export interface SandboxedCommand extends ShellArguments {
  /** Set on top of the scrubbed environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Git settings that hold for this command, to be added to its environment. */
  readonly gitSettings: Readonly<Record<string, string>>;
  /** To be called when the command has ended. */
  done(): void;
}
