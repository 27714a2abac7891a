/** Closes protected names in the folders that the settings let commands write to. */
import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { pathInside } from "@localharness/workspace/paths/door";
import { closedInFolder } from "./closed-names.ts";
import { type NestedNames, nestedNames } from "./nested-names.ts";
import type { SandboxRules } from "./sandbox.ts";

export interface WritableFolders {
  /** Returns the absolute paths of the closed names in the folders, but for a folder inside the workspace. */
  closed(): readonly string[];
  /** Returns the reason why a command may write protected names in subfolders; undefined if all of them are closed. */
  incomplete(): string | undefined;
}

/** Searches each folder once, so that the protected names in subfolders are those that were there for the first command. */
export function createWritableFolders({
  workspace,
  writable,
}: Pick<SandboxRules, "workspace" | "writable">): WritableFolders {
  const known = new Map<string, NestedNames>();
  const folders = () =>
    writable
      .filter((folder) => existsSync(folder))
      .map((folder) => realpathSync(folder))
      .filter((folder) => pathInside(workspace, folder) === undefined);
  const nestedIn = (folder: string) => {
    const nested = known.get(folder) ?? nestedNames(folder);
    known.set(folder, nested);
    return nested;
  };
  return {
    closed: () =>
      folders().flatMap((folder) =>
        [...closedInFolder(folder), ...nestedIn(folder).names].map((name) => join(folder, name)),
      ),
    incomplete() {
      const [reason] = folders().flatMap((folder) => nestedIn(folder).incomplete ?? []);
      return reason?.replace("the workspace", "a folder of sandbox_writable");
    },
  };
}
