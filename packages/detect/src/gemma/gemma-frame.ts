/**
 * Reads Gemma's calls: `<|tool_call>call:read_file{path:<|"|>a.txt<|"|>,limit:10}<tool_call|>`, and FunctionGemma's
 * `<start_function_call>call:read_file{path:<escape>a.txt<escape>}<end_function_call>`.
 */
import { isObject, parametersSchema } from "@localharness/schema";
import { type Draft, nameDraft, newDraft, settleDraft, startDraft } from "../call/draft.ts";
import { endFrame } from "../frames/end-frame.ts";
import { jsonReading } from "../json/result.ts";
import { showArguments } from "../markup/shown-arguments.ts";
import { lessThan, openBrace } from "../scan/characters.ts";
import { at, isSpace, peek, type Reader, skipSpace, take, takeWord } from "../scan/input.ts";
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
  yield* skipSpace(input);
  const announced = yield* take(input, "call:");
  yield* skipSpace(input);
  const draft = newDraft(mark, frame.format, "framed");
  nameDraft(
    session,
    draft,
    yield* takeWord(input, (code) => code !== openBrace && code !== lessThan && !isSpace(code)),
  );
  if (!announced && !draft.tool) return false;
  draft.typed = true;
  if ((yield* skipSpace(input)) === openBrace) yield* readBody(session, draft, frame);
  else if ((yield* peek(input)) === -1) draft.outcome = "cut";
  else if (!(yield* at(input, frame.end))) return false;
  if (draft.outcome === "whole") yield* endFrame(session, [frame.end], draft);
  yield* take(input, "<|tool_response>");
  return settleDraft(session, draft);
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
