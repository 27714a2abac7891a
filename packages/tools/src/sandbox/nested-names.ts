/** Finds the existing protected names in subfolders of the workspace, within limits that docs/security.md lists. */
import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { protectedName } from "../workspace/protected.ts";
import { gitNames } from "./closed-names.ts";

const maxDepth = 6;
const maxFolders = 3_000;
const maxNames = 300;

/** Returns the names as paths relative to the workspace. The search is breadth first, so names near the top are found first. */
export function nestedNames(workspace: string): readonly string[] {
  const found: string[] = [];
  const folders = [{ path: "", depth: 0 }];
  for (let index = 0; index < folders.length && index < maxFolders; index += 1) {
    const { path, depth } = folders[index] ?? { path: "", depth: 0 };
    for (const entry of entriesOf(join(workspace, path))) {
      const name = path === "" ? entry.name : `${path}/${entry.name}`;
      if (protectedName(entry.name) !== undefined) {
        if (depth > 0) found.push(...(entry.name === ".git" ? gitNames(workspace, name) : [name]));
      } else if (entry.isDirectory() && entry.name !== "node_modules" && depth < maxDepth) {
        folders.push({ path: name, depth: depth + 1 });
      }
    }
    if (found.length >= maxNames) break;
  }
  return found.slice(0, maxNames);
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
