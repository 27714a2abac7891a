/** Declares the folder for the outputs that are too long for a result, and for other temporary files of a session. */
import { closeSync } from "node:fs";
import type { Outcome } from "@localharness/workspace/outcome";
import type { OpenFile } from "@localharness/workspace/paths/handles";

export interface OutputFile {
  readonly path: string;
  readonly descriptor: number;
}

export interface OutputFolder {
  /** Creates an empty file with mode 0600. Throws the system's error. */
  create(): OutputFile;
  /** Creates an empty folder with mode 0700, which the caller removes. Throws the system's error. */
  createFolder(): string;
  /** Returns true for the path of a file that `create` has returned. */
  owns(path: string): boolean;
  /** Opens a file that `create` has returned, for reading. Opens any other path too, so check it with `owns` first. */
  open(path: string): Outcome<OpenFile>;
  close(): void;
}

export function closeOutput(file: OutputFile): void {
  closeSync(file.descriptor);
}
