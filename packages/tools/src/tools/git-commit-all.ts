/** `git_commit_all`: stages and commits every change of the workspace, without running the repository's hooks. */

import type { GitParts } from "@localharness/commands/git/run-git";
import { runGit } from "@localharness/commands/git/run-git";
import { storedPaths } from "@localharness/commands/git/stored-paths";
import { storedSecrets } from "@localharness/commands/git/stored-secrets";
import {
  type CallFacts,
  defineTool,
  type Tool,
  type ToolContext,
  type ToolOutput,
} from "@localharness/engine";
import type { JsonObject } from "@localharness/protocol";
import { refused } from "@localharness/workspace/outcome";
import { stageAll } from "../git/stage-all.ts";
import { textArgument } from "../parts/arguments.ts";

export function gitCommitAll(resources: GitParts): Tool {
  return defineTool({
    name: "git_commit_all",
    description: "Stage all changes and commit them.",
    parameters: { type: "object", properties: { message: { type: "string" } }, required: ["message"] },
    aliases: ["git_commit", "commit_all", "commit"],
    parameterAliases: { message: ["msg", "commit_message", "text"] },
    risk: "high",
    readOnly: false,
    examine: (_args, signal) => examine(resources, signal),
    execute: (args, context) => commitAll(resources, args, context),
  });
}

/** The maximum number of paths in the effect. The line of facts cuts them, and all facts show them. */
const maxNamed = 100;

async function examine(resources: GitParts, signal: AbortSignal): Promise<CallFacts> {
  const staged = (await storedPaths(resources, { words: ["commit"], folders: ["."] }, signal)) ?? [];
  const changed = (await storedPaths(resources, { words: ["add", "-A"], folders: ["."] }, signal)) ?? [];
  const paths = [...new Set([...staged, ...changed])];
  const more = paths.length - maxNamed;
  const named = paths.slice(0, maxNamed).map((path) => JSON.stringify(path));
  const list = [...named, ...(more > 0 ? [`${more} more`] : [])].join(", ");
  const effect = "commits every change of the workspace";
  return { effect: list === "" ? effect : `${effect}: ${list}`, concerns: storedSecrets(paths) };
}

async function commitAll(resources: GitParts, args: JsonObject, context: ToolContext): Promise<ToolOutput> {
  const message = textArgument(args, "message")?.trim() ?? "";
  if (message === "" || message.includes("\0")) {
    return refused(
      "validation_failed",
      "message is empty or has a NUL character: say in a line what was changed.",
    );
  }
  const status = await runGit(resources, context, ["status", "--porcelain", "--ignore-submodules=dirty"]);
  if (!status.ok) return status;
  if (status.value === "") return { ok: true, data: "Nothing to commit, the working tree is clean." };
  const staged = await stageAll(resources, context);
  if (!staged.ok) return staged;
  const committed = await runGit(resources, context, ["commit", "--no-verify", `--message=${message}`]);
  if (!committed.ok) return committed;
  const hash = await runGit(resources, context, ["rev-parse", "--short", "HEAD"]);
  const id = hash.ok ? hash.value.trim() : "";
  return {
    ok: true,
    data: `Committed: ${id} ${message.split("\n")[0]}\n${committed.value.trim()}`,
    achieved: [{ kind: "committed", subject: id }],
  };
}
