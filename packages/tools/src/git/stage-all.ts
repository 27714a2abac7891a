/** Stages every change, and enters no repository in the repository: git would start what that one configures. */
import type { ToolContext } from "@localharness/engine";
import { type Outcome, refused } from "../outcome.ts";
import type { ToolResources } from "../resources.ts";
import { asText } from "./read-config.ts";
import { listWithGit, runGit } from "./run-git.ts";
import { isSubmoduleMode } from "./submodules.ts";

/** The arguments of a program have a limit. */
const mostSubmodules = 500;

export async function stageAll(resources: ToolResources, context: ToolContext): Promise<Outcome<string>> {
  const listed = await listWithGit(resources, context, ["ls-files", "--stage", "-z"]);
  if (!listed.ok) {
    return listed;
  }
  const names = listed.value.filter(isSubmodule).map((line) => asText(line.slice(line.indexOf("\t") + 1)));
  const submodules = names.filter((name) => name !== undefined);
  if (names.length > mostSubmodules || submodules.length < names.length) {
    return refused(
      "io_error",
      "There are more submodules than are looked at, or one whose name is no text. Commit with bash.",
    );
  }
  const others = submodules.map((path) => `:(top,exclude,literal)${path}`);
  const staged = await runGit(resources, context, ["add", "--all", "--", ":(top)", ...others], {
    writes: true,
    magicPathspecs: true,
  });
  // Which commit a submodule is at is read from it without a look at its files.
  return !staged.ok || submodules.length === 0
    ? staged
    : await runGit(resources, context, ["update-index", "--remove", "--", ...submodules], { writes: true });
}

/** A line is `mode hash stage TAB path`. */
function isSubmodule(line: string): boolean {
  return isSubmoduleMode(Number.parseInt(line, 8));
}
