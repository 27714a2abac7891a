/** The optional `path` of the git tools, through the workspace's door. */
import type { CallFacts } from "@localharness/engine";
import type { JsonObject } from "@localharness/protocol";
import { textArgument } from "../arguments.ts";
import { found, type Outcome } from "../outcome.ts";
import type { ToolResources } from "../resources.ts";
import { examinePaths } from "../workspace/examine-paths.ts";

/** The physical path, or undefined for the whole workspace. It need not exist any more. */
export function pathOf(resources: ToolResources, args: JsonObject): Outcome<string | undefined> {
  const path = textArgument(args, "path");
  if (path === undefined || path === "" || path === ".") {
    return found(undefined);
  }
  const place = resources.workspace.locate(path);
  return place.ok ? found(place.value.path === "." ? undefined : place.value.path) : place;
}

/** `["--", "src/a.ts"]`, or nothing when no path is given. */
export function pathArguments(resources: ToolResources, args: JsonObject): Outcome<readonly string[]> {
  const path = pathOf(resources, args);
  return path.ok ? found(path.value === undefined ? [] : ["--", path.value]) : path;
}

/** `namesOnly`: no contents are shown. */
export function examinePath(resources: ToolResources, args: JsonObject, namesOnly = false): CallFacts {
  const path = textArgument(args, "path");
  const asked = path === undefined || path === "" ? "." : path;
  return examinePaths(resources.workspace, [{ path: asked, access: "read", namesOnly }]);
}
