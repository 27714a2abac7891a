/** Where a word of a command leads, when it is a path: inside the workspace (physically) or somewhere else. */
import { lstatSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, normalize } from "node:path";
import { pathInside } from "../workspace/door.ts";
import type { Workspace } from "../workspace/workspace.ts";

export type WordPlace =
  /** `path` as in `TouchedPath`. */
  | { readonly kind: "file" | "folder" | "missing"; readonly path: string }
  /**
   * Out of the workspace, a device, a pipe, or nothing that could be looked at. `path` is absolute, as text; that of a
   * file of the workspace which is named by a way around is relative to it.
   */
  | { readonly kind: "elsewhere"; readonly path: string };

/** A cheap first look: false only when there is surely nothing of that name. */
export function mayExist(workspace: Workspace, folder: string, word: string): boolean {
  try {
    return lstatSync(absolutely(workspace, folder, word), { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

/** The path that a word names, as text. `..` stays: behind a link it is another folder than the text says. */
export function absolutely(workspace: Workspace, folder: string, word: string): string {
  const named = withHome(word);
  return isAbsolute(named) ? named : `${join(workspace.root, folder)}/${named}`;
}

/** `folder` is where the command runs, relative to the workspace. */
export function locateWord(workspace: Workspace, folder: string, word: string): WordPlace {
  const named = withHome(word);
  const path = folder === "." || isAbsolute(named) ? named : `${folder}/${named}`;
  const place = workspace.locate(path);
  if (!place.ok) {
    const absolute = absolutely(workspace, folder, word);
    return { kind: "elsewhere", path: wayAround(workspace, absolute) ?? normalize(absolute) };
  }
  const { stats, path: at } = place.value;
  if (stats === undefined) return { kind: "missing", path: at };
  if (stats.isDirectory()) return { kind: "folder", path: at };
  return stats.isFile() ? { kind: "file", path: at } : { kind: "elsewhere", path: join(workspace.root, at) };
}

/** Where a path comes back into the workspace that has left it; undefined when it stays outside. */
function wayAround(workspace: Workspace, absolute: string): string | undefined {
  let rest = "";
  for (let at = absolute; ; at = dirname(at)) {
    try {
      return pathInside(workspace.root, join(realpathSync.native(at), rest));
    } catch {
      if (at === dirname(at)) return undefined;
      rest = join(basename(at), rest);
    }
  }
}

/** `~`, `$HOME`, `$PWD` and the like at the beginning, as the shell and the system will read them. */
function withHome(word: string): string {
  const here = /^(?:~\+|\$PWD|\$\{PWD\}|\$\(pwd\)|`pwd`|\/+proc\/+(?:thread-)?self\/+cwd)(\/.*)?$/s.exec(
    word,
  );
  if (here !== null) return `.${here[1] ?? ""}`;
  const top = /^\/+proc\/+(?:thread-)?self\/+root(\/.*)?$/s.exec(word);
  if (top !== null) return top[1] ?? "/";
  const rest = /^(?:~|\$HOME|\$\{HOME\})(\/.*)?$/s.exec(word);
  return rest === null ? word : `${homedir()}${rest[1] ?? ""}`;
}
