/** `git_current_branch`: returns the name of the branch. */

import type { GitParts } from "@localharness/commands/git/run-git";
import { runGit } from "@localharness/commands/git/run-git";
import { defineTool, type Tool } from "@localharness/engine";

export function gitCurrentBranch(resources: GitParts): Tool {
  return defineTool({
    name: "git_current_branch",
    description: "The name of the current branch.",
    parameters: { type: "object", properties: {} },
    aliases: ["git_branch", "current_branch", "branch"],
    risk: "low",
    readOnly: true,
    examine: () => ({ looks: true }),
    execute: async (_args, context) => {
      const branch = await runGit(resources, context, ["branch", "--show-current"]);
      if (!branch.ok || branch.value.trim() !== "") {
        return branch.ok ? { ok: true, data: branch.value.trim() } : branch;
      }
      const commit = await runGit(resources, context, ["rev-parse", "--short", "HEAD"]);
      return commit.ok ? { ok: true, data: `No branch (detached at ${commit.value.trim()}).` } : commit;
    },
  });
}
