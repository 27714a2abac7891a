/** Declares how the index gets at the files of a workspace. The program implements it with the workspace's own checks. */

/** The state of a file by which a change is noticed. */
export interface FileState {
  /** Bytes. */
  readonly size: number;
  readonly mtimeMs: number;
}

export interface SourceListing {
  /** Paths relative to the workspace, with `/`. */
  readonly paths: readonly string[];
  /** False if there are more files. */
  readonly complete: boolean;
}

export type SourceText =
  | { readonly kind: "text"; readonly text: string; readonly state: FileState }
  /** The file is there, but is not read: it is too large or no text. */
  | { readonly kind: "unreadable"; readonly reason: string; readonly state: FileState }
  | { readonly kind: "absent" };

export interface SourceFiles {
  /** Lists at most `most` files that version control does not ignore. */
  list(most: number, signal: AbortSignal): Promise<SourceListing>;
  /**
   * Returns the state of a file; undefined if there is none, or if the index must not have it: it leads out of the workspace or
   * usually holds secrets.
   */
  stateOf(path: string): FileState | undefined;
  /** Reads a file of at most `maxBytes`. Never rejects. */
  read(path: string, maxBytes: number): Promise<SourceText>;
}
