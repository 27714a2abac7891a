/**
 * The programs that a repository's own configuration names for filters, diffs, merges, hooks and signatures. What the
 * person's own configuration names is another matter and stays.
 */

const names = [
  "filter\\..*\\.(clean|smudge|process|required)",
  "diff\\..*\\.(command|textconv)",
  "merge\\..*\\.driver",
  "hook\\..*\\.command",
  "gpg\\.(.*\\.)?(program|defaultkeycommand)",
  "core\\.(sshcommand|gitproxy|alternaterefscommand|worktree)",
];

/** Lists them: `scope NUL key NUL ...`. Exit code 1 when there are none. */
export const listPrograms: readonly string[] = [
  "config",
  "--show-scope",
  "--includes",
  "--null",
  "--name-only",
  "--get-regexp",
  `^(${names.join("|")})$`,
];

/** The keys that the repository sets, out of what `listPrograms` printed. */
export function repositoryPrograms(listed: string): readonly string[] {
  const parts = listed.split("\0");
  const keys = new Set<string>();
  for (let index = 0; index + 1 < parts.length; index += 2) {
    if (parts[index] === "local" || parts[index] === "worktree") {
      keys.add(parts[index + 1] ?? "");
    }
  }
  return [...keys];
}

/** Environment variables that give harmless values to those keys; unlike `-c` they hold for any key. */
export function replacedPrograms(keys: readonly string[]): Readonly<Record<string, string>> {
  const settings: Record<string, string> = { GIT_CONFIG_COUNT: String(keys.length) };
  for (const [index, key] of keys.entries()) {
    settings[`GIT_CONFIG_KEY_${index}`] = key;
    settings[`GIT_CONFIG_VALUE_${index}`] = harmlessValue(key.toLowerCase());
  }
  return settings;
}

function harmlessValue(key: string): string {
  if (key.startsWith("gpg.") && key.endsWith(".program")) {
    return key.includes(".ssh.") ? "ssh-keygen" : key.includes(".x509.") ? "gpgsm" : "gpg";
  }
  return key.endsWith(".required") ? "false" : key === "core.worktree" ? "." : "";
}
