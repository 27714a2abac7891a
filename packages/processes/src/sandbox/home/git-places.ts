/** Finds the settings of git in a home folder, and the files that they name. */

import { dirname, join } from "node:path";
import { readPlain } from "@localharness/workspace/files/plain-file";
import { readEntries } from "@localharness/workspace/git-files/read-config";
import { pathInside } from "@localharness/workspace/paths/door";
import { realAsFar } from "@localharness/workspace/paths/real-as-far";
import { secretName } from "@localharness/workspace/paths/secret-name";
import { wordsPattern } from "@localharness/workspace/patterns";
import { type HomeQuestion, pathsAtHome, type ShownPlace } from "./home-question.ts";
import { withoutPasswords } from "./looks-secret.ts";
import { gitConfigs } from "./shown-table.ts";

/** The maximum number of files of settings that are followed. */
const maxFiles = 50;
const maxBytes = 1_000_000;

/** Keys whose values are files with further settings. */
const includes = /^(?:include\.path|includeif\..*\.path)$/s;
/** Keys whose values are files or folders that git reads or runs. */
const names = wordsPattern(
  "^",
  String.raw`core\.(?:excludesfile|attributesfile|hookspath) commit\.template init\.templatedir mailmap\.file
    diff\.orderfile blame\.ignorerevsfile gpg\.ssh\.(?:allowedsignersfile|revocationfile)`,
  "$",
);

export interface GitPlaces {
  readonly places: readonly ShownPlace[];
  /** The contents without passwords of files that have some, by their real paths. */
  readonly replaced: ReadonlyMap<string, string>;
}

/** Resolves to the person's own settings of git, those that they include, and the files that they name. */
export async function gitPlaces(
  homes: readonly string[],
  environment: HomeQuestion["environment"],
): Promise<GitPlaces> {
  const places: ShownPlace[] = [];
  const replaced = new Map<string, string>();
  const queue = homes.flatMap((home) =>
    gitConfigs.flatMap((name) => pathsAtHome(home, name, environment).map((path) => ({ home, path }))),
  );
  const seen = new Set<string>();
  for (const { home, path } of queue) {
    const real = realAsFar(path);
    if (seen.has(real) || seen.size >= maxFiles || secretName(real) !== undefined) continue;
    seen.add(real);
    const content = await readPlain(path).catch(() => undefined);
    if (content === undefined || content.length > maxBytes) continue;
    const text = withoutPasswords(content);
    if (text !== undefined) replaced.set(real, text);
    places.push({ path, why: "settings of git" });
    for (const { key, value } of readEntries(content) ?? []) {
      const named = absolute(home, path, value);
      if (named === undefined || named === home || secretName(named) !== undefined) continue;
      if (includes.test(key)) queue.push({ home, path: named });
      else if (names.test(key)) places.push({ path: named, why: `named by git's ${key}` });
    }
  }
  return { places, replaced };
}

/** Returns the absolute path that a setting names; undefined if it is not in the home folder. */
function absolute(home: string, from: string, value: string): string | undefined {
  if (value === "") return undefined;
  const path = value.startsWith("~/")
    ? join(home, value.slice(2))
    : value.startsWith("/")
      ? join(value)
      : join(dirname(from), value);
  return pathInside(home, path) === undefined ? undefined : path;
}
