/** Finds concerns about git calls whose repository configures programs. A concern asks even if an answer was remembered. */
import { resolve } from "node:path";
import type { Concern } from "@localharness/engine";
import {
  createFindRepository,
  type RepositoryConfig,
} from "@localharness/workspace/git-files/repository-config";
import { pathInside } from "@localharness/workspace/paths/door";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { type GitCall, readGitCall } from "../shell/git-call.ts";
import { locateWord } from "../shell/locate.ts";
import type { Words } from "../shell/programs/program.ts";
import { programOf } from "../shell/programs/table.ts";
import { gitLooks } from "../shell/read-only-git.ts";

export interface GitLook {
  readonly concerns: readonly Concern[];
  /** The configuration of the repositories in which git would run. A remembered answer no longer holds if it changes. */
  readonly configuration: string;
  /** False if one of the calls would find no repository, or one that is unknown or outside the workspace. */
  readonly inRepository: boolean;
}

/** Returns the concerns about git calls; undefined if there is no such call. `folders` are relative to the workspace. */
export function lookAtGit(
  workspace: Workspace,
  calls: readonly Words[],
  folders: readonly string[],
): GitLook | undefined {
  const gitCalls = calls
    .filter(([name = ""]) => programOf(name).reaches !== undefined)
    .map((words) => readGitCall(words.slice(1)));
  if (gitCalls.length === 0) return undefined;
  const concerns = new Map<string, Concern>();
  const configurations = new Set<string>();
  const findRepository = createFindRepository();
  let inRepository = true;
  for (const call of gitCalls) {
    const places = folders.map((folder) => folderOf(workspace, folder, call));
    // Git fails in a folder without the folder of its option `-C`. Such a folder counts only if no other folder has it.
    const some = places.some((place) => place !== undefined && place !== "missing");
    for (const place of some ? places.filter((one) => one !== "missing") : places) {
      const at = place === "missing" ? undefined : place;
      const repository = at === undefined ? undefined : findRepository(resolve(workspace.root, at));
      inRepository &&= repository !== undefined && isReached(workspace, repository.root);
      configurations.add(repository?.text ?? "");
      const concern = at === undefined ? elsewhere : repository && concernAbout(call, repository);
      if (concern !== undefined) concerns.set(concern.reason, concern);
    }
  }
  return { concerns: [...concerns.values()], configuration: [...configurations].join("\0"), inRepository };
}

function isReached(workspace: Workspace, root: string): boolean {
  return pathInside(workspace.root, root) !== undefined || workspace.placeOf(root).added !== undefined;
}

/** Returns the folder in which git would run; undefined if it is outside the workspace or unknown; `missing` if it is absent. */
function folderOf(workspace: Workspace, folder: string, call: GitCall): string | undefined {
  let at = folder;
  for (const next of call.folders) {
    const place = locateWord(workspace, at, next);
    if (place.kind === "missing") return "missing";
    if (place.kind !== "folder") return undefined;
    at = place.path;
  }
  return call.named ? undefined : at;
}

const ask = (id: string, reason: string): Concern => ({ id, decision: "ask", reason });

const elsewhere = ask("git-elsewhere", "git would run on a repository that is not the one of this folder");

/** Matches commands that run no hooks, open no connection and start no program, except with some options. */
const quiet = /^(?:add|rm|mv|restore|reset|clean|apply|init|grep|format-patch|config)$/;
/** Matches options with which these commands start an editor or a merge driver. */
const startsMore = /^(?:-[a-zA-Z]*[em3]|--(?:edit|merge|3way|conflict).*)$/;
const maxShown = 8;
const everyCommand = /^hooks\/(?:post-index-change|reference-transaction|\?|fsmonitor)/;

function concernAbout(call: GitCall, repository: RepositoryConfig): Concern | undefined {
  if (repository.odd !== undefined) return ask("git-elsewhere", `${repository.odd}; git would follow it`);
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
  if (started.length === 0) return undefined;
  const shown = started.slice(0, maxShown).join(", ");
  return ask(
    "git-programs",
    `this repository configures what git would start or do: ${shown}. Look at .git/config and .git/hooks before you allow it`,
  );
}
