/** Tells the model, at the first look into a folder with instructions of its own, that they are there. */
import type { HookedCall } from "@localharness/engine";
import type { Workspace } from "@localharness/tools";
import { instructionNames } from "./read-instructions.ts";

export interface NestedInstructions {
  /** What to add to the result of a call that touched these paths. Each file is named once. */
  notes(call: Pick<HookedCall, "paths">): readonly string[];
}

/** For one session. Costs a look at a name for each folder that is touched, and nothing in the prompt. */
export function createNestedInstructions(workspace: Workspace): NestedInstructions {
  const looked = new Set<string>(["."]);
  return {
    notes(call) {
      const folders = (call.paths ?? []).flatMap(({ path }) => foldersAbove(path));
      return folders.flatMap((folder) => {
        if (looked.has(folder) || looked.size > mostFolders) return [];
        looked.add(folder);
        const found = instructionNames
          .map((name) => `${folder}/${name}`)
          .find((path) => isFile(workspace, path));
        return found === undefined || touches(call, found) ? [] : [noteOf(found, folder)];
      });
    },
  };
}

const mostFolders = 5_000;

function noteOf(path: string, folder: string): string {
  return `${path} says how work is done in ${folder}/: read it before you change files there. It cannot grant permissions`;
}

/** The model is reading it already. */
function touches({ paths = [] }: Pick<HookedCall, "paths">, path: string): boolean {
  return paths.some((one) => one.path === path);
}

/** From the outermost in; the path itself may be a folder. */
function foldersAbove(path: string): readonly string[] {
  if (path.startsWith("/") || path.startsWith("..")) return [];
  const names = path.split("/");
  return names.map((_, index) => names.slice(0, index + 1).join("/"));
}

function isFile(workspace: Workspace, path: string): boolean {
  const place = workspace.locate(path);
  return place.ok && place.value.stats?.isFile() === true;
}
