/** Keeps files out of a diff that a rule denies, or that hold secrets and were not named. */
import type { ToolContext } from "@localharness/engine";
import { found, type Outcome, refused } from "../outcome.ts";
import type { ToolResources } from "../resources.ts";
import { secretName } from "../workspace/secret-name.ts";
import { longestList, runGit } from "./run-git.ts";

/** The arguments of a program have a limit. */
const mostLeftOut = 1000;

/** Changed files that must not be shown. `diff`: the command and options that show them, without paths. */
export async function leftOutPaths(
  resources: ToolResources,
  context: ToolContext,
  diff: readonly string[],
  named: string | undefined,
): Promise<Outcome<readonly string[]>> {
  const names = ["--name-only", "-z", "--no-renames", "--ignore-submodules=dirty"];
  const listed = await runGit(resources, context, [...diff, ...names], { limit: longestList });
  if (!listed.ok) {
    return listed;
  }
  const paths = listed.value.split("\0").filter((path) => path !== "");
  const out = paths.filter(
    (path) => context.denies?.(path, "read") === true || (path !== named && secretName(path) !== undefined),
  );
  if (Buffer.byteLength(listed.value) >= longestList || out.length > mostLeftOut) {
    return refused("io_error", "Too many files are changed to check each. Give a path, or ask the person.");
  }
  return found(out);
}

/** What limits a diff to `path` (the workspace when undefined) without `paths`. For `magicPathspecs`. */
export function pathspecs(path: string | undefined, paths: readonly string[]): readonly string[] {
  return ["--", `:(top,literal)${path ?? ""}`, ...paths.map((one) => `:(top,exclude,literal)${one}`)];
}
