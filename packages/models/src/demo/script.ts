/** Declares the demo's scripts: a script is a list of stages, and each stage may want calls, given the results so far. */
import type { JsonObject } from "@localharness/protocol";

/** The kinds of tools that the rules know; `offered-tools.ts` finds the offered tool for a kind. */
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
  /** The tool's output, or why it failed. */
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
  /** Returns the calls of this stage; an empty list skips it. */
  readonly wants: (seen: Seen) => readonly Want[];
}

export interface Script {
  readonly stages: readonly Stage[];
  /** The first words of the answer, before the first stage. */
  readonly opening?: string;
  /** Returns closing words for the last answer. */
  readonly closing?: (seen: Seen) => string;
}

/** Returns the successful results of one kind. */
export function succeeded(seen: Seen, kind: ToolKind): SeenResult[] {
  return seen.results.filter((result) => result.kind === kind && result.success);
}
