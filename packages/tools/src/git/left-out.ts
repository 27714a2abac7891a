/** Excludes files from a diff: files that a rule denies, and files with secrets unless the call names them. */

import { type GitParts, listWithGit } from "@localharness/commands/git/run-git";
import type { ToolContext } from "@localharness/engine";
import { asText } from "@localharness/workspace/git-files/read-config";
import { found, type Outcome, refused } from "@localharness/workspace/outcome";
import { secretName } from "@localharness/workspace/paths/secret-name";
import { printableName } from "@localharness/workspace/show";

/** The maximum number of excluded files, because the size of a program's arguments is limited. */
const maxLeftOut = 1000;

/**
 * Returns the changed files that must not be shown. `diff` is the command without paths, `named` the path of the call. Fails
 * if there are more than 1,000 such files, or if git cannot exclude one.
 */
export async function leftOutPaths(
  resources: GitParts,
  context: ToolContext,
  diff: readonly string[],
  named: string | undefined,
): Promise<Outcome<readonly string[]>> {
  const names = ["--name-only", "-z", "--no-renames", "--ignore-submodules=dirty"];
  const listed = await listWithGit(resources, context, [...diff, ...names]);
  if (!listed.ok) return listed;
  const paths = listed.value.map((bytes) => ({ bytes, path: Buffer.from(bytes, "latin1").toString("utf8") }));
  const out = paths.filter(
    ({ path }) =>
      context.denies?.(path, "read") === true ||
      (path !== named && secretName(path, resources.workspace.root) !== undefined),
  );
  if (out.length > maxLeftOut) {
    return refused("io_error", "Too many files are changed to check each. Give a path, or ask the person.");
  }
  const unnameable = out.find(({ bytes }) => asText(bytes) === undefined);
  if (unnameable !== undefined) {
    return refused(
      "io_error",
      `${printableName(unnameable.path)} is changed and must not be shown, and git cannot exclude it because its name is not valid UTF-8. Give a path.`,
    );
  }
  return found(out.map(({ path }) => path));
}

/**
 * Returns the arguments that limit a diff to `path` (default: the workspace) except `paths`. Use them with
 * `magicPathspecs`.
 */
export function pathspecs(path: string | undefined, paths: readonly string[]): readonly string[] {
  return ["--", `:(top,literal)${path ?? ""}`, ...paths.map((one) => `:(top,exclude,literal)${one}`)];
}
