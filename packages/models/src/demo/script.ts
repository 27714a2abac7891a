/**
 * Declares the demo's scripts. A script is a list of stages. Each stage sees the results so far and may ask for calls.
 */
import type { JsonObject } from "@localharness/protocol";

/** The kinds of tools that the demo's rules know. `offered-tools.ts` finds the offered tool for each kind. */
export type ToolKind =
  | "list"
  | "tree"
  | "read"
  | "search"
  | "write"
  | "edit"
  | "mkdir"
  | "remove"
  | "run"
  | "time"
  | "folder"
  | "add-task"
  | "list-tasks"
  | "update-task"
  | "git-status"
  | "git-diff"
  | "git-log"
  | "git-branch"
  | "git-commit";

export interface Want {
  readonly kind: ToolKind;
  readonly arguments: JsonObject;
}

export interface SeenResult {
  readonly kind: ToolKind | undefined;
  readonly name: string;
  readonly arguments: JsonObject;
  readonly success: boolean;
  /** The tool's output, or the reason why the tool failed. */
  readonly text: string;
  readonly errorType: string;
}

/** The part of the request that a stage can see. */
export interface Seen {
  readonly results: readonly SeenResult[];
  offers(kind: ToolKind): boolean;
}

export interface Stage {
  readonly say: string;
  /** Returns the calls of this stage. If the list is empty, the stage is skipped. */
  readonly wants: (seen: Seen) => readonly Want[];
}

export interface Script {
  readonly stages: readonly Stage[];
  /** The first words of the answer, before the first stage. */
  readonly opening?: string;
  /** Returns the closing words of the last answer. */
  readonly closing?: (seen: Seen) => string;
}

/** Returns the successful results of one kind. */
export function succeeded(seen: Seen, kind: ToolKind): SeenResult[] {
  return seen.results.filter((result) => result.kind === kind && result.success);
}
