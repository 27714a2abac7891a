/** Git and similar programs. Files such as `git-starts.ts` and `git-writes.ts` read the commands of git. */

import { readGitCall } from "../git-call.ts";
import { gitStarts } from "../git-calls/git-starts.ts";
import { gitWrites } from "../git-calls/git-writes.ts";
import { gitReach } from "../git-reach.ts";
import { lostByGit } from "../losing/git-keeps.ts";
import { gitLooks } from "../read-only-git.ts";
import type { ProgramRows, Words, Wrapped } from "./program.ts";

export const git: ProgramRows = {
  git: {
    risk: "repository",
    network: [
      [/^(?:-\S+ )*push(?: |$)/, "pushes to another repository"],
      [
        /^(?:-\S+ )*(?:fetch|pull|clone|ls-remote|submodule (?:update|add)|remote update)(?: |$)/,
        "fetches from another repository",
      ],
    ],
    loses: lostByGit,
    // What it writes counts as lost only if nothing tells where the rest of its losses is.
    keeps: (args) => typeof lostByGit(args, () => true) !== "string",
    looks: gitLooks,
    searches: {
      folders: /^(?:-\S+ )*grep(?: |$)/,
      namesOnly: /^-[a-zA-Z]*[lLcq]|^--(?:files-with|name-only|count|quiet)/,
    },
    starts: startedByGit,
    reaches: gitReach,
    writes: (args) => gitWrites(args).map((word) => ({ word, below: true })),
    silent: /^(?:add|rm|commit|check-ignore|checkout|restore|reset|stash|update-index|clean)$/,
    achieves: { kind: "committed", words: /^(?:-\S+ )*commit(?: |$)/ },
  },
  hg: { risk: "repository", files: ".hg/hgrc" },
  "svn gh glab": { risk: "repository", network: [[/^/, "talks to a server"]] },
};

/** Returns the calls that git starts, and the call without the options before its command, because rules apply to that too. */
function startedByGit(args: Words): readonly Wrapped[] {
  const call = readGitCall(args);
  const bare = call.command === "" || call.args.length === args.length ? [] : [["git", ...call.args]];
  return [...bare.map((words) => ({ kind: "call", words }) as const), ...gitStarts(args)];
}
