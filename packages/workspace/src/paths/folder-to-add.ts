/** Judges a folder that the person wants to add to the workspace. */
import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { errorCode } from "../outcome.ts";
import { atHome } from "./added-folders.ts";
import { closedFolders, isSystemTree, pathInside } from "./door.ts";
import { realAsFar } from "./real-as-far.ts";
import { secretName } from "./secret-name.ts";
import { holdsWhole } from "./whole-places.ts";
import type { AddedFolder } from "./workspace.ts";

export type FolderToAdd =
  /** `isLink` is true if the path as it was given leads through a link, so that the person is shown the real one. */
  | { readonly ok: true; readonly root: string; readonly isLink: boolean }
  /** `message` says why the folder is not added. */
  | { readonly ok: false; readonly message: string };

export interface FolderPlace {
  /** The real path of the workspace. */
  readonly workspace: string;
  readonly added: readonly AddedFolder[];
  /** Folders that no tool may access. */
  readonly closed: readonly string[];
  /** The real paths of the places that commands never see. To add a folder in one would open the whole place. */
  readonly hidden?: readonly string[];
  /** The folder from which a relative path leads; by default the current one. */
  readonly from?: string;
  /** The absolute paths of the programs with which the sandbox is made: no command may write where they are. */
  readonly programs?: readonly string[];
}

/** Returns the real path of the folder, or the reason why it cannot be added. */
export function folderToAdd(path: string, place: FolderPlace): FolderToAdd {
  const written = resolve(place.from ?? ".", atHome(path));
  const found = realFolder(written);
  if (!found.ok) return found;
  const { root } = found;
  const problem = problemOf(root, place);
  if (problem !== undefined) return no(`${root} is not added: ${problem}`);
  return { ok: true, root, isLink: root !== written };
}

function realFolder(
  written: string,
): { readonly ok: true; readonly root: string } | { readonly ok: false; readonly message: string } {
  try {
    const root = realpathSync(written);
    return statSync(root).isDirectory() ? { ok: true, root } : no(`${written} is not a folder`);
  } catch (error) {
    const code = errorCode(error);
    return no(
      code === "ENOENT" || code === "ENOTDIR"
        ? `there is no folder ${written}`
        : `${written} cannot be opened: the system reports ${code}`,
    );
  }
}

function problemOf(
  root: string,
  { workspace, added, closed, hidden = [], programs = [] }: FolderPlace,
): string | undefined {
  if (root === workspace) return "it is the workspace";
  if (pathInside(workspace, root) !== undefined) return "it is in the workspace, and can be used already";
  const whole = holdsWhole(root);
  if (whole !== undefined) return `it holds ${whole}. Add the folder of a project`;
  if (pathInside(root, workspace) !== undefined) return "it contains the workspace. Start in it instead";
  if (isSystemTree(root)) return "it is a folder of the system. Add the folder of a project";
  const outer = added.find((one) => pathInside(one.root, root) !== undefined);
  if (outer?.root === root) return "it was added already";
  if (outer !== undefined) return `it is in ${outer.root}, which was added already`;
  const inner = added.find((one) => pathInside(root, one.root) !== undefined);
  if (inner !== undefined) return `it contains ${inner.root}, which was added already. Remove that one first`;
  if (closedFolders(closed).hold(root)) return "it belongs to this program itself";
  const secret = secretName(`${root}/x`, root);
  if (secret !== undefined) return `it is in ${secret}, which usually holds passwords or keys`;
  const around = hidden.find((folder) => pathInside(folder, root) !== undefined);
  if (around !== undefined) return `it is in ${around}, which no command may read`;
  const program = programs.find((path) => pathInside(root, realAsFar(path)) !== undefined);
  return program && `it has ${program}, with which the sandbox is made`;
}

function no(message: string): { readonly ok: false; readonly message: string } {
  return { ok: false, message };
}
