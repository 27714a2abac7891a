/** `git_status`: lists the changed files in the format of `git status --porcelain`. */

import type { GitParts } from "@localharness/commands/git/run-git";
import { runGit } from "@localharness/commands/git/run-git";
import { defineTool, type Tool } from "@localharness/engine";

export function gitStatus(resources: GitParts): Tool {
  return defineTool({
    name: "git_status",
    description: "Changed files (porcelain format).",
    parameters: { type: "object", properties: {} },
    aliases: ["status"],
    risk: "low",
    readOnly: true,
    examine: () => ({ looks: true }),
    execute: async (_args, context) => {
      const status = await runGit(resources, context, ["status", "--porcelain", "--ignore-submodules=dirty"]);
      if (!status.ok) return status;
      return {
        ok: true,
        data: status.value === "" ? "Nothing to commit, the working tree is clean." : status.value,
      };
    },
  });
}
