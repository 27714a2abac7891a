/** Resolves the optional `path` argument of the git tools through the workspace. */
import type { CallFacts } from "@localharness/engine";
import type { JsonObject } from "@localharness/protocol";
import type { PathExaminer } from "@localharness/workspace/examine/planned-touch";
import { found, type Outcome } from "@localharness/workspace/outcome";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { textArgument } from "../parts/arguments.ts";

/** Returns the physical path, which need not exist, or undefined for the whole workspace. */
export function pathOf(
  { workspace }: { readonly workspace: Workspace },
  args: JsonObject,
): Outcome<string | undefined> {
  const path = textArgument(args, "path");
  if (path === undefined || path === "" || path === ".") return found(undefined);
  const place = workspace.locate(path);
  return place.ok ? found(place.value.path === "." ? undefined : place.value.path) : place;
}

/** Returns `["--", "src/a.ts"]`, or an empty list if no path is given. */
export function pathArguments(
  { workspace }: { readonly workspace: Workspace },
  args: JsonObject,
): Outcome<readonly string[]> {
  const path = pathOf({ workspace }, args);
  return path.ok ? found(path.value === undefined ? [] : ["--", path.value]) : path;
}

/** Returns the facts about the path. `namesOnly` is true if the tool shows no contents. */
export function examinePath(examiner: PathExaminer, args: JsonObject, namesOnly = false): CallFacts {
  const path = textArgument(args, "path");
  const asked = path === undefined || path === "" ? "." : path;
  return examiner.examinePaths([{ path: asked, access: "read", namesOnly }]);
}
