/**
 * Returns the environment variables for git in commands. Programs that a repository configures to show differences or pages of
 * output never start. Hooks and filters run if the person has allowed them, but never in commands that only read.
 */
import { dirname } from "node:path";
import { createFindRepository } from "./repository-config.ts";
import { asVariables, harmlessValue } from "./repository-programs.ts";

const forShowing = /^(?:diff\..*|interactive\.difffilter|core\.pager|pager\..*)$/s;
const replaceable = /^(?:filter|gpg)\./;

/**
 * Returns variables for git. `folder` and `root` (of the workspace) are absolute. `onlyLooks` is true for a command that
 * only reads. `further` has more settings of git.
 */
export function gitEnvironment(
  folder: string,
  root: string,
  onlyLooks: boolean,
  further: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const repository = createFindRepository()(folder);
  const keys = repository?.always ?? [];
  const settings: readonly (readonly [string, string])[] = [
    ...keys.filter((key) => forShowing.test(key)).map((key) => [key, showsPlainly(key)] as const),
    ...(onlyLooks
      ? keys.filter((key) => replaceable.test(key)).map((key) => [key, harmlessValue(key)] as const)
      : []),
    ["core.fsmonitor", "false"],
    ["safe.bareRepository", "explicit"],
    ...(onlyLooks ? [...forLookingSettings, ...(repository?.forLooking ?? [])] : []),
    ...Object.entries(further),
  ];
  return {
    ...asVariables(settings),
    ...(onlyLooks ? { ...forLooking, GIT_CEILING_DIRECTORIES: dirname(root) } : {}),
  };
}

/**
 * Returns a harmless program for the key, with which git shows the same as without the key. An empty value would be an error
 * for `git diff`.
 */
function showsPlainly(key: string): string {
  return /^diff\.(?:external|.*\.command)$/s.test(key) ? plainDifference : "cat";
}

/** A command for differences. Git passes a path, then the file, hash and mode of each side. */
const plainDifference = `sh -c 'git --no-pager diff --no-index --no-ext-diff --no-textconv -- "$1" "$4"; true'`;

/** Settings with which git runs no hooks, checks no signatures and does not enter repositories inside the repository. */
const forLookingSettings: readonly (readonly [string, string])[] = [
  ["core.hooksPath", "/dev/null"],
  ["diff.ignoreSubmodules", "dirty"],
  ["diff.submodule", "short"],
  ["status.submoduleSummary", "false"],
  ["log.showSignature", "false"],
];

const forLooking: Readonly<Record<string, string>> = {
  GIT_OPTIONAL_LOCKS: "0",
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
};
