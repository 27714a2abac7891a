/**
 * Reads Gemma's calls: `<|tool_call>call:read_file{path:<|"|>a.txt<|"|>,limit:10}<tool_call|>`, and FunctionGemma's
 * `<start_function_call>call:read_file{path:<escape>a.txt<escape>}<end_function_call>`. One frame may have several calls.
 */
import { isObject, parametersSchema } from "@localharness/schema";
import { type Draft, nameDraft, newDraft, settleDraft, startDraft } from "../call/draft.ts";
import { endFrame } from "../frames/end-frame.ts";
import { jsonReading } from "../json/result.ts";
import { showArguments } from "../markup/shown-arguments.ts";
import { lessThan, openBrace } from "../scan/characters.ts";
import { at, isSpace, peek, type Reader, skipSpace, take, takeFirst, takeWord } from "../scan/input.ts";
import { framedOpener, type Opener, type Session } from "../scan/session.ts";
import type { FormatId } from "../types.ts";
import { gemmaReading, readGemmaObject } from "./read-gemma.ts";

export interface GemmaFrame {
  readonly open: string;
  readonly end: string;
  readonly format: FormatId;
  /** The token before and after each string. */
  readonly quote: string;
}

export function gemmaFrameOpener(frame: GemmaFrame): Opener {
  return framedOpener(frame.open, frame.format, (session, mark) => readGemmaFrame(session, mark, frame));
}

function* readGemmaFrame(session: Session, mark: number, frame: GemmaFrame): Reader<boolean> {
  const { input } = session;
  input.pos += frame.open.length;
  let draft = yield* readCall(session, newDraft(mark, frame.format, "framed"), frame);
  let taken = false;
  while (draft?.outcome === "whole") {
    const end = input.offset;
    if (!(yield* skipToNext(session))) break;
    draft.end = end;
    taken = settleDraft(session, draft) || taken;
    draft = yield* readCall(session, newDraft(input.offset, frame.format, "framed"), frame);
  }
  if (!draft) return taken;
  if (draft.outcome === "whole") yield* endFrame(session, [frame.end], draft);
  yield* take(input, "<|tool_response>");
  return settleDraft(session, draft) || taken;
}

/** Moves to the next call of the same frame: `call:` after white space or a separator. Returns false if there is none. */
function* skipToNext({ input }: Session): Reader<boolean> {
  const before = input.offset;
  yield* skipSpace(input);
  if (yield* takeFirst(input, [",", ";"])) yield* skipSpace(input);
  if (yield* at(input, "call:")) return true;
  input.rewind(before);
  return false;
}

/** Reads a name and its arguments. Returns undefined if this cannot be a call. */
function* readCall(session: Session, draft: Draft, frame: GemmaFrame): Reader<Draft | undefined> {
  const { input } = session;
  yield* skipSpace(input);
  const announced = yield* take(input, "call:");
  yield* skipSpace(input);
  nameDraft(
    session,
    draft,
    yield* takeWord(input, (code) => code !== openBrace && code !== lessThan && !isSpace(code)),
  );
  if (!announced && !draft.tool) return undefined;
  draft.typed = true;
  if ((yield* skipSpace(input)) === openBrace) yield* readBody(session, draft, frame);
  else if ((yield* peek(input)) === -1) draft.outcome = "cut";
  else if (!(yield* at(input, frame.end))) return undefined;
  return draft;
}

function* readBody(session: Session, draft: Draft, frame: GemmaFrame): Reader<void> {
  const reading = jsonReading(true, draft.repairs);
  startDraft(session, draft);
  const gemma = gemmaReading(session, reading, frame);
  const schema = parametersSchema(draft.tool?.parameters);
  const value = yield* readGemmaObject(gemma, schema, 0, showArguments(session, draft));
  if (reading.outcome === "whole" && isObject(value)) draft.args = value;
  else draft.outcome = reading.outcome === "cut" ? "cut" : "broken";
}
