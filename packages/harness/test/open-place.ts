/** Makes a configuration folder and a workspace on a real disk, for one test. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openWorkspace } from "@localharness/workspace/paths/open-workspace";
import { onTestFinished } from "vitest";

/** Writes the files, whose paths begin with `config/` or `ws/`, and opens the workspace `ws`. */
export async function openPlace(files: Readonly<Record<string, string>>) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "localharness-place-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries({ "ws/x": "", ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const workspace = await openWorkspace(join(root, "ws"));
  onTestFinished(() => workspace.close());
  return { root, folder: join(root, "config"), workspace };
}
