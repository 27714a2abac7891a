/** `git_diff`: shows the unstaged changes, or the staged changes. */

import type { GitParts } from "@localharness/commands/git/run-git";
import { runGit } from "@localharness/commands/git/run-git";
import { defineTool, type Tool } from "@localharness/engine";
import type { PathExaminer } from "@localharness/workspace/examine/planned-touch";
import { printableName } from "@localharness/workspace/show";
import { leftOutPaths, pathspecs } from "../git/left-out.ts";
import { examinePath, pathOf } from "../git/path-argument.ts";
import { folderAliases } from "../parts/aliases.ts";
import { flagArgument } from "../parts/arguments.ts";

const options = ["--no-color", "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty"];

export function gitDiff(resources: GitParts & PathExaminer): Tool {
  return defineTool({
    name: "git_diff",
    description: "Changes that are not staged; with staged those that are.",
    parameters: {
      type: "object",
      properties: { path: { type: "string", format: "path" }, staged: { type: "boolean" } },
    },
    aliases: ["diff"],
    parameterAliases: { path: folderAliases, staged: ["cached"] },
    risk: "low",
    readOnly: true,
    examine: (args) => examinePath(resources, args),
    execute: async (args, context) => {
      const path = pathOf(resources, args);
      if (!path.ok) return path;
      const staged = flagArgument(args, "staged") ? ["--cached"] : [];
      const out = await leftOutPaths(resources, context, ["diff", ...staged], path.value);
      if (!out.ok) return out;
      const limits = pathspecs(path.value, out.value);
      const diff = await runGit(resources, context, ["diff", ...options, ...staged, ...limits], {
        magicPathspecs: true,
      });
      if (!diff.ok) return diff;
      const none =
        staged.length > 0
          ? "Nothing is staged."
          : "No changes that are not staged. New files are listed by git_status.";
      const notes = out.value.length === 0 ? [] : [`changed, but not shown: ${shortList(out.value)}`];
      return { ok: true, data: diff.value === "" ? none : diff.value, notes };
    },
  });
}

function shortList(paths: readonly string[]): string {
  const more = paths.length > 10 ? ` and ${paths.length - 10} more` : "";
  return `${paths.slice(0, 10).map(printableName).join(", ")}${more}`;
}
