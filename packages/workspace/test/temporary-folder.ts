/** Creates folders for one test. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Registers what is done at the end: of the test by default. */
export type AtEnd = (work: () => Promise<void> | void) => void;

/** Creates a folder that is removed at the end. */
export function temporaryFolder(atEnd: AtEnd = onTestFinished): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "localharness-test-")));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
