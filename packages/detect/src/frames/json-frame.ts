/** Reads calls as JSON between tags, such as `<tool_call>{"name": ..., "arguments": {...}}</tool_call>`. */
import { type CallDraft, type Certainty, nameDraft, newDraft, settleDraft } from "../call/draft.ts";
import { readCallList, readCallObject, topPlace } from "../call/read-call-object.ts";
import { callIn } from "../call/unwrap.ts";
import { readJson } from "../json/read-json.ts";
import { jsonReading, noteRepair } from "../json/result.ts";
import { backtick, comma, doubleQuote, openBrace, openBracket } from "../scan/characters.ts";
import { at, endOf, peek, type Reader, skipSpace, spaceEnd } from "../scan/input.ts";
import { framedOpener, type Opener, type Scan, type Standing } from "../scan/scan.ts";
import type { CallFormat } from "../types.ts";
import { endFrame, skipBroken } from "./end-frame.ts";
import { skipSeparator } from "./plain-json.ts";

/** A frame around JSON. If `ends` is empty, the JSON itself ends the call. */
export interface JsonFrame {
  readonly open: string;
  readonly ends: readonly string[];
  readonly format: CallFormat;
  /** `plain` for tags that also have other uses: content that is not a call stays text. */
  readonly certainty?: Certainty;
  readonly standing?: Standing;
  /** True if the end tag of a call is optional, so that a missing one is not reported as a repair. */
  readonly endOptional?: boolean;
  /** The one kind of JSON that is read as a call; both kinds by default. */
  readonly only?: "list" | "object";
  /** True if a few words may come before a list of calls; they are dropped and reported as a comment. */
  readonly wordsBefore?: boolean;
}

export function jsonFrameOpener(frame: JsonFrame): Opener {
  const { open, format, standing } = frame;
  return framedOpener(open, format, (scan, mark) => readJsonFrame(scan, mark, frame), standing);
}

function* readJsonFrame(scan: Scan, mark: number, frame: JsonFrame): Reader<boolean> {
  const { input } = scan;
  input.pos += frame.open.length;
  const certainty = frame.certainty ?? "framed";
  const draft = newDraft(mark, frame.format, certainty);
  let code = yield* skipFence(scan, draft);
  if (frame.wordsBefore && code !== openBrace && code !== openBracket) {
    code = yield* skipWords(scan, draft);
  }
  if (code === openBrace) yield* skipDoubled(scan, draft);
  if (code === doubleQuote && frame.ends.length > 0) {
    return (yield* readQuoted(scan, draft)) && (yield* finishFrame(scan, frame, [draft]));
  }
  const isObject = code === openBrace && frame.only !== "list";
  if (!isObject && (code !== openBracket || frame.only === "object")) return false;
  const drafts = yield* isObject ? readObjects(scan, draft, frame) : readCallList(scan, draft, topPlace);
  return yield* finishFrame(scan, frame, drafts);
}

/** Reads an object and, if the frame has ends, further objects after white space and at most one comma, as in a list. */
function* readObjects(scan: Scan, first: CallDraft, frame: JsonFrame): Reader<CallDraft[]> {
  const { input } = scan;
  const drafts: CallDraft[] = [];
  for (let next = first; ; ) {
    const found = yield* readCallObject(scan, next, topPlace);
    for (const draft of found) drafts.push(draft);
    if (frame.ends.length === 0 || found.some(({ outcome }) => outcome !== "whole")) return drafts;
    let ahead = yield* spaceEnd(input, 0, 80);
    if ((yield* peek(input, ahead)) === comma) ahead = yield* spaceEnd(input, ahead + 1, 80);
    if ((yield* peek(input, ahead)) !== openBrace) return drafts;
    // Each call is settled before the next is read.
    if (!found.every((draft) => settleDraft(scan, draft))) return drafts;
    next = newDraft(input.offset, frame.format, first.certainty);
    input.pos += ahead;
  }
}

/** Moves over the first of two braces, as in `{{"name": ...}}`, which models copy from templates. */
function* skipDoubled({ input }: Scan, draft: CallDraft): Reader<void> {
  if (!(yield* at(input, "{{"))) return;
  input.pos += 1;
  noteRepair(draft.repairs, "extra-closer");
}

/** Reads a whole call that is JSON in a text: `"{\"name\": ...}"`. Returns false if it is anything else. */
function* readQuoted(scan: Scan, draft: CallDraft): Reader<boolean> {
  const reading = jsonReading(true, draft.repairs, 1);
  const text = yield* readJson(scan.input, reading);
  const parts =
    reading.outcome === "whole" && typeof text === "string" ? callIn(text, draft.repairs) : undefined;
  if (!parts || scan.tools.resolve(parts.name) === undefined) return false;
  noteRepair(draft.repairs, "stringified-arguments");
  nameDraft(scan, draft, parts.name);
  draft.args = parts.inner;
  return true;
}

/** Moves over words on the line before `[{"name"`, and adds a repair. Returns the code of `[`; -1 for any other text. */
function* skipWords(scan: Scan, draft: CallDraft): Reader<number> {
  const { input } = scan;
  const ahead = yield* endOf(input, 0, 80, "\n{[");
  if ((yield* peek(input, ahead)) !== openBracket) return -1;
  const brace = yield* spaceEnd(input, ahead + 1, 20);
  if (!(yield* at(input, "{", brace))) return -1;
  if (!(yield* at(input, '"name"', yield* spaceEnd(input, brace + 1, 20)))) return -1;
  input.pos += ahead;
  noteRepair(draft.repairs, "comment");
  return 91;
}

/** Ends the frame and settles its calls. Returns false if the first of them is text, so that all stays text. */
function* finishFrame(scan: Scan, frame: JsonFrame, drafts: readonly CallDraft[]): Reader<boolean> {
  const last = drafts.at(-1);
  if (!last) return false;
  const afterBody = scan.input.offset;
  if (last.outcome === "whole" && frame.ends.length > 0) {
    if (!frame.ends.some((end) => end.startsWith("```"))) yield* skipFence(scan, last);
    yield* endFrame(scan, frame.ends, last, afterBody, frame.endOptional);
  } else if (last.outcome === "broken") yield* skipBroken(scan, frame.open, frame.ends);
  if (frame.ends.length === 0 || frame.endOptional) yield* skipSeparator(scan);
  let taken = false;
  for (const draft of drafts) {
    if (settleDraft(scan, draft)) taken = true;
    else if (!taken) return false;
    else {
      // The text after the calls is not a call: it is read again, as text.
      scan.input.rewind(draft.mark);
      for (const end of frame.ends) scan.awaitedEnds.add(end);
      return true;
    }
  }
  return taken;
}

/** Moves over white space and a code fence inside the tags. Returns the code of the next character. */
function* skipFence(scan: Scan, draft: CallDraft): Reader<number> {
  const { input } = scan;
  const code = yield* skipSpace(input);
  if (code !== backtick || !(yield* at(input, "```"))) return code;
  noteRepair(draft.repairs, "fence");
  input.pos += 3;
  for (const word of ["json", "JSON", "xml"]) {
    if (yield* at(input, word)) input.pos += word.length;
  }
  return yield* skipSpace(input);
}
