/** Protected names further down in the workspace that are there already. The search ends somewhere: docs/security.md says where. */
import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { protectedName } from "../workspace/protected.ts";
import { gitNames } from "./closed-names.ts";

const deepest = 6;
const mostFolders = 3_000;
const mostNames = 300;

/** Relative to the workspace. Folders are looked at by their depth, so that what is near is found first. */
export function nestedNames(workspace: string): readonly string[] {
  const found: string[] = [];
  const folders = [{ path: "", depth: 0 }];
  for (let index = 0; index < folders.length && index < mostFolders; index += 1) {
    const { path, depth } = folders[index] ?? { path: "", depth: 0 };
    for (const entry of entriesOf(join(workspace, path))) {
      const name = path === "" ? entry.name : `${path}/${entry.name}`;
      if (protectedName(entry.name) !== undefined) {
        if (depth > 0) found.push(...(entry.name === ".git" ? gitNames(workspace, name) : [name]));
      } else if (entry.isDirectory() && entry.name !== "node_modules" && depth < deepest) {
        folders.push({ path: name, depth: depth + 1 });
      }
    }
    if (found.length >= mostNames) break;
  }
  return found.slice(0, mostNames);
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
