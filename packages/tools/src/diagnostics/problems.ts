/** Reads the errors that a language server reports, and finds those that an edit has added. */
import { isJsonObject, type JsonValue, visibleLine } from "@localharness/protocol";

export interface Problem {
  /** The line, from 1. */
  readonly line: number;
  /** The message on one line, with the code of the error if there is one. */
  readonly text: string;
}

/** The maximum number of errors of a file that are kept. */
const maxKept = 200;
const maxTextChars = 240;
const errorSeverity = 1;

/** Returns the errors among the diagnostics of a file; other severities and malformed entries are left out. */
export function readProblems(diagnostics: JsonValue | undefined): readonly Problem[] {
  if (!Array.isArray(diagnostics)) return [];
  return diagnostics.flatMap(readProblem).slice(0, maxKept);
}

function readProblem(value: JsonValue): readonly Problem[] {
  if (!isJsonObject(value) || (value["severity"] ?? errorSeverity) !== errorSeverity) return [];
  const { range, message, code } = value;
  const start = isJsonObject(range) ? range["start"] : undefined;
  const line = isJsonObject(start) ? start["line"] : undefined;
  if (!Number.isSafeInteger(line) || typeof message !== "string") return [];
  const ofCode = typeof code === "string" || typeof code === "number" ? ` (${code})` : "";
  const text = visibleLine(
    message
      .slice(0, 4 * maxTextChars)
      .replace(/\s+/g, " ")
      .trim() + ofCode,
  );
  const short = text.length <= maxTextChars ? text : `${text.slice(0, maxTextChars).toWellFormed()}…`;
  return [{ line: Number(line) + 1, text: short }];
}

/** Returns the errors that are in `after` more often than in `before`. Lines are not compared, because an edit moves them. */
export function addedProblems(before: readonly Problem[], after: readonly Problem[]): readonly Problem[] {
  const left = new Map<string, number>();
  for (const { text } of before) left.set(text, (left.get(text) ?? 0) + 1);
  return after.filter(({ text }) => {
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count <= 0;
  });
}

export interface FileProblems {
  /** The path in the workspace. */
  readonly path: string;
  readonly problems: readonly Problem[];
}

const maxShown = 10;
const maxChars = 2_000;

/** Returns the text for the model; undefined if there are no errors. */
export function problemsText(server: string, files: readonly FileProblems[]): string | undefined {
  const all = files.flatMap(({ path, problems }) =>
    problems.map(({ line, text }) => `${visibleLine(path)}:${line}: ${text}`),
  );
  if (all.length === 0) return undefined;
  const shown: string[] = [];
  let used = 0;
  for (const line of all.slice(0, maxShown)) {
    used += line.length + 1;
    if (used > maxChars) break;
    shown.push(line);
  }
  const left = all.length - shown.length;
  const more = left === 0 ? [] : [`[... ${left} more]`];
  return [`New errors since this edit, says ${server}:`, ...shown, ...more].join("\n");
}
