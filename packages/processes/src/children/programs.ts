/** Declares how child processes are run: what a run is asked for, and how it ends. */
import type { Writable } from "node:stream";
import type { StopClock } from "@localharness/engine";

export interface ProgramRequest {
  /** An absolute path, or a name that is searched outside of the folders to which commands may write. */
  readonly program: string;
  readonly args: readonly string[];
  /** The folder in which the program runs, as the workspace returned it. */
  readonly cwd: string;
  /** Variables to add to the filtered environment. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The text for standard input. Without it and `onInput`, standard input is empty. */
  readonly input?: string;
  /** Called with standard input, which then stays open until the program ends. Do not pass it together with `input`. */
  readonly onInput?: (input: Writable) => void;
  readonly timeoutMs: number;
  /** The clock of the time limit; by default one that never stands still. */
  readonly clock?: StopClock;
  readonly signal: AbortSignal;
  readonly onOutput: (chunk: Buffer) => void;
  /** Receives the error output; by default `onOutput` does. */
  readonly onErrorOutput?: (chunk: Buffer) => void;
  /** How far `PATH` and the variables from which programs load code reach: `outside` by default. */
  readonly reach?: ProgramReach;
  /** True for a program that starts no others, so that no search for survivors is needed. */
  readonly alone?: boolean;
}

/**
 * With `outside` they lead to nothing that commands may write. With `sandbox` only the variables of the system's loader do not,
 * because they also hold for the program that makes the sandbox. With `whole`, for what the person typed or was asked about, they
 * are as they are.
 */
export type ProgramReach = "outside" | "sandbox" | "whole";

export type ProgramEnd =
  | { readonly kind: "exited"; readonly code: number }
  /** `signal` names the signal; if a limit of the harness ended the program, also that limit. */
  | { readonly kind: "killed"; readonly signal: string; readonly atLimit?: true }
  | { readonly kind: "timeout" }
  | { readonly kind: "cancelled" }
  | { readonly kind: "not-started"; readonly code: string };

export interface ProgramResult {
  readonly end: ProgramEnd;
  readonly durationMs: number;
  /** Number of processes that were still running when the program ended by itself; they were ended too. */
  readonly leftRunning: number;
}

/** A program that gets the terminal of the person. */
export interface TerminalRequest {
  /** The absolute path of the program. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** See `ProgramRequest.reach`. */
  readonly reach?: "whole";
  /** Variables to add to the filtered environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export type TerminalEnd =
  | { readonly kind: "exited"; readonly code: number }
  | { readonly kind: "killed"; readonly signal: string }
  | { readonly kind: "not-started"; readonly code: string };

export interface OutsidePrograms {
  /**
   * Returns the absolute path of a program, which is a name or an absolute path; undefined if there is none outside. A name keeps
   * the place at which it was found first.
   */
  find(program: string): string | undefined;
  /** Returns true if the path is in one of the folders, or leads there or through there by links. */
  leadsIn(path: string): boolean;
  /** Returns the environment without what leads into the folders; for `sandbox` only in the variables of the system's loader. */
  environment(source: Readonly<Record<string, string>>, reach: "outside" | "sandbox"): Record<string, string>;
}

export interface Programs {
  /** Runs a program. Never rejects. Resolves when the program and everything that it started has ended. */
  run(request: ProgramRequest): Promise<ProgramResult>;
  /** Runs a program that gets the person's terminal. Never rejects. */
  runInTerminal(request: TerminalRequest): Promise<TerminalEnd>;
  /** Ends all running programs within 2 s. The results of `run` are then `cancelled`. */
  endAll(): Promise<void>;
  /** The programs outside of the folders to which commands may write. */
  readonly outside: OutsidePrograms;
  /** Returns the `PATH` of commands; empty if there is none. */
  searchPath(): string;
  /** Releases control groups and the watcher. Call it after `endAll`; repeated calls are harmless. */
  close(): void;
}
