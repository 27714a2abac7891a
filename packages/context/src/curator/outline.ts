/** Chooses the lines of a file that declare something, by keywords and indentation, without a model. */
import type { Curation, Curator, LineRange } from "@localharness/engine";

/** The maximum share of a file's lines that an outline may show. A larger outline would save too little. */
const maxShare = 0.6;
/** The maximum indentation of a declaration in columns, which is that of a member of a class in a namespace. */
const maxIndent = 8;
/** The number of lines at the beginning of a file that are shown, because they often say what the file is for. */
const headLines = 5;
/** A gap of at most this many lines is shown, because the line about the gap would take as much room. */
const minGap = 2;

const keyword =
  /^(?:(?:export|default|declare|public|private|protected|internal|static|abstract|final|async|pub(?:\([a-z]+\))?|unsafe|extern|override|open|data|sealed|inline|virtual|const)\s+)*(?:function|class|interface|type|enum|namespace|module|struct|trait|impl|union|fn|func|def|defp|defmodule|fun|sub|proc|object|record|protocol|extension|template|macro_rules!|const\s+\w+\s*[:=]|let\s+\w+\s*=|var\s+\w+\s*=|resource|describe|package)\b/;
/** Matches a member of a class or a function in C: a name, parameters, and an opening brace at the end of the line. */
const member = /^[A-Za-z_~][\w\s<>,:*&?[\]]*\([^;]*\)[^;=]*\{\s*$/;
const controlFlow = /^(?:if|for|while|switch|catch|else|do|try|return|with|await|throw)\b/;
const heading = /^#{1,6}\s+\S/;

/** A curator that shows the lines of declarations and headings, and the beginning of the file. */
export const outlineCurator: Curator = {
  curate: (lines) => Promise.resolve(outline(lines)),
};

/**
 * Returns the outline. Returns undefined if the file has no declarations, or so many that an outline would save too
 * little.
 */
export function outline(lines: readonly string[]): Curation | undefined {
  const declared = lines.flatMap((line, index) => (declares(line) ? [index + 1] : []));
  if (declared.length === 0) return undefined;
  const head = Array.from({ length: Math.min(headLines, lines.length) }, (_, index) => index + 1);
  const ranges = joinLines([...new Set([...head, ...declared])].sort((one, other) => one - other));
  const shown = ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  if (shown > lines.length * maxShare) return undefined;
  return { ranges, reason: "Only the beginning and the lines that declare something are shown." };
}

function declares(line: string): boolean {
  const text = line.trim();
  if (text === "" || indentOf(line) > maxIndent) return false;
  if (heading.test(line) || keyword.test(text)) return true;
  return member.test(text) && !controlFlow.test(text);
}

function indentOf(line: string): number {
  return (/^[ \t]*/.exec(line)?.[0] ?? "").replaceAll("\t", "    ").length;
}

/** Joins sorted line numbers into ranges. A gap of at most two lines becomes part of a range. */
function joinLines(numbers: readonly number[]): readonly LineRange[] {
  const ranges: LineRange[] = [];
  for (const line of numbers) {
    const before = ranges.at(-1);
    if (before !== undefined && line - before.last <= minGap + 1) {
      ranges[ranges.length - 1] = { first: before.first, last: line };
    } else ranges.push({ first: line, last: line });
  }
  return ranges;
}
