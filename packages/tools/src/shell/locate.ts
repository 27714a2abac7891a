/** Tells where the path in a word of a command leads: inside the workspace (after links) or elsewhere. */
import { lstatSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, normalize } from "node:path";
import { pathInside } from "../workspace/door.ts";
import type { Workspace } from "../workspace/workspace.ts";

export type WordPlace =
  /** `path` as in `TouchedPath`. */
  | { readonly kind: "file" | "folder" | "missing"; readonly path: string }
  /**
   * Outside the workspace, a device, a pipe, or a path that could not be looked at. `path` is absolute, as text; for a
   * file of the workspace that is reached through another folder it is relative to the workspace.
   */
  | { readonly kind: "elsewhere"; readonly path: string };

/** Returns false only when there is surely no file of that name. For a cheap first look. */
export function mayExist(workspace: Workspace, folder: string, word: string): boolean {
  try {
    return lstatSync(absolutely(workspace, folder, word), { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

/** Returns the path that a word names, as text. `..` stays: after a link it is another folder than the text says. */
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

/** Returns the path in the workspace of a file that a path outside leads to; undefined when it stays outside. */
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

/** Replaces `~`, `$HOME`, `$PWD` and the like at the beginning, as the shell and the system will do. */
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
