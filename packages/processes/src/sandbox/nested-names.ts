/** Finds the existing protected names in subfolders of the workspace, and says if there may be more. */
import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { closedName } from "@localharness/workspace/paths/protected";
import { closedParts, gitNames } from "./closed-names.ts";

/** The maximum number of names. The call of the sandbox would become too long with more. */
const maxNames = 600;
const maxFolders = 20_000;
const maxDepth = 24;

export interface NestedNames {
  /** Paths relative to the workspace. */
  readonly names: readonly string[];
  /** The reason why there may be more; undefined if there are certainly no more. */
  readonly incomplete: string | undefined;
}

/** Returns the names. The search is breadth first, so names near the top are found first. Parts of repositories without `.git` count. */
export function nestedNames(workspace: string): NestedNames {
  const found: string[] = [];
  const folders = [{ path: "", depth: 0 }];
  let isTooDeep = false;
  for (let index = 0; index < folders.length && index < maxFolders && found.length <= maxNames; index += 1) {
    const { path, depth } = folders[index] ?? { path: "", depth: 0 };
    const entries = entriesOf(join(workspace, path));
    const isRepository = ["HEAD", "objects", "refs"].every((name) =>
      entries.some((one) => one.name === name),
    );
    if (isRepository) {
      found.push(...closedParts(path === "" ? "." : path, workspace).map((name) => join(name)));
    }
    for (const entry of isRepository ? [] : entries) {
      const name = path === "" ? entry.name : `${path}/${entry.name}`;
      if (closedName(name) !== undefined) {
        if (depth > 0) found.push(...(entry.name === ".git" ? gitNames(workspace, name) : [name]));
      } else if (entry.isDirectory() && entry.name !== "node_modules") {
        if (depth < maxDepth) folders.push({ path: name, depth: depth + 1 });
        else isTooDeep = true;
      }
    }
  }
  const limit =
    found.length > maxNames
      ? `more than ${maxNames} protected names`
      : folders.length > maxFolders
        ? `more than ${maxFolders} folders`
        : isTooDeep
          ? `folders more than ${maxDepth} deep`
          : undefined;
  return {
    names: found.slice(0, maxNames),
    incomplete:
      limit &&
      `the workspace has ${limit}, and the sandbox closes protected names in subfolders only up to that: this command may change others`,
  };
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
