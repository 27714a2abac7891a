/** Declares how the contents of the workspace are kept before commands, so that undo covers what commands change. */
import type { ToolContext } from "@localharness/engine";
import type { Changes } from "../changes/changes.ts";

/** A path relative to the workspace, with everything below it if `below` is true. */
export interface CoveredPath {
  readonly path: string;
  readonly below?: boolean;
}

export interface Snapshots {
  /** False if nothing is kept before any command. */
  readonly keeping: boolean;
  /** Resolves to true if undo could restore everything at the places, as they are now; to false also if that takes too long. */
  covers(places: readonly CoveredPath[]): Promise<boolean>;
  /**
   * Keeps what a command may change. Call it before the command. Resolves to undefined if nothing is kept. Rejects with an
   * error that says why if the places in `needed` cannot be kept.
   */
  before(
    context: Pick<ToolContext, "turn">,
    needed: readonly CoveredPath[],
  ): Promise<CommandChanges | undefined>;
  close(): void;
}

/** The changes of one command. */
export interface CommandChanges {
  /** Records what the command has changed. Call it when the command has ended. Resolves to notes about what cannot be undone. */
  record(): Promise<readonly string[]>;
  /** Records only the reason why the changes of the command are not recorded. */
  leaveOut(why: string): Promise<void>;
  /**
   * Records that the command runs in the background, so that undo does not cover it. When it has ended, which `ended` tells, records
   * the names of the paths that it or the person has changed.
   */
  leaveToJob(job: string, ended: Promise<void>): Promise<void>;
  /** Says that the command has ended, so that what changes from now on is not its change. */
  end(): void;
}

export interface SnapshotLimits {
  /** Maximum size of one file whose content is kept. */
  readonly fileBytes: number;
  /** Maximum size of all contents, over all workspaces and sessions; 0 keeps nothing. */
  readonly totalBytes: number;
  /** Maximum number of files, links and folders of a workspace. */
  readonly entries: number;
}

export interface SnapshotOptions {
  readonly stateFolder: string;
  /** The real path of the workspace. */
  readonly workspace: string;
  readonly changes: Changes;
  readonly limits: SnapshotLimits;
  readonly secrets: readonly string[];
  /** The paths that tools have written and recorded themselves. A path is removed after the next look. */
  readonly noted: Set<string>;
  /** Returns the ids of the jobs that run. */
  jobs(): readonly string[];
}
