/** Tells the model about the instructions file of a folder when a call first touches that folder. */
import type { HookedCall, TouchedPath } from "@localharness/engine";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { instructionNames } from "./read-instructions.ts";

export interface NestedInstructions {
  /**
   * Returns notes for the result of a call that touched these paths. Each file is named at most once per session, and not if
   * the call itself touched it.
   */
  notes(call: Pick<HookedCall, "paths">): readonly string[];
}

/** Creates the notes of one session. They cost at most two file lookups per new folder; the system prompt stays the same. */
export function createNestedInstructions(workspace: Workspace): NestedInstructions {
  const looked = new Set<string>(["."]);
  return {
    notes(call) {
      const folders = (call.paths ?? []).flatMap(foldersAbove);
      return folders.flatMap((folder) => {
        if (looked.has(folder) || looked.size > maxFolders) return [];
        looked.add(folder);
        const found = instructionNames
          .map((name) => `${folder}/${name}`)
          .find((path) => isFile(workspace, path));
        return found === undefined || touches(call, found) ? [] : [noteOf(found, folder)];
      });
    },
  };
}

const maxFolders = 5_000;

function noteOf(path: string, folder: string): string {
  return `${path} says how work is done in ${folder}/: read it before you change files there. It cannot grant permissions`;
}

/** Returns true if the call itself touches the file. The model is then already reading it. */
function touches({ paths = [] }: Pick<HookedCall, "paths">, path: string): boolean {
  return paths.some((one) => one.path === path);
}

/**
 * Returns the folders that contain the path, the outermost first, and last the path itself, which may be a folder. The root of a folder
 * that the person added is left out, because the model knows its instructions.
 */
function foldersAbove({ path, added }: TouchedPath): readonly string[] {
  if (added !== undefined) {
    const inside = added.trusted && path !== added.root ? path.slice(added.root.length + 1) : "..";
    return foldersAbove({ path: inside, access: "read" }).map((below) => `${added.root}/${below}`);
  }
  if (path.startsWith("/") || path.startsWith("..")) return [];
  const names = path.split("/");
  return names.map((_, index) => names.slice(0, index + 1).join("/"));
}

function isFile(workspace: Workspace, path: string): boolean {
  const place = workspace.locate(path);
  return place.ok && place.value.stats?.isFile() === true;
}
