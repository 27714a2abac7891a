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
import type { Opener, Session } from "../scan/session.ts";
import { isAnnouncedAction } from "../scan/standing.ts";
import type { ToolSchema } from "../types.ts";

export function nameCallOpeners(tools: readonly ToolSchema[]): Opener[] {
  return tools.map((tool) => ({
    literal: `${tool.name}(`,
    format: "name-call",
    standing: "word",
    kind: "plain",
    glance: ({ out }) => placeOf(out.recentText()) !== "in-prose",
    read: (session, mark) => readNameCall(session, mark, tool),
  }));
}

function* readNameCall(session: Session, mark: number, tool: ToolSchema): Reader<boolean> {
  const { input } = session;
  const place = placeOf(session.out.recentText());
  if (place === "in-prose") return false;
  if (!(yield* objectFollows(session, tool.name.length + 1))) {
    return yield* readKeywordCall(session, mark, place);
  }
  input.pos += tool.name.length + 1;
  yield* skipSpace(input);
  const draft = draftOf(tool, mark, "name-call", "plain");
  const reading = jsonReading(true, draft.repairs, 0);
  const value = yield* readJson(input, reading);
  if (reading.outcome === "whole") {
    draft.args = value;
    if (!(yield* readEndOfCall(session, place))) return false;
  } else {
    draft.outcome = reading.outcome;
  }
  return settleDraft(session, draft);
}

function* objectFollows(session: Session, length: number): Reader<boolean> {
  const ahead = yield* spaceEnd(session.input, length, 80);
  return (yield* peek(session.input, ahead)) === openBrace;
}

/** Reads `read_file(path="a.txt")`. It needs an argument, because people write `name()` about functions. */
function* readKeywordCall(session: Session, mark: number, place: "alone" | "announced"): Reader<boolean> {
  const draft = yield* readPythonCall(session, mark, "pythonic", "plain");
  if (draft.outcome !== "whole" || Object.keys(draft.args ?? {}).length === 0) return false;
  return (yield* readEndOfLine(session, place)) && settleDraft(session, draft);
}

/** Returns the place of the call on its line: alone, after words that announce it, or inside prose. */
function placeOf(before: string): "alone" | "announced" | "in-prose" {
  const line = before.slice(before.lastIndexOf("\n") + 1);
  if (/^\s*(?:[-*>]\s*|\d+[.)]\s*)?$/.test(line)) return "alone";
  if (/\b(?:def|function|func|fn|await|return|new|const|let|var)\s/.test(line)) return "in-prose";
  return /:\s*$/.test(line) || isAnnouncedAction(line) ? "announced" : "in-prose";
}

function* readEndOfCall(session: Session, place: "alone" | "announced"): Reader<boolean> {
  const { input } = session;
  if ((yield* skipSpace(input)) !== closeParen) return false;
  input.pos += 1;
  return yield* readEndOfLine(session, place);
}

/** Returns true if the call ends here: at its line's end, before a backtick or a tag, or anywhere if it was announced. */
function* readEndOfLine(session: Session, place: "alone" | "announced"): Reader<boolean> {
  const { input } = session;
  const isGap = (code: number) => code === space || code === tab || code === semicolon;
  const ahead = yield* endOf(input, 0, Number.POSITIVE_INFINITY, isGap);
  const code = yield* peek(input, ahead);
  const ends =
    code === -1 || code === lineFeed || code === carriageReturn || code === backtick || code === lessThan;
  if (ends && ahead > 0 && (yield* peek(input)) === semicolon) input.pos += 1;
  return ends || place === "announced";
}
