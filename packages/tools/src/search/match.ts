/** Parses one match line of ripgrep's output. */
import { cutLine } from "../cut-text.ts";

export interface Match {
  /** Physical path relative to the workspace. */
  readonly path: string;
  /** Line number, from 1. */
  readonly line: number;
  readonly text: string;
}

/** The maximum length of a shown line in characters. Ripgrep cuts longer lines, but it counts bytes. */
export const maxShownChars = 300;

/**
 * Parses a line `./src/a.ts\0 12:text`, as printed with `--null`. `prefix` is the searched folder with a slash. Returns
 * undefined for any other line.
 */
export function readMatch(printed: string, prefix: string): Match | undefined {
  const name = printed.indexOf("\0");
  const number = printed.indexOf(":", name);
  const line = Number(printed.slice(name + 1, number));
  if (name === -1 || number === -1 || !Number.isInteger(line)) return undefined;
  const path = prefix + printed.slice(0, name).replace(/^\.\//, "");
  return { path, line, text: cutLine(printed.slice(number + 1).replace(/\r$/, ""), maxShownChars + 60) };
}

/** Returns the text of a match as it is in the file, without the note that a long line was cut. */
export function foundText(match: Match): string {
  const end = match.text.lastIndexOf(" [... ");
  return end === -1 ? match.text : match.text.slice(0, end);
}
