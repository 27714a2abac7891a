/**
 * A call in two lines:
 * ```
 * Tool: read_file
 * Arguments: {"path": "a.txt"}
 * ```
 * also as `Action:` and `Action Input:`, with bold labels, or with the arguments in a fence.
 */
import { nameDraft, newDraft, settleDraft, startDraft, streamArguments } from "../call/draft.ts";
import { readJson } from "../json/read-json.ts";
import { jsonReading } from "../json/result.ts";
import { at, type Input, isWordChar, peek, type Reader, skipSpace } from "../scan/input.ts";
import type { Opener, Session } from "../scan/session.ts";

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
    read: (session, mark) => readToolLines(session, mark, literal),
  }));
}

function* readToolLines(session: Session, mark: number, label: string): Reader<boolean> {
  const { input } = session;
  input.pos += label.length;
  yield* skipDecoration(input);
  const name = yield* readName(input);
  const draft = newDraft(mark, "ralph-lines", "plain");
  nameDraft(session, draft, name);
  if (name === "" || !draft.tool) return false;
  yield* skipDecoration(input);
  if (!(yield* readLabel(input))) return false;
  const fenced = yield* skipFence(input);
  if ((yield* skipSpace(input)) !== 123) return false;
  startDraft(session, draft);
  streamArguments(session, draft);
  const reading = jsonReading(true, draft.repairs, 0);
  const value = yield* readJson(input, reading);
  input.untap();
  if (reading.outcome === "whole") {
    draft.args = value;
    if (fenced) yield* endFence(input);
  } else {
    draft.outcome = reading.outcome;
  }
  return settleDraft(session, draft);
}

/** Spaces, line ends, and the stars and backticks that people's Markdown puts around words. */
function* skipDecoration(input: Input): Reader<void> {
  for (;;) {
    const code = yield* skipSpace(input);
    if (code !== 42 && code !== 96) return;
    if (code === 96 && (yield* at(input, "```"))) return;
    input.pos++;
  }
}

function* readName(input: Input): Reader<string> {
  let name = "";
  for (;;) {
    const code = yield* peek(input);
    if (!isWordChar(code) && code !== 45 && code !== 46) return name;
    name += String.fromCharCode(code);
    input.pos++;
    if (name.length > 128) return "";
  }
}

/** One of the labels of the arguments, in any case. */
function* readLabel(input: Input): Reader<boolean> {
  for (let length = 1; length <= 20; length++) {
    const code = yield* peek(input, length - 1);
    if (code === -1 || code === 10) return false;
    if (code !== 58) continue;
    const label = input.text.slice(input.pos, input.pos + length).toLowerCase();
    if (!argumentLabels.includes(label)) return false;
    input.pos += length;
    yield* skipDecoration(input);
    return true;
  }
  return false;
}

function* skipFence(input: Input): Reader<boolean> {
  if (!(yield* at(input, "```"))) return false;
  input.pos += 3;
  while (isWordChar(yield* peek(input))) input.pos++;
  return true;
}

function* endFence(input: Input): Reader<void> {
  let ahead = 0;
  for (let code = yield* peek(input); code === 32 || code === 10 || code === 13; ) {
    code = yield* peek(input, ++ahead);
  }
  if (yield* at(input, "```", ahead)) input.pos += ahead + 3;
}
