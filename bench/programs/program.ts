/** The interface of a program that can be measured: its wire API, and how it is started for one prompt. */
import type { Command } from "../measure/run-program.ts";

export type Wire = "openai" | "ollama" | "responses" | "gemini";

export interface PromptJob {
  readonly prompt: string;
  /** `http://127.0.0.1:PORT`, without a path. */
  readonly serverUrl: string;
  readonly workspace: string;
  readonly home: string;
}

export interface Program {
  /** The name in tables, which includes the wire. */
  readonly name: string;
  readonly kind: "ours" | "floor" | "peer";
  readonly wire: Wire;
  /** True if the tools of the program need absolute paths. */
  readonly absolutePaths: boolean;
  /** Writes the program's configuration to its home folder. `contextWindow` is that of the model, in tokens. */
  prepare?(home: string, serverUrl: string, contextWindow?: number): void;
  /** Returns the command for one prompt, with all tool calls allowed. */
  prompt(job: PromptJob): Command;
}

/** The commands with which a program prints its version and its help. */
export interface SelfDescription {
  readonly name: string;
  readonly version: Command;
  readonly help: Command | undefined;
}
