/**
 * Gemma's calls: `<|tool_call>call:read_file{path:<|"|>a.txt<|"|>,limit:10}<tool_call|>`, and FunctionGemma's
 * `<start_function_call>call:read_file{path:<escape>a.txt<escape>}<end_function_call>`.
 */
import { type Draft, nameDraft, newDraft, settleDraft, startDraft } from "../call/draft.ts";
import { endFrame } from "../frames/end-frame.ts";
import { jsonReading } from "../json/result.ts";
import { showArguments } from "../markup/shown-arguments.ts";
import { at, isSpace, peek, type Reader, skipSpace, take } from "../scan/input.ts";
import type { Opener, Session } from "../scan/session.ts";
import { isObject, parametersSchema } from "../schema/read-schema.ts";
import type { FormatId } from "../types.ts";
import { readGemmaArguments } from "./read-gemma.ts";

export interface GemmaFrame {
  readonly open: string;
  readonly end: string;
  readonly format: FormatId;
  /** What stands on both sides of a string. */
  readonly quote: string;
}

export function gemmaFrameOpener(frame: GemmaFrame): Opener {
  return {
    literal: frame.open,
    format: frame.format,
    standing: "anywhere",
    kind: "framed",
    read: (session, mark) => readGemmaFrame(session, mark, frame),
  };
}

function* readGemmaFrame(session: Session, mark: number, frame: GemmaFrame): Reader<boolean> {
  const { input } = session;
  input.pos += frame.open.length;
  yield* skipSpace(input);
  const announced = yield* take(input, "call:");
  yield* skipSpace(input);
  const draft = newDraft(mark, frame.format, "framed");
  nameDraft(session, draft, yield* readName(session));
  if (!announced && !draft.tool) return false;
  draft.typed = true;
  if ((yield* skipSpace(input)) === 123) yield* readBody(session, draft, frame);
  else if ((yield* peek(input)) === -1) draft.outcome = "cut";
  else if (!(yield* at(input, frame.end))) return false;
  if (draft.outcome === "whole") yield* endFrame(session, [frame.end], draft);
  yield* take(input, "<|tool_response>");
  return settleDraft(session, draft);
}

function* readName(session: Session): Reader<string> {
  const { input } = session;
  let name = "";
  for (;;) {
    const code = yield* peek(input);
    if (code === -1 || code === 123 || code === 60 || isSpace(code)) return name;
    name += String.fromCharCode(code);
    input.pos++;
    if (name.length > 128) return "";
  }
}

function* readBody(session: Session, draft: Draft, frame: GemmaFrame): Reader<void> {
  const reading = jsonReading(true, draft.repairs);
  const schema = parametersSchema(draft.tool?.parameters);
  startDraft(session, draft);
  const value = yield* readGemmaArguments(
    session.input,
    reading,
    frame,
    schema,
    showArguments(session, draft),
  );
  if (reading.outcome === "whole" && isObject(value)) draft.args = value;
  else draft.outcome = reading.outcome === "cut" ? "cut" : "broken";
}
