/** Git calls of a command in repositories that configure programs: they are asked about whatever was remembered. */

import { join } from "node:path";
import type { Concern } from "@localharness/engine";
import { pathInside } from "../workspace/door.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { type GitCall, readGitCall } from "./git-call.ts";
import { locateWord } from "./locate.ts";
import type { Words } from "./programs/program.ts";
import { baseName, programOf } from "./programs/table.ts";
import { gitLooks } from "./read-only-git.ts";
import { createFindRepository, type RepositoryConfig } from "./repository-config.ts";

export interface GitLook {
  readonly concerns: readonly Concern[];
  /** Configuration of the repositories in which git would run, for a mark of their state. */
  readonly configuration: string;
  /** False when git looks at more than the workspace: no repository, one above it, or one elsewhere. */
  readonly inRepository: boolean;
}

/** `folders`: where the calls may run, relative to the workspace. */
export function lookAtGit(
  workspace: Workspace,
  calls: readonly Words[],
  folders: readonly string[],
): GitLook | undefined {
  const gitCalls = calls
    .filter(([name = ""]) => programOf(baseName(name)).reaches !== undefined)
    .map((words) => readGitCall(words.slice(1)));
  if (gitCalls.length === 0) return undefined;
  const concerns = new Map<string, Concern>();
  const configurations = new Set<string>();
  const findRepository = createFindRepository();
  let inRepository = true;
  for (const call of gitCalls) {
    for (const folder of folders) {
      const at = folderOf(workspace, folder, call);
      const repository = at === undefined ? undefined : findRepository(join(workspace.root, at));
      inRepository &&= repository !== undefined && pathInside(workspace.root, repository.root) !== undefined;
      configurations.add(repository?.text ?? "");
      const concern = at === undefined ? elsewhere : repository && concernAbout(call, repository);
      if (concern !== undefined) concerns.set(concern.reason, concern);
    }
  }
  return { concerns: [...concerns.values()], configuration: [...configurations].join("\0"), inRepository };
}

/** Undefined when it cannot be told, or lies out of the workspace. */
function folderOf(workspace: Workspace, folder: string, call: GitCall): string | undefined {
  let at = folder;
  for (const next of call.folders) {
    const place = locateWord(workspace, at, next);
    if (place.kind !== "folder") return undefined;
    at = place.path;
  }
  return call.named ? undefined : at;
}

const elsewhere: Concern = {
  id: "git-elsewhere",
  decision: "ask",
  reason: "git would run on a repository that is not the one of this folder",
};

/** Commands that run no hooks of their own, connect nowhere and start nothing, but with some options. */
const quiet = /^(?:add|rm|mv|restore|reset|clean|apply|init|grep|format-patch|config)$/;
/** An editor, or drivers that merge. */
const startsMore = /^(?:-[a-zA-Z]*[em3]|--(?:edit|merge|3way|conflict).*)$/;
const everyCommand = /^hooks\/(?:post-index-change|reference-transaction|\?|fsmonitor)/;

function concernAbout(call: GitCall, repository: RepositoryConfig): Concern | undefined {
  if (repository.odd !== undefined)
    return { id: "git-elsewhere", decision: "ask", reason: `${repository.odd}; git would follow it` };
  const looks = gitLooks(call.args) !== undefined;
  const isQuiet = quiet.test(call.command) && !call.args.some((word) => startsMore.test(word));
  const hooks = repository.forChanges.filter((key) => !isQuiet || everyCommand.test(key));
  const started = [
    ...repository.always,
    ...(looks ? [] : hooks),
    ...repository.aliases
      .filter((alias) => alias === call.command.toLowerCase())
      .map((alias) => `alias.${alias}`),
  ];
  return started.length === 0
    ? undefined
    : {
        id: "git-programs",
        decision: "ask",
        reason: `this repository configures what git would start or do: ${started.slice(0, 8).join(", ")}. Look at .git/config and .git/hooks before you allow it`,
      };
}
