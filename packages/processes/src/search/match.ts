/** Parses one match line of ripgrep's output. */
import { cutLine } from "@localharness/workspace/cut-text";

export interface SearchMatch {
  /** Physical path relative to the workspace. */
  readonly path: string;
  /** Line number, from 1. */
  readonly line: number;
  readonly text: string;
}

/**
 * The length at which ripgrep cuts a line. It counts bytes, and adds a note, so that a shown line may be a little longer.
 */
export const maxShownChars = 300;

/**
 * Parses a line as ripgrep prints it with `--null`: the path, a zero byte, then `12:text`. `prefix` is the searched
 * folder, or the folder of the searched file, with a slash; empty for the root. Returns undefined for any other line.
 */
export function readMatch(printed: string, prefix: string): SearchMatch | undefined {
  const name = printed.indexOf("\0");
  const number = printed.indexOf(":", name);
  const line = Number(printed.slice(name + 1, number));
  if (name === -1 || number === -1 || !Number.isInteger(line)) return undefined;
  const path = prefix + printed.slice(0, name).replace(/^\.\//, "");
  return { path, line, text: cutLine(printed.slice(number + 1).replace(/\r$/, ""), maxShownChars + 60) };
}

/**
 * Returns the beginning of a matching line as it is in the file: the text before the note that the line was cut, or
 * before the last ` [... ` of the line itself; otherwise the whole text.
 */
export function foundText(match: SearchMatch): string {
  const end = match.text.lastIndexOf(" [... ");
  return end === -1 ? match.text : match.text.slice(0, end);
}
