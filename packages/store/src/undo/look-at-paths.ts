/** Reads the present states of changed paths. */
import { statSync } from "node:fs";
import type { PathState } from "@localharness/workspace/changes/path-state";
import { stateAt } from "@localharness/workspace/changes/put-state";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { foldersAbove } from "./plan-undo.ts";

export interface PresentStates {
  /** The state of each path and of each folder above it (the workspace is `""`), or the reason why it cannot be read. */
  readonly states: Map<string, PathState | string>;
  readonly bytes: Map<string, Buffer>;
}

export async function lookAtPaths(workspace: Workspace, paths: readonly string[]): Promise<PresentStates> {
  const states = new Map<string, PathState | string>();
  const bytes = new Map<string, Buffer>();
  for (const path of new Set(paths)) {
    const looked = await stateAt(workspace, path);
    states.set(path, looked.ok ? looked.value.state : looked.message);
    if (looked.ok && looked.value.bytes !== undefined) bytes.set(path, looked.value.bytes);
  }
  const above = new Set(paths.flatMap(foldersAbove));
  for (const path of above) {
    if (states.has(path)) continue;
    const looked = await stateAt(workspace, path);
    states.set(path, looked.ok ? looked.value.state : looked.message);
  }
  states.set("", { kind: "folder", mode: statSync(workspace.root).mode & 0o777 });
  return { states, bytes };
}
