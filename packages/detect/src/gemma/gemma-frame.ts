/**
 * Reads Gemma's calls: `<|tool_call>call:read_file{path:<|"|>a.txt<|"|>,limit:10}<tool_call|>`, and FunctionGemma's
 * `<start_function_call>call:read_file{path:<escape>a.txt<escape>}<end_function_call>`. One frame may have several calls.
 */
import { isObject, parametersSchema } from "@localharness/schema";
import { type CallDraft, nameDraft, newDraft, settleDraft, startDraft } from "../call/draft.ts";
import { endFrame } from "../frames/end-frame.ts";
import { jsonReading } from "../json/result.ts";
import { showArguments } from "../markup/shown-arguments.ts";
import { readPythonCall } from "../python/python-call.ts";
import { closeBrace, lessThan, openBrace, openParen } from "../scan/characters.ts";
import {
  at,
  endOf,
  isSpace,
  peek,
  type Reader,
  skipSpace,
  spaceEnd,
  take,
  takeFirst,
  takeWord,
} from "../scan/input.ts";
import { framedOpener, framelessOpener, type Opener, type Scan } from "../scan/scan.ts";
import type { FormatId, ToolSchema } from "../types.ts";
import { type GemmaTokens, gemmaReading, readGemmaObject } from "./read-gemma.ts";

export interface GemmaFrame {
  readonly open: string;
  readonly end: string;
  readonly format: FormatId;
  /** The token before and after each string. */
  readonly quote: string;
}

/** The maximum number of characters that are searched for the first text of a call. */
const maxLook = 400;

export function gemmaFrameOpener(frame: GemmaFrame): Opener {
  return framedOpener(frame.open, frame.format, (scan, mark) => readGemmaFrame(scan, mark, frame));
}

/** Returns the openers of calls of tools on offer without their frame, which some servers leave out: `call:read_file{`. */
export function unframedGemmaOpeners(frame: GemmaFrame, tools: readonly ToolSchema[]): Opener[] {
  return tools.flatMap(({ name }) =>
    ["{", "("].map((bracket) =>
      framelessOpener(
        `call:${name}${bracket}`,
        frame.format,
        (scan, mark) => readUnframed(scan, mark, frame),
        "word",
      ),
    ),
  );
}

/** Reads calls without a frame. The token around the first text decides between the formats with this notation. */
function* readUnframed(scan: Scan, mark: number, frame: GemmaFrame): Reader<boolean> {
  const { input } = scan;
  const ahead = yield* endOf(input, 0, maxLook, (code) => code !== lessThan && code !== closeBrace);
  const isOther = (yield* at(input, "<escape>", ahead)) !== (frame.quote === "<escape>");
  return !isOther && (yield* readGemmaFrame(scan, mark, { ...frame, open: "" }));
}

function* readGemmaFrame(scan: Scan, mark: number, frame: GemmaFrame): Reader<boolean> {
  const { input } = scan;
  input.pos += frame.open.length;
  let draft = yield* readCall(scan, newDraft(mark, frame.format, "framed"), frame);
  let taken = false;
  while (draft?.outcome === "whole") {
    const end = input.offset;
    if (!(yield* skipToNext(scan))) break;
    draft.end = end;
    taken = settleDraft(scan, draft) || taken;
    draft = yield* readCall(scan, newDraft(input.offset, frame.format, "framed"), frame);
  }
  if (!draft) return taken;
  const isUnframed = frame.open === "" && !input.cut;
  if (draft.outcome === "whole") yield* endFrame(scan, [frame.end], draft, input.offset, isUnframed);
  yield* take(input, "<|tool_response>");
  return settleDraft(scan, draft) || taken;
}

/** Moves to the next call of the same frame: `call:` after white space or a separator. Returns false if there is none. */
function* skipToNext({ input }: Scan): Reader<boolean> {
  const before = input.offset;
  yield* skipSpace(input);
  if (yield* takeFirst(input, [",", ";"])) yield* skipSpace(input);
  if (yield* at(input, "call:")) return true;
  input.rewind(before);
  return false;
}

/** Reads a name and its arguments. Returns undefined if this cannot be a call. */
function* readCall(scan: Scan, draft: CallDraft, frame: GemmaFrame): Reader<CallDraft | undefined> {
  const { input } = scan;
  yield* skipSpace(input);
  const announced = yield* take(input, "call:");
  yield* skipSpace(input);
  const start = input.offset;
  nameDraft(scan, draft, yield* takeWord(input, isNamePart));
  if (!announced && !draft.tool) return undefined;
  const code = yield* skipSpace(input);
  if (code === openBrace) yield* readBody(scan, draft, frame);
  else if (code === openParen) return yield* readRound(scan, draft, frame, start);
  else if (code === -1) draft.outcome = "cut";
  else if (!(yield* at(input, frame.end))) return undefined;
  return draft;
}

const isNamePart = (code: number) =>
  code !== openBrace && code !== openParen && code !== lessThan && !isSpace(code);

/** Reads arguments in round brackets: an object, members with the format's own texts, or arguments as in Python. */
function* readRound(
  scan: Scan,
  draft: CallDraft,
  frame: GemmaFrame,
  start: number,
): Reader<CallDraft | undefined> {
  const { input } = scan;
  const first = yield* spaceEnd(input, 1, 80);
  if ((yield* peek(input, first)) === openBrace) {
    input.pos += first;
    yield* readBody(scan, draft, frame);
    yield* skipSpace(input);
    yield* take(input, ")");
    return draft;
  }
  const value = yield* endOf(input, first, maxLook, "=:<,)");
  const text = yield* spaceEnd(input, value + 1, 80);
  if (yield* at(input, frame.quote, text)) {
    yield* readBody(scan, draft, { ...frame, round: true });
    return draft;
  }
  input.rewind(start);
  const call = yield* readPythonCall(scan, draft.mark, frame.format, "framed");
  return call.outcome === "not-a-call" ? undefined : call;
}

function* readBody(scan: Scan, draft: CallDraft, frame: GemmaFrame & GemmaTokens): Reader<void> {
  const reading = jsonReading(true, draft.repairs);
  startDraft(scan, draft);
  const gemma = gemmaReading(scan, reading, frame);
  const schema = parametersSchema(draft.tool?.parameters);
  const value = yield* readGemmaObject(gemma, schema, 0, showArguments(scan, draft));
  if (reading.outcome === "whole" && isObject(value)) draft.args = value;
  else draft.outcome = reading.outcome === "cut" ? "cut" : "broken";
}
