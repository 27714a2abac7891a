/** `git_diff`: what has changed since the last commit, or what is staged. */
import { defineTool, type Tool } from "@localharness/engine";
import { folderAliases } from "../aliases.ts";
import { flagArgument } from "../arguments.ts";
import { pathArguments } from "../git/path-argument.ts";
import { runGit } from "../git/run-git.ts";
import type { ToolResources } from "../resources.ts";

const options = ["--no-color", "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty"];

export function gitDiff(resources: ToolResources): Tool {
  return defineTool({
    name: "git_diff",
    description: "Changes that are not staged; with staged those that are.",
    parameters: { type: "object", properties: { path: { type: "string" }, staged: { type: "boolean" } } },
    aliases: ["diff"],
    parameterAliases: { path: folderAliases, staged: ["cached"] },
    risk: "low",
    readOnly: true,
    execute: async (args, context) => {
      const path = pathArguments(resources, args);
      if (!path.ok) {
        return path;
      }
      const staged = flagArgument(args, "staged") ? ["--cached"] : [];
      const diff = await runGit(resources, context, ["diff", ...options, ...staged, ...path.value]);
      if (!diff.ok) {
        return diff;
      }
      const none =
        staged.length > 0
          ? "Nothing is staged."
          : "No changes that are not staged. New files are listed by git_status.";
      return { ok: true, data: diff.value === "" ? none : diff.value };
    },
  });
}
