/**
 * What git is told through its environment when a command runs it: programs that a repository names for showing things
 * never start. Hooks, filters and the like do what the person allowed, except in commands that only look.
 */
import { dirname } from "node:path";
import { asVariables, harmlessValue } from "../git/repository-programs.ts";
import { createFindRepository } from "./repository-config.ts";

const forShowing = /^(?:diff\..*|interactive\.difffilter|core\.pager|pager\..*)$/s;
const replaceable = /^(?:filter|gpg)\./;

/** `folder` and `root` (of the workspace) are absolute; `further` are settings that hold as well. */
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

/** A setting that shows what git would show without it: an empty one is an error for differences. */
function showsPlainly(key: string): string {
  return /^diff\.(?:external|.*\.command)$/s.test(key) ? plainDifference : "cat";
}

/** Git gives a path, then file, hash and mode of either side. */
const plainDifference = `sh -c 'git --no-pager diff --no-index --no-ext-diff --no-textconv -- "$1" "$4"; true'`;

/** Git would look into repositories in the repository by itself, and follow what those configure. */
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
