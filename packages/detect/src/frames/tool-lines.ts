/**
 * Reads a call in two lines:
 * ```
 * Tool: read_file
 * Arguments: {"path": "a.txt"}
 * ```
 * The labels may be `Action:` and `Action Input:`, and may be bold. The arguments may be in a fence.
 */
import { nameDraft, newDraft, readJsonArguments, settleDraft } from "../call/draft.ts";
import { asterisk, backtick, colon, openBrace, tab } from "../scan/characters.ts";
import {
  at,
  endOf,
  type Input,
  isNameChar,
  isSpace,
  isWordChar,
  peek,
  type Reader,
  skipSpace,
  take,
  takeWord,
} from "../scan/input.ts";
import type { Opener, Scan } from "../scan/scan.ts";

const nameLabels = ["Tool:", "tool:", "TOOL:", "Tool Name:", "Tool name:", "Tool call:", "Tool Call:"];
const actionLabels = ["Action:", "action:", "Function:", "function:"];
const argumentLabels = [
  "arguments:",
  "args:",
  "parameters:",
  "params:",
  "input:",
  "action input:",
  "tool input:",
  "arguments (json):",
];

export function toolLinesOpeners(): Opener[] {
  return [...nameLabels, ...actionLabels].map((literal) => ({
    literal,
    format: "ralph-lines",
    standing: "line",
    kind: "plain",
    read: (scan, mark) => readToolLines(scan, mark, literal),
  }));
}

function* readToolLines(scan: Scan, mark: number, label: string): Reader<boolean> {
  const { input } = scan;
  input.pos += label.length;
  yield* skipDecoration(input);
  const name = yield* takeWord(input, isNameChar);
  const draft = newDraft(mark, "ralph-lines", "plain");
  nameDraft(scan, draft, name);
  if (name === "" || !draft.tool) return false;
  yield* skipDecoration(input);
  if (!(yield* readLabel(input))) return false;
  const fenced = yield* skipFence(input);
  if ((yield* skipSpace(input)) !== openBrace) return false;
  yield* readJsonArguments(scan, draft);
  if (draft.outcome === "whole" && fenced) yield* endFence(input);
  return settleDraft(scan, draft);
}

/** Moves over white space and over the stars and backticks that Markdown has around words. */
function* skipDecoration(input: Input): Reader<void> {
  for (;;) {
    const code = yield* skipSpace(input);
    if (code !== asterisk && code !== backtick) return;
    if (code === backtick && (yield* at(input, "```"))) return;
    input.pos += 1;
  }
}

/** Moves past a label of the arguments, in upper or lower case. Returns false if there is none. */
function* readLabel(input: Input): Reader<boolean> {
  const length = yield* endOf(input, 0, 20, "\n:");
  if ((yield* peek(input, length)) !== colon) return false;
  const label = input.text.slice(input.pos, input.pos + length + 1).toLowerCase();
  if (!argumentLabels.includes(label)) return false;
  input.pos += length + 1;
  yield* skipDecoration(input);
  return true;
}

function* skipFence(input: Input): Reader<boolean> {
  if (!(yield* take(input, "```"))) return false;
  yield* takeWord(input, isWordChar);
  return true;
}

function* endFence(input: Input): Reader<void> {
  const ahead = yield* endOf(input, 0, Number.POSITIVE_INFINITY, (code) => isSpace(code) && code !== tab);
  if (yield* at(input, "```", ahead)) input.pos += ahead + 3;
}
