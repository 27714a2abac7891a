/**
 * When the tools start git, replaces the settings of the repository's own configuration that name programs or files. Keeps the
 * person's own configuration.
 */
import { wordsPattern } from "../patterns.ts";
import { valueForLooking } from "./config-keys.ts";
import { asText, type ConfigEntry } from "./read-config.ts";

/**
 * Keys of programs for filters, diffs, merges, hooks and signatures. The pattern has the flag `s`, because a subsection
 * may contain any character.
 */
const startsPrograms = wordsPattern(
  "^",
  String.raw`filter\..*\.(?:clean|smudge|process|required) diff\..*\.(?:command|textconv) merge\..*\.driver
    hook\..*\.command gpg\.(?:.*\.)?(?:program|defaultkeycommand)
    core\.(?:sshcommand|gitproxy|alternaterefscommand|worktree)`,
  "$",
  "s",
);

/**
 * Arguments that list all settings as `scope NUL key LF value NUL ...`. The filter is applied here and not by git, whose
 * patterns do not match invalid UTF-8.
 */
export const listSettings: readonly string[] = ["config", "--show-scope", "--includes", "--null", "--list"];

/**
 * Settings of the repository that must be replaced. `unreadable` means that no environment variable can contain the name of a
 * key.
 */
export type RepositoryPrograms =
  | { readonly kind: "read"; readonly settings: readonly (readonly [string, string])[] }
  | { readonly kind: "unreadable"; readonly key: string };

/** Returns the replacements. `listed` is the output of `listSettings`; `home` is the folder with `.git`. */
export function repositoryPrograms(listed: Buffer, home: string): RepositoryPrograms {
  const parts = listed.toString("latin1").split("\0");
  const settings = new Map<string, string>();
  for (let index = 0; index + 1 < parts.length; index += 2) {
    if (parts[index] !== "local" && parts[index] !== "worktree") continue;
    const entry = entryOf(parts[index + 1] ?? "");
    const value = startsPrograms.test(entry.key) ? harmlessValue(entry.key) : valueForLooking(entry, home);
    if (value === undefined) continue;
    const key = asText(entry.key);
    if (key === undefined) {
      return { kind: "unreadable", key: Buffer.from(entry.key, "latin1").toString("utf8") };
    }
    settings.set(key, value);
  }
  return { kind: "read", settings: [...settings] };
}

/** Splits key and value at the first LF, which a key cannot contain. */
function entryOf(listed: string): ConfigEntry {
  const end = listed.indexOf("\n");
  return end === -1
    ? { key: listed, value: "" }
    : { key: listed.slice(0, end), value: Buffer.from(listed.slice(end + 1), "latin1").toString("utf8") };
}

/** Returns the environment variables that give git these settings. Unlike the option `-c`, the variables work for any key. */
export function asVariables(settings: readonly (readonly [string, string])[]): Record<string, string> {
  const variables: Record<string, string> = { GIT_CONFIG_COUNT: String(settings.length) };
  for (const [index, [key, value]] of settings.entries()) {
    variables[`GIT_CONFIG_KEY_${index}`] = key;
    variables[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return variables;
}

/** Returns a harmless value for a key that starts a program. Keys have their section and name in lower case. */
export function harmlessValue(key: string): string {
  if (key.startsWith("gpg.") && key.endsWith(".program")) {
    return key.includes(".ssh.") ? "ssh-keygen" : key.includes(".x509.") ? "gpgsm" : "gpg";
  }
  return key.endsWith(".required") ? "false" : key === "core.worktree" ? "." : "";
}
