/** Finds the place to which the path in a word leads after links: in the workspace or elsewhere. */
import { lstatSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, normalize, resolve } from "node:path";
import { pathInside } from "@localharness/workspace/paths/door";
import { realAsFar } from "@localharness/workspace/paths/real-as-far";
import type { Place, Workspace } from "@localharness/workspace/paths/workspace";

export type WordPlace =
  /** `path` is relative to the workspace, or absolute in an added folder, as in `TouchedPath`. */
  | { readonly kind: "file" | "folder" | "missing"; readonly path: string }
  /**
   * A path outside the workspace and the added folders, a device, a pipe, or a path that could not be examined. `path` is absolute; it is relative
   * to the workspace if `Workspace.locate` refuses the path although it leads into the workspace.
   */
  | { readonly kind: "elsewhere"; readonly path: string };

/** Returns false only if there is certainly no file with that name. The check is fast. */
export function mayExist(workspace: Workspace, folder: string, word: string): boolean {
  // The home folder of another user is not looked up.
  if (/^~[^/+]/.test(word)) return true;
  try {
    return lstatSync(absolutely(workspace, folder, word), { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

/** Returns the path in the folder, or an absolute path as it is. Keeps `..`, which may lead to another folder after a link. */
export function placedIn(folder: string, path: string): string {
  return isAbsolute(path) ? path : `${folder}/${path}`;
}

/** Returns the absolute path in a word. Keeps `..`, because after a link `..` leads to another folder than the text says. */
export function absolutely(workspace: Workspace, folder: string, word: string): string {
  return placedIn(resolve(workspace.root, folder), withHome(word));
}

/** Returns the place of the path in a word. The command runs in `folder`, which is relative to the workspace. */
export function locateWord(workspace: Workspace, folder: string, word: string): WordPlace {
  const named = withHome(word);
  const path = folder === "." ? named : placedIn(folder, named);
  const place = workspace.locate(path);
  if (!place.ok) return placeBeyond(workspace, absolutely(workspace, folder, word));
  return placed(workspace, place.value);
}

/** Returns the place of an absolute path that is not in the workspace by its text. It may be in an added folder. */
function placeBeyond(workspace: Workspace, absolute: string): WordPlace {
  const real = realAsFar(absolute);
  const place = workspace.placeOf(real).added === undefined ? undefined : workspace.locate(real);
  if (place?.ok === true && place.value.path === real) return placed(workspace, place.value);
  return { kind: "elsewhere", path: pathInside(workspace.root, real) ?? normalize(absolute) };
}

function placed(workspace: Workspace, { stats, path: at }: Place): WordPlace {
  if (stats === undefined) return { kind: "missing", path: at };
  if (stats.isDirectory()) return { kind: "folder", path: at };
  return stats.isFile()
    ? { kind: "file", path: at }
    : { kind: "elsewhere", path: resolve(workspace.root, at) };
}

/** Replaces `~`, `$HOME`, `$PWD` and similar beginnings, as the shell and the system do. */
function withHome(word: string): string {
  const here = /^(?:~\+|\$PWD|\$\{PWD\}|\$\(pwd\)|`pwd`|\/+proc\/+(?:thread-)?self\/+cwd)(\/.*)?$/s.exec(
    word,
  );
  if (here !== null) return `.${here[1] ?? ""}`;
  const top = /^\/+proc\/+(?:thread-)?self\/+root(\/.*)?$/s.exec(word);
  if (top !== null) return top[1] ?? "/";
  const rest = /^(?:~|\$HOME|\$\{HOME\})(\/.*)?$/s.exec(word);
  if (rest !== null) return `${homedir()}${rest[1] ?? ""}`;
  // The home folder of another user, or an earlier folder of the shell (`~-`). Both count as outside of the workspace.
  const other = /^~([^/]+)(\/.*)?$/s.exec(word);
  if (other === null) return word;
  const home = other[1] === "root" ? "/root" : join(dirname(homedir()), other[1] ?? "");
  return `${home}${other[2] ?? ""}`;
}
