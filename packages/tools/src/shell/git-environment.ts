/**
 * What git is told through its environment when a command runs it: programs that a repository names for showing things
 * never start. Hooks, filters and the like do what the person allowed, except in commands that only look.
 */
import { replacedPrograms } from "../git/repository-programs.ts";
import { findRepository } from "./repository-config.ts";

const forShowing = /^(?:diff\..*|textconv\..*|interactive\.difffilter|core\.pager|pager\..*)$/;

/** Settings beat those of the repository. Only what names a program may be replaced by an empty value. */
const replaceable = /^(?:diff|textconv|filter|gpg|merge|interactive|core\.pager|pager)\b/;

/** `folder` is absolute; `further` are settings that hold as well. */
export function gitEnvironment(
  folder: string,
  onlyLooks: boolean,
  further: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const repository = findRepository(folder);
  const keys = (repository?.always ?? []).filter((key) =>
    onlyLooks ? replaceable.test(key) : forShowing.test(key),
  );
  const fixed: readonly (readonly [string, string])[] = [
    ["core.fsmonitor", "false"],
    ["safe.bareRepository", "explicit"],
    ...(onlyLooks ? ([["core.hooksPath", "/dev/null"]] as const) : []),
    ...Object.entries(further),
  ];
  const settings: Record<string, string> = {
    ...replacedPrograms(keys),
    GIT_CONFIG_COUNT: String(keys.length + fixed.length),
  };
  for (const [index, [key, value]] of fixed.entries()) {
    settings[`GIT_CONFIG_KEY_${keys.length + index}`] = key;
    settings[`GIT_CONFIG_VALUE_${keys.length + index}`] = value;
  }
  return onlyLooks ? { ...settings, ...forLooking } : settings;
}

const forLooking: Readonly<Record<string, string>> = {
  GIT_OPTIONAL_LOCKS: "0",
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
};
