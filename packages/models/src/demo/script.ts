/** What the demo's rules are made of: a script is a list of stages, each looks at what is known and may want calls. */
import type { JsonObject } from "@localharness/protocol";

/** The kinds of tools that the rules know; which tool on offer that is, `offered-tools.ts` finds. */
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
  /** What the tool gave, or why it failed. */
  readonly text: string;
  readonly errorType: string;
}

/** All that a stage can know: it comes from the request alone. */
export interface Seen {
  readonly results: readonly SeenResult[];
  offers(kind: ToolKind): boolean;
}

export interface Stage {
  readonly say: string;
  /** An empty list passes the stage over. */
  readonly wants: (seen: Seen) => readonly Want[];
}

export interface Script {
  readonly stages: readonly Stage[];
  /** What the person asked for and the rules do not cover. */
  readonly opening?: string;
  /** The end of the last answer, where the script has one of its own. */
  readonly closing?: (seen: Seen) => string;
}

/** The results of one kind that succeeded. */
export function succeeded(seen: Seen, kind: ToolKind): SeenResult[] {
  return seen.results.filter((result) => result.kind === kind && result.success);
}
