/**
 * Declares how the index reads the files of a workspace. The program implements this with the workspace's own checks.
 */

/** The state of a file. If two states differ, the file has changed in between. */
export interface FileState {
  /** The size in bytes. */
  readonly size: number;
  readonly mtimeMs: number;
}

export interface SourceListing {
  /** The paths relative to the workspace, with `/` between names. */
  readonly paths: readonly string[];
  /** False if there may be more files than `paths` lists. */
  readonly complete: boolean;
}

export type SourceText =
  | { readonly kind: "text"; readonly text: string; readonly state: FileState }
  /** The file exists but is not read, because it is too large or not text. */
  | { readonly kind: "unreadable"; readonly reason: string; readonly state: FileState }
  | { readonly kind: "absent" };

export interface SourceFiles {
  /** Returns at most `most` files, without the files that version control ignores. */
  list(most: number, signal: AbortSignal): Promise<SourceListing>;
  /**
   * Returns the state of a file. Returns undefined if there is no such file, or if the index must not have it: its path has
   * a link, or its name is protected or usually one of a file with secrets.
   */
  stateOf(path: string): FileState | undefined;
  /** Reads a file that has at most `maxBytes`. Never rejects. */
  read(path: string, maxBytes: number): Promise<SourceText>;
}
