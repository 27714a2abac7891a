/** Where a word of a command leads, when it is a path: inside the workspace (physically), outside, or to something odd. */
import { homedir } from "node:os";
import { isAbsolute, join, normalize } from "node:path";
import type { Workspace } from "../workspace/workspace.ts";

export type Place =
  | { readonly kind: "file" | "folder" | "missing"; readonly path: string }
  /** Out of the workspace; `path` is absolute as far as it is known. */
  | { readonly kind: "outside"; readonly path: string }
  /** A device, a pipe, something unreadable. */
  | { readonly kind: "special"; readonly path: string };

/** `folder` is where the command runs, relative to the workspace. */
export function locate(workspace: Workspace, folder: string, word: string): Place {
  const path = fromFolder(folder, withHome(word));
  const directory = workspace.openDirectory(path);
  if (directory.ok) {
    directory.value[Symbol.dispose]();
    return { kind: "folder", path: directory.value.path };
  }
  const file = workspace.openFile(path);
  if (file.ok) {
    file.value[Symbol.dispose]();
    return { kind: "file", path: file.value.path };
  }
  if (file.errorType === "not_found") {
    return locateMissing(workspace, path);
  }
  return file.errorType === "validation_failed" && leadsOut(path, workspace.root, file.message)
    ? { kind: "outside", path: isAbsolute(path) ? normalize(path) : normalize(join(workspace.root, path)) }
    : { kind: "special", path };
}

function leadsOut(path: string, root: string, message: string): boolean {
  return message.includes("leads out of the workspace") || !normalize(join(root, path)).startsWith(root);
}

/** What is not there yet is where its folder is. A link without a target could be anything. */
function locateMissing(workspace: Workspace, path: string): Place {
  const segments = path.split("/").filter((segment) => segment !== "" && segment !== ".");
  const entry = isAbsolute(path) ? undefined : workspace.openEntry(path);
  if (entry?.ok === true) {
    const { stats, path: at } = entry.value;
    entry.value[Symbol.dispose]();
    return stats === undefined ? { kind: "missing", path: at } : { kind: "special", path: at };
  }
  const parents = isAbsolute(path) ? undefined : segments.slice(0, -1);
  if (parents === undefined || parents.length === 0 || segments.includes("..")) {
    return { kind: "special", path };
  }
  const parent = locate(workspace, ".", parents.join("/"));
  return parent.kind === "missing" || parent.kind === "folder"
    ? {
        kind: "missing",
        path: parent.path === "." ? (segments.at(-1) ?? "") : `${parent.path}/${segments.at(-1)}`,
      }
    : parent;
}

function fromFolder(folder: string, path: string): string {
  return folder === "." || isAbsolute(path) ? path : `${folder}/${path}`;
}

/** `~` and `$HOME` at the beginning, as the shell will read them. */
function withHome(word: string): string {
  const rest = /^(?:~|\$HOME|\$\{HOME\})(\/.*)?$/s.exec(word);
  return rest === null ? word : `${homedir()}${rest[1] ?? ""}`;
}
