/** Finds the places that words of a command name, also words with patterns. */
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { isFolderAt } from "@localharness/workspace/paths/stats-at";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { locateWord, mayExist } from "../shell/locate.ts";
import type { Words } from "../shell/programs/program.ts";
import type { ReplacedPath } from "../shell/touched-paths.ts";

/**
 * Returns the places that the words name in one of the folders, with everything below them. A pattern means all of the folder before
 * its first sign. Returns undefined if a word may name anything, because it has a variable or a command in it.
 */
export function placesOfWords(
  workspace: Workspace,
  folders: readonly string[],
  words: Words,
): readonly ReplacedPath[] | undefined {
  const places: ReplacedPath[] = [];
  for (const word of words) {
    const literal = literalPart(word);
    if (literal === undefined) return undefined;
    for (const folder of folders) {
      if (!mayExist(workspace, folder, literal)) continue;
      places.push({ path: locateWord(workspace, folder, literal).path, below: true });
    }
  }
  return places;
}

/** Returns a word without signs as it is, and the folder before the first sign of a pattern; undefined for other words. */
function literalPart(word: string): string | undefined {
  if (/[$`\\]/.test(word)) return undefined;
  const sign = word.search(/[*?[{]/);
  if (sign === -1) return word;
  // A brace may hold a path that leads upwards, and after a link a folder may be elsewhere.
  if (/\{.*\/|\.\./.test(word.slice(sign))) return undefined;
  const folder = word.slice(0, sign).replace(/[^/]*$/, "");
  return folder === "" ? "." : folder;
}

const maxEntries = 5_000;

/**
 * Returns the places, if no link is in them: a program that puts files into a folder may follow a link to another one. Returns
 * undefined if there is a link, if a folder cannot be read, or if there is too much to look at.
 */
export function withoutLinks(
  { root }: Workspace,
  places: readonly ReplacedPath[] | undefined,
): readonly ReplacedPath[] | undefined {
  let left = maxEntries;
  const isPlain = (path: string): boolean => {
    const entries = readdirSync(path, { withFileTypes: true });
    left -= entries.length;
    return (
      left >= 0 &&
      entries.every((entry) => {
        if (entry.isSymbolicLink()) return false;
        return !entry.isDirectory() || entry.name === ".git" || isPlain(join(path, entry.name));
      })
    );
  };
  try {
    // The place in an added folder is absolute.
    const tops = places?.map(({ path }) => resolve(root, path));
    return tops?.every((path) => !isFolderAt(path) || isPlain(path)) === true ? places : undefined;
  } catch {
    return undefined;
  }
}
