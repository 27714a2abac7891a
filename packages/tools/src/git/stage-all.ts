/** Stages every change without entering submodules, because git would start programs that their configuration names. */

import { type GitParts, listWithGit, runGit } from "@localharness/commands/git/run-git";
import type { ToolContext } from "@localharness/engine";
import { asText } from "@localharness/workspace/git-files/read-config";
import { isSubmoduleMode } from "@localharness/workspace/git-files/submodules";
import { type Outcome, refused } from "@localharness/workspace/outcome";

/** The maximum number of submodules, because the size of a program's arguments is limited. */
const maxSubmodules = 500;

export async function stageAll(resources: GitParts, context: ToolContext): Promise<Outcome<string>> {
  const listed = await listWithGit(resources, context, ["ls-files", "--stage", "-z"]);
  if (!listed.ok) return listed;
  const names = listed.value.filter(isSubmodule).map((line) => asText(line.slice(line.indexOf("\t") + 1)));
  const submodules = names.filter((name) => name !== undefined);
  if (names.length > maxSubmodules || submodules.length < names.length) {
    return refused(
      "io_error",
      "There are too many submodules, or one whose name is not valid UTF-8. Commit with bash.",
    );
  }
  const others = submodules.map((path) => `:(top,exclude,literal)${path}`);
  const staged = await runGit(resources, context, ["add", "--all", "--", ":(top)", ...others], {
    writes: true,
    magicPathspecs: true,
  });
  // This call records the commit of each submodule without reading its files.
  return !staged.ok || submodules.length === 0
    ? staged
    : await runGit(resources, context, ["update-index", "--remove", "--", ...submodules], { writes: true });
}

/** Returns true for a line `mode hash stage TAB path` with the mode of a submodule. */
function isSubmodule(line: string): boolean {
  return isSubmoduleMode(Number.parseInt(line, 8));
}
