/** One line that a search found, as ripgrep prints it. */
import { cutLine } from "../cut-text.ts";

export interface Match {
  /** Physical path relative to the workspace. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** Longer lines are cut by ripgrep itself, in bytes. */
export const longestLine = 300;

/** `./src/a.ts\0 12:text`, as printed with `--null`. `prefix`: the folder that was searched, with a slash. */
export function readMatch(printed: string, prefix: string): Match | undefined {
  const name = printed.indexOf("\0");
  const number = printed.indexOf(":", name);
  const line = Number(printed.slice(name + 1, number));
  if (name === -1 || number === -1 || !Number.isInteger(line)) {
    return undefined;
  }
  const path = prefix + printed.slice(0, name).replace(/^\.\//, "");
  return { path, line, text: cutLine(printed.slice(number + 1).replace(/\r$/, ""), longestLine + 60) };
}

/** The part of a match's text that stands in the file: without what says that the line goes on. */
export function foundText(match: Match): string {
  const end = match.text.lastIndexOf(" [... ");
  return end === -1 ? match.text : match.text.slice(0, end);
}
