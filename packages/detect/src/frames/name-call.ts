/** Reads `read_file({"path": "a.txt"})` and `read_file(path="a.txt")`, if the call is alone on its line or announced. */
import { draftOf, settleDraft } from "../call/draft.ts";
import { readJson } from "../json/read-json.ts";
import { jsonReading } from "../json/result.ts";
import { readPythonCall } from "../python/python-call.ts";
import {
  backtick,
  carriageReturn,
  closeParen,
  lessThan,
  lineFeed,
  openBrace,
  semicolon,
  space,
  tab,
} from "../scan/characters.ts";
import { endOf, peek, type Reader, skipSpace, spaceEnd } from "../scan/input.ts";
import type { Opener, Scan } from "../scan/scan.ts";
import { isAnnouncedAction } from "../scan/standing.ts";
import type { ToolSchema } from "../types.ts";

export function nameCallOpeners(tools: readonly ToolSchema[]): Opener[] {
  return tools.map((tool) => ({
    literal: `${tool.name}(`,
    format: "name-call",
    standing: "word",
    kind: "plain",
    glance: ({ out }) => placeOf(out.recentText()) !== "in-prose",
    read: (scan, mark) => readNameCall(scan, mark, tool),
  }));
}

function* readNameCall(scan: Scan, mark: number, tool: ToolSchema): Reader<boolean> {
  const { input } = scan;
  const place = placeOf(scan.out.recentText());
  if (place === "in-prose") return false;
  if (!(yield* objectFollows(scan, tool.name.length + 1))) {
    return yield* readKeywordCall(scan, mark, place);
  }
  input.pos += tool.name.length + 1;
  yield* skipSpace(input);
  const draft = draftOf(tool, mark, "name-call", "plain");
  const reading = jsonReading(true, draft.repairs, 0);
  const value = yield* readJson(input, reading);
  if (reading.outcome === "whole") {
    draft.args = value;
    if (!(yield* readEndOfCall(scan, place))) return false;
  } else {
    draft.outcome = reading.outcome;
  }
  return settleDraft(scan, draft);
}

function* objectFollows(scan: Scan, length: number): Reader<boolean> {
  const ahead = yield* spaceEnd(scan.input, length, 80);
  return (yield* peek(scan.input, ahead)) === openBrace;
}

/** Reads `read_file(path="a.txt")`. It needs an argument, because people write `name()` about functions. */
function* readKeywordCall(scan: Scan, mark: number, place: "alone" | "announced"): Reader<boolean> {
  const draft = yield* readPythonCall(scan, mark, "pythonic", "plain");
  if (draft.outcome !== "whole" || Object.keys(draft.args ?? {}).length === 0) return false;
  return (yield* readEndOfLine(scan, place)) && settleDraft(scan, draft);
}

/** Returns the place of the call on its line: alone, after words that announce it, or inside prose. */
function placeOf(before: string): "alone" | "announced" | "in-prose" {
  const line = before.slice(before.lastIndexOf("\n") + 1);
  if (/^\s*(?:[-*>]\s*|\d+[.)]\s*)?$/.test(line)) return "alone";
  if (/\b(?:def|function|func|fn|await|return|new|const|let|var)\s/.test(line)) return "in-prose";
  return /:\s*$/.test(line) || isAnnouncedAction(line) ? "announced" : "in-prose";
}

function* readEndOfCall(scan: Scan, place: "alone" | "announced"): Reader<boolean> {
  const { input } = scan;
  if ((yield* skipSpace(input)) !== closeParen) return false;
  input.pos += 1;
  return yield* readEndOfLine(scan, place);
}

/** Returns true if the call ends here: at its line's end, before a backtick or a tag, or anywhere if it was announced. */
function* readEndOfLine(scan: Scan, place: "alone" | "announced"): Reader<boolean> {
  const { input } = scan;
  const isGap = (code: number) => code === space || code === tab || code === semicolon;
  const ahead = yield* endOf(input, 0, Number.POSITIVE_INFINITY, isGap);
  const code = yield* peek(input, ahead);
  const ends =
    code === -1 || code === lineFeed || code === carriageReturn || code === backtick || code === lessThan;
  if (ends && ahead > 0 && (yield* peek(input)) === semicolon) input.pos += 1;
  return ends || place === "announced";
}
