/**
 * Finds the text that a model wants to replace. If there is no exact match, it tries steps with increasing tolerance, and
 * reports the tolerance.
 */
import { bareLine, lineEndOf, splitLines, withLineEnd } from "./lines.ts";
import { blockMatches, type LineRule, type TextMatch } from "./match-block.ts";

export interface FoundMatches {
  readonly matches: readonly TextMatch[];
  /** The tolerance with which the match was found, in words for the model; undefined for an exact match. */
  readonly tolerance: string | undefined;
}

interface MatchStep {
  readonly tolerance: string;
  find(text: string, wanted: string, replacement: string): readonly TextMatch[];
}

const byBlock = (tolerance: string, rule: LineRule): MatchStep => ({
  tolerance,
  find: (text, wanted, replacement) => blockMatches(text, wanted, replacement, rule),
});

/** The steps in the order in which they are tried. The first step with a match is used. */
const steps: readonly MatchStep[] = [
  { tolerance: "other line ends", find: matchOtherLineEnds },
  { tolerance: "line numbers of read_file removed", find: matchWithoutLineNumbers },
  byBlock("white space at line ends ignored", { same: (line) => line.trimEnd(), reindents: false }),
  byBlock("indentation adjusted", { same: (line) => line.trim(), reindents: true, keepsShape: true }),
  { tolerance: "escape sequences read as characters", find: matchUnescaped },
  byBlock("white space ignored", { same: (line) => line.trim().replaceAll(/\s+/g, " "), reindents: true }),
  byBlock("quotes, dashes and white space in plain form", { same: plainPunctuation, reindents: true }),
];

/** Returns the matches of the first step that finds any. `wanted` must not be empty. */
export function findMatches(text: string, wanted: string, replacement: string): FoundMatches {
  const exact = exactMatches(text, wanted, withLineEnd(replacement, lineEndOf(text)));
  if (exact.length > 0) return { matches: exact, tolerance: undefined };
  for (const step of steps) {
    const matches = step.find(text, wanted, replacement);
    if (matches.length > 0) return { matches, tolerance: step.tolerance };
  }
  return { matches: [], tolerance: undefined };
}

/** Returns all matches from the start, without overlaps. */
function exactMatches(text: string, wanted: string, replacement: string): TextMatch[] {
  const matches: TextMatch[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) {
    matches.push({ start: at, end: at + wanted.length, replacement });
  }
  return matches;
}

/**
 * Finds `wanted` if only its line ends differ from the text. Compares with all line ends as `\n`, and converts the offsets
 * back to the original text.
 */
function matchOtherLineEnds(text: string, wanted: string, replacement: string): readonly TextMatch[] {
  if (!text.includes("\r\n") && !wanted.includes("\r\n")) return [];
  const lines = splitLines(text);
  const plainText = lines.map((line) => (line.endsWith("\r\n") ? `${bareLine(line)}\n` : line)).join("");
  const matches = exactMatches(
    plainText,
    withLineEnd(wanted, "\n"),
    withLineEnd(replacement, lineEndOf(text)),
  );
  return withOffsets(matches, carriageReturns(lines));
}

/** Returns the offsets at which each `\r` was removed, counted in the text without `\r`. */
function carriageReturns(lines: readonly string[]): readonly number[] {
  const offsets: number[] = [];
  let position = 0;
  for (const line of lines) {
    const windows = line.endsWith("\r\n");
    position += windows ? line.length - 1 : line.length;
    if (windows) {
      offsets.push(position - 1);
    }
  }
  return offsets;
}

function withOffsets(matches: readonly TextMatch[], removed: readonly number[]): readonly TextMatch[] {
  let before = 0;
  // Offsets only grow from match to match, so one pass over `removed` is enough.
  const original = (offset: number) => {
    while (before < removed.length && (removed[before] ?? 0) < offset) {
      before += 1;
    }
    return offset + before;
  };
  return matches.map((match) => ({ ...match, start: original(match.start), end: original(match.end) }));
}

const lineNumber = /^\s*\d+(?:: ?|\t|\s*[|→]\s?)/;

/** Finds `wanted` without the line numbers (`12: text`) that the model has copied from a result of read_file. */
function matchWithoutLineNumbers(text: string, wanted: string, replacement: string): readonly TextMatch[] {
  if (!isNumbered(wanted)) return [];
  const plain = isNumbered(replacement) ? withoutNumbers(replacement) : replacement;
  const bare = withoutNumbers(wanted);
  const exact = bare === "" ? [] : exactMatches(text, bare, withLineEnd(plain, lineEndOf(text)));
  return exact.length > 0
    ? exact
    : blockMatches(text, bare, plain, { same: (line) => line.trimEnd(), reindents: false });
}

function isNumbered(text: string): boolean {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.length > 0 && lines.every((line) => lineNumber.test(line));
}

function withoutNumbers(text: string): string {
  return text
    .split("\n")
    .map((line) => line.replace(lineNumber, ""))
    .join("\n");
}

/** Finds `wanted` with escape sequences such as `\n` and `\"` read as characters: the model may have escaped twice. */
function matchUnescaped(text: string, wanted: string, replacement: string): readonly TextMatch[] {
  if (!/\\[nrt"'`\\]/.test(wanted)) return [];
  const plain = withoutEscapes(wanted);
  return plain === ""
    ? []
    : exactMatches(text, plain, withLineEnd(withoutEscapes(replacement), lineEndOf(text)));
}

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

function withoutEscapes(text: string): string {
  return text.replaceAll(/\\([nrt"'`\\])/g, (_, letter: string) => escapes[letter] ?? letter);
}

function plainPunctuation(line: string): string {
  return line
    .replaceAll(/[\u2018\u2019\u201a\u201b]/g, "'")
    .replaceAll(/[\u201c\u201d\u201e\u201f]/g, '"')
    .replaceAll(/[\u2010-\u2015\u2212]/g, "-")
    .replaceAll("\u2026", "...")
    .replaceAll(/[\s\u00a0\u200b\ufeff]+/g, " ")
    .trim();
}
