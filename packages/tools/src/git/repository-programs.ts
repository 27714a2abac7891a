/**
 * What a repository's own configuration names for git to start or to read, and what stands in its place when we start
 * git. What the person's own configuration names is another matter and stays.
 */
import { valueForLooking } from "./config-keys.ts";
import { asText, type ConfigEntry } from "./read-config.ts";

/** Programs for filters, diffs, merges, hooks and signatures. `s`: a subsection may hold any character. */
const startsPrograms =
  /^(?:filter\..*\.(?:clean|smudge|process|required)|diff\..*\.(?:command|textconv)|merge\..*\.driver|hook\..*\.command|gpg\.(?:.*\.)?(?:program|defaultkeycommand)|core\.(?:sshcommand|gitproxy|alternaterefscommand|worktree))$/s;

/**
 * Lists all settings: `scope NUL key LF value NUL ...`. They are chosen here and not by git, for which a dot in a
 * pattern matches no invalid UTF-8.
 */
export const listSettings: readonly string[] = ["config", "--show-scope", "--includes", "--null", "--list"];

/** Settings of the repository that get another value. `unreadable`: a key of which no variable could hold the name. */
export type RepositoryPrograms =
  | { readonly kind: "read"; readonly settings: readonly (readonly [string, string])[] }
  | { readonly kind: "unreadable"; readonly key: string };

/** `listed` is what `listSettings` printed; `home` the folder that holds `.git`. */
export function repositoryPrograms(listed: Buffer, home: string): RepositoryPrograms {
  const parts = listed.toString("latin1").split("\0");
  const settings = new Map<string, string>();
  for (let index = 0; index + 1 < parts.length; index += 2) {
    if (parts[index] !== "local" && parts[index] !== "worktree") {
      continue;
    }
    const entry = entryOf(parts[index + 1] ?? "");
    const value = startsPrograms.test(entry.key) ? harmlessValue(entry.key) : valueForLooking(entry, home);
    if (value === undefined) {
      continue;
    }
    const key = asText(entry.key);
    if (key === undefined) {
      return { kind: "unreadable", key: Buffer.from(entry.key, "latin1").toString("utf8") };
    }
    settings.set(key, value);
  }
  return { kind: "read", settings: [...settings] };
}

/** A subsection holds no line end, so the first one ends the key. */
function entryOf(listed: string): ConfigEntry {
  const end = listed.indexOf("\n");
  return end === -1
    ? { key: listed, value: "" }
    : { key: listed.slice(0, end), value: Buffer.from(listed.slice(end + 1), "latin1").toString("utf8") };
}

/** Environment variables that set them; unlike `-c` they hold for any key. */
export function asVariables(settings: readonly (readonly [string, string])[]): Record<string, string> {
  const variables: Record<string, string> = { GIT_CONFIG_COUNT: String(settings.length) };
  for (const [index, [key, value]] of settings.entries()) {
    variables[`GIT_CONFIG_KEY_${index}`] = key;
    variables[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return variables;
}

/** For a key that starts a program. Keys have their section and name in lower case. */
export function harmlessValue(key: string): string {
  if (key.startsWith("gpg.") && key.endsWith(".program")) {
    return key.includes(".ssh.") ? "ssh-keygen" : key.includes(".x509.") ? "gpgsm" : "gpg";
  }
  return key.endsWith(".required") ? "false" : key === "core.worktree" ? "." : "";
}
