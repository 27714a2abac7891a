/** What can be measured: how it is started for one prompt, on which wires. */
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
  /** Name in tables; on more than one wire it says which. */
  readonly name: string;
  readonly kind: "ours" | "floor" | "peer";
  readonly wire: Wire;
  /** Whether its tools want absolute paths. */
  readonly absolutePaths: boolean;
  /** Puts the program's configuration into its home, once. */
  prepare?(home: string, serverUrl: string): void;
  /** One prompt, answered without questions, all calls allowed. */
  prompt(job: PromptJob): Command;
}

/** A program that only says something about itself. */
export interface SelfDescription {
  readonly name: string;
  readonly version: Command;
  readonly help: Command | undefined;
}
