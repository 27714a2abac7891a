/** Where a word of a command leads, when it is a path: inside the workspace (physically) or somewhere else. */
import { lstatSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, normalize, resolve } from "node:path";
import type { Workspace } from "../workspace/workspace.ts";

export type WordPlace =
  /** `path` as in `TouchedPath`. */
  | { readonly kind: "file" | "folder" | "missing"; readonly path: string }
  /** Out of the workspace, a device, a pipe, or nothing that could be looked at. `path` is absolute, as text. */
  | { readonly kind: "elsewhere"; readonly path: string };

/** A cheap first look: false only when there is surely nothing of that name. */
export function mayExist(workspace: Workspace, folder: string, word: string): boolean {
  try {
    return lstatSync(absolutely(workspace, folder, word), { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

/** The path that a word names, as text. */
export function absolutely(workspace: Workspace, folder: string, word: string): string {
  return resolve(workspace.root, folder, withHome(word));
}

/** `folder` is where the command runs, relative to the workspace. */
export function locateWord(workspace: Workspace, folder: string, word: string): WordPlace {
  const named = withHome(word);
  const path = folder === "." || isAbsolute(named) ? named : `${folder}/${named}`;
  const place = workspace.locate(path);
  if (!place.ok) {
    return { kind: "elsewhere", path: normalize(isAbsolute(path) ? path : join(workspace.root, path)) };
  }
  const { stats, path: at } = place.value;
  if (stats === undefined) {
    return { kind: "missing", path: at };
  }
  if (stats.isDirectory()) {
    return { kind: "folder", path: at };
  }
  return stats.isFile() ? { kind: "file", path: at } : { kind: "elsewhere", path: join(workspace.root, at) };
}

/** `~`, `$HOME`, `$PWD` and the like at the beginning, as the shell will read them. */
function withHome(word: string): string {
  const here = /^(?:~\+|\$PWD|\$\{PWD\}|\$\(pwd\)|`pwd`)(\/.*)?$/s.exec(word);
  if (here !== null) return `.${here[1] ?? ""}`;
  const rest = /^(?:~|\$HOME|\$\{HOME\})(\/.*)?$/s.exec(word);
  return rest === null ? word : `${homedir()}${rest[1] ?? ""}`;
}
