/** The files that a word with braces and patterns stands for, found as the shell will find them. Bounded, never certain. */
import { lstatSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathInside } from "../workspace/door.ts";
import type { Workspace } from "../workspace/workspace.ts";

const mostWords = 64;
const mostEntries = 2_000;

/** Without the word itself where it stands for itself. `folder` is relative to the workspace. */
export function expandWord(workspace: Workspace, folder: string, word: string): readonly string[] {
  if (!/[*?[{]/.test(word) || word.length > 1_000) return [];
  const found = new Set<string>();
  for (const one of expandBraces(word)) {
    if (/[*?[]/.test(one)) for (const path of matching(workspace, folder, one)) found.add(path);
    else found.add(one);
  }
  found.delete(word);
  return [...found].slice(0, mostWords);
}

function expandBraces(word: string): readonly string[] {
  let words = [word];
  for (let round = 0; round < 6; round += 1) {
    const next = words.flatMap((one) => {
      const [whole = "", inner = ""] = /\{([^{}]*,[^{}]*)\}/.exec(one) ?? [];
      return whole === "" ? [one] : inner.split(",").map((part) => one.replace(whole, () => part));
    });
    if (next.length === words.length || next.length > mostWords) break;
    words = next;
  }
  return words;
}

function matching(workspace: Workspace, folder: string, pattern: string): readonly string[] {
  const parts = pattern.split("/");
  let places = [""];
  for (const [index, part] of parts.entries()) {
    const last = index === parts.length - 1;
    places = places
      .flatMap((place) =>
        /[*?[]/.test(part)
          ? namesIn(workspace, folder, place, part).map((name) => place + name)
          : [place + part],
      )
      .slice(0, mostWords)
      .map((place) => (last ? place : `${place}/`));
  }
  return places.filter((place) => isThere(resolve(workspace.root, folder, place)));
}

/** The shell takes a pattern for what is there and nothing else. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function namesIn(workspace: Workspace, folder: string, place: string, part: string): readonly string[] {
  const at = resolve(workspace.root, folder, place);
  if (pathInside(workspace.root, at) === undefined) return [];
  try {
    const test = shellPattern(part);
    return readdirSync(join(at))
      .slice(0, mostEntries)
      .filter((name) => test.test(name));
  } catch {
    return [];
  }
}

/** One name's pattern. A dot at the beginning is matched by a dot alone. */
function shellPattern(part: string): RegExp {
  const body = part.replace(/\[!?\]?[^\]]*\]|[\s\S]/g, (piece) => {
    if (piece === "*") return ".*";
    if (piece === "?") return ".";
    if (piece.length > 1 && !piece.includes("\\")) return piece.replace(/^\[!/, "[^");
    return piece.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  });
  return new RegExp(`^${/^[*?[]/.test(part) ? "(?!\\.)" : ""}${body}$`, "su");
}
