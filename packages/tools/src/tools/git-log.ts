/** `git_log`: lists the last commits, one line each. */

import type { GitParts } from "@localharness/commands/git/run-git";
import { runGit } from "@localharness/commands/git/run-git";
import { defineTool, type Tool } from "@localharness/engine";
import type { PathExaminer } from "@localharness/workspace/examine/planned-touch";
import { examinePath, pathArguments } from "../git/path-argument.ts";
import { folderAliases } from "../parts/aliases.ts";
import { numberArgument } from "../parts/arguments.ts";

const defaultCount = 10;
const maxCount = 100;

export function gitLog(resources: GitParts & PathExaminer): Tool {
  return defineTool({
    name: "git_log",
    description: "The last commits: hash, date, author, subject.",
    parameters: {
      type: "object",
      properties: { max_count: { type: "integer" }, path: { type: "string", format: "path" } },
    },
    aliases: ["log", "git_history"],
    parameterAliases: { path: folderAliases, max_count: ["limit", "count", "n", "max_commits"] },
    risk: "low",
    readOnly: true,
    examine: (args) => examinePath(resources, args, true),
    execute: async (args, context) => {
      const path = pathArguments(resources, args);
      if (!path.ok) return path;
      const count = Math.min(
        Math.max(Math.floor(numberArgument(args, "max_count") ?? defaultCount), 1),
        maxCount,
      );
      const format = [
        "--format=%h %ad %an: %s",
        "--date=iso",
        "--no-color",
        "--no-show-signature",
        `--max-count=${count}`,
      ];
      const log = await runGit(resources, context, ["log", ...format, ...path.value]);
      return log.ok ? { ok: true, data: log.value === "" ? "No commits." : log.value } : log;
    },
  });
}
