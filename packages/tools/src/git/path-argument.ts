/** The optional `path` of the git tools, through the workspace's door. */
import type { JsonObject } from "@localharness/protocol";
import { textArgument } from "../arguments.ts";
import { found, type Outcome } from "../outcome.ts";
import type { ToolResources } from "../resources.ts";

/** `["--", "src/a.ts"]`, or nothing when no path is given. The path need not exist any more. */
export function pathArguments(resources: ToolResources, args: JsonObject): Outcome<readonly string[]> {
  const path = textArgument(args, "path");
  if (path === undefined || path === "" || path === ".") {
    return found([]);
  }
  const folder = resources.workspace.openDirectory(path);
  if (folder.ok) {
    folder.value[Symbol.dispose]();
    return found(["--", folder.value.path]);
  }
  const entry = resources.workspace.openEntry(path);
  if (!entry.ok) {
    return entry;
  }
  entry.value[Symbol.dispose]();
  return found(["--", entry.value.path]);
}
