/** Declares the recorder that tools tell of each change before it happens, so that the person can undo it. */
import type { CallMark } from "@localharness/engine";
import type { Entry } from "../paths/handles.ts";
import type { Workspace } from "../paths/workspace.ts";
import type { PathState } from "./path-state.ts";

/** Records changes before they happen. */
export interface ChangeRecorder {
  /** Records that `bytes` will replace the content of the entry. Call it before the write. */
  writing(entry: Entry, bytes: Uint8Array): Promise<void>;
  /** Records that the missing folders above `path` will be created, and `path` too if `itself` is true. Call it before that. */
  makingFolders(workspace: Workspace, path: string, itself: boolean): Promise<void>;
  /** Records that the entry will be removed; if it is a folder, with all its contents. Call it before that. */
  removing(entry: Entry): Promise<void>;
  /** Records what a command has changed, and descriptions of changes that cannot be recorded (`missed`). */
  changed(changes: readonly ChangedPath[], missed: readonly string[]): Promise<void>;
}

/** A change that a command has made. */
export interface ChangedPath {
  /** Physical path relative to the workspace, or absolute in an added folder. */
  readonly path: string;
  readonly before: PathState;
  readonly after: PathState;
  /** Returns the content before, if it was kept. */
  content(): Buffer | undefined;
}

export interface ChangeLimits {
  /** Maximum size of one kept file. */
  readonly fileBytes: number;
  /** Maximum size of all contents kept for one turn. */
  readonly turnBytes: number;
  /** Maximum number of files, links and folders recorded for one turn. */
  readonly turnEntries: number;
  /** Maximum size over all sessions; the oldest contents are removed first. 0 disables undo. */
  readonly totalBytes: number;
}

/** The part of its limits that a turn has used. */
export interface TurnUse {
  bytes: number;
  entries: number;
}

/** The limits and the known secrets. Undo keeps no content that is above a limit or contains a secret. */
export interface KeepRoom {
  readonly limits: ChangeLimits;
  /** The known keys. A file that contains one of them is not copied. */
  readonly secrets: readonly string[];
  /** The part of the limits that the latest turn has used. */
  readonly use: TurnUse;
}

export interface Changes extends ChangeRecorder {
  /** Returns a recorder for the calls of one turn; without a turn it records nothing. */
  of(turn: CallMark | undefined): Changes;
  /** Returns notes about changes of this recorder that cannot be undone. No change is refused because it is not recorded. */
  notes(): readonly string[];
  /** Returns the limits, the secrets and the use of the latest turn; undefined if undo is switched off. */
  room(): KeepRoom | undefined;
}
