/** Declares what a file tool says about the paths of a call before it runs. */
import type { CallFacts } from "@localharness/engine";

/** A path as the model wrote it, and how the call would use it. */
export interface PlannedTouch {
  readonly path: string;
  readonly access: "read" | "write";
  /** True if the call is about the entry itself, so that a link at the end is not followed. */
  readonly entry?: boolean;
  /** True if everything below the path is included. */
  readonly below?: boolean;
  /** True if only names are shown, not contents. */
  readonly namesOnly?: boolean;
}

/** Examines the calls of file tools in one workspace. */
export interface PathExaminer {
  /** Returns the facts about these paths. Never throws; an unusable path becomes a reason to deny. */
  examinePaths(touches: readonly PlannedTouch[]): CallFacts;
}
