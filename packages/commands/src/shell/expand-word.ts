/** Finds the files that words with braces and patterns name, as the shell does. Patterns match only in the workspace and in added folders. */
import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { pathInside } from "@localharness/workspace/paths/door";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { placedIn } from "./locate.ts";
import { shellPattern } from "./shell-pattern.ts";

/** Expands the words of one command. The limits of paths and of names in folders hold for all words together. */
export interface WordExpander {
  /** Returns the paths to which the word expands, without the word itself. `folder` is relative to the workspace. */
  expand(folder: string, word: string): readonly string[];
  /** Returns true if words may name more paths: a limit was reached, or a sequence such as `{a..z}` was not expanded. */
  incomplete(): boolean;
}

const maxWords = 1_000;
const maxEntries = 20_000;
const maxBraces = 64;
const maxWordLength = 1_000;

export function createWordExpander(workspace: Workspace): WordExpander {
  let words = maxWords;
  let entries = maxEntries;
  let cut = false;

  function namesIn(folder: string, part: string): readonly string[] {
    let names: readonly string[];
    try {
      const at = realpathSync.native(absolute(folder));
      const isReached =
        pathInside(workspace.root, at) !== undefined || workspace.placeOf(at).added !== undefined;
      if (!isReached) return [];
      names = readdirSync(at);
    } catch {
      return [];
    }
    cut ||= names.length > entries;
    entries -= Math.min(entries, names.length);
    return cut ? [] : names.filter(shellPattern(part));
  }

  const absolute = (path: string) => placedIn(workspace.root, path);

  function matching(folder: string, pattern: string): readonly string[] {
    let places = [""];
    for (const [index, part] of pattern.split("/").entries()) {
      const before = index === 0 ? "" : "/";
      places = places.flatMap((place) =>
        isPattern(part)
          ? namesIn(placedIn(folder, place), part).map((name) => `${place}${before}${name}`)
          : [`${place}${before}${part}`],
      );
    }
    return places.filter((place) => isThere(absolute(placedIn(folder, place))));
  }

  return {
    expand(folder, word) {
      if (!/[*?[{]/.test(word)) return [];
      // A sequence such as {a..z} is not expanded.
      const counts = /\{[^{},]*\.\.[^{},]*\}/.test(word);
      const braces = word.length > maxWordLength || counts ? undefined : expandBraces(word);
      cut ||= braces === undefined;
      const found = new Set<string>();
      for (const one of braces ?? []) {
        if (isPattern(one)) for (const path of matching(folder, one)) found.add(path);
        else found.add(one);
      }
      found.delete(word);
      cut ||= found.size > words;
      const taken = [...found].slice(0, words);
      words -= taken.length;
      return taken;
    },
    incomplete: () => cut,
  };
}

function isPattern(text: string): boolean {
  return /[*?[]/.test(text);
}

/** Returns the words of all alternatives in braces; undefined if there are more than the limit. */
function expandBraces(word: string): readonly string[] | undefined {
  let words: readonly string[] = [word];
  for (;;) {
    const next = words.flatMap((one) => {
      const [whole = "", inner = ""] = /\{([^{}]*,[^{}]*)\}/.exec(one) ?? [];
      return whole === "" ? [one] : inner.split(",").map((part) => one.replace(whole, () => part));
    });
    if (next.length === words.length) return words;
    if (next.length > maxBraces) return undefined;
    words = next;
  }
}

/** Returns true if the path exists. A pattern expands only to paths that exist. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
