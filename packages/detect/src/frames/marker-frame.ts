/**
 * Calls as a name and a JSON object between markers:
 * `<｜tool▁call▁begin｜>read_file<｜tool▁sep｜>{"path": "a.txt"}<｜tool▁call▁end｜>`, `[TOOL_CALLS]read_file[ARGS]{"path": "a.txt"}`.
 */
import { type Draft, nameDraft, newDraft, settleDraft, startDraft, streamArguments } from "../call/draft.ts";
import { readJson } from "../json/read-json.ts";
import { jsonReading, noteRepair } from "../json/result.ts";
import { at, isSpace, isWordChar, peek, type Reader, skipSpace, take } from "../scan/input.ts";
import type { Opener, Session } from "../scan/session.ts";
import { parametersSchema, propertyNames } from "../schema/read-schema.ts";
import type { FormatId } from "../types.ts";
import { endFrame, skipBroken } from "./end-frame.ts";

export interface MarkerFrame {
  readonly format: FormatId;
  /** What begins one call. */
  readonly calls: readonly string[];
  /** What may frame several calls: what begins the section, and what ends it. */
  readonly sections?: readonly (readonly [string, string])[];
  /** What may stand before the name. */
  readonly before?: readonly string[];
  /** What may stand between the name and the arguments, in any order. */
  readonly between: readonly string[];
  /** A marker between name and arguments that is followed by the id of the call. */
  readonly idMarker?: string;
  /** The name holds the id of the call: `functions.read_file:0`. */
  readonly nameIsId?: boolean;
  /** What begins a call is the name itself, or the id without its number. */
  readonly isName?: boolean;
  readonly ends: readonly string[];
  /** A call without arguments needs its end marker. */
  readonly argumentsRequired?: boolean;
  /** A further call may follow by its name alone, and a name on offer is a call that was cut. */
  readonly namesAlone?: boolean;
  /** What may end a section that has no beginning of its own. */
  readonly lateEnds?: readonly string[];
}

export function markerFrameOpeners(frame: MarkerFrame): Opener[] {
  const opener = (literal: string, read: Opener["read"]): Opener => ({
    literal,
    format: frame.format,
    standing: frame.isName ? "word" : "anywhere",
    kind: "framed",
    read,
  });
  return [
    ...frame.calls.map((open) => opener(open, (session, mark) => readCalls(session, mark, frame, open))),
    ...(frame.sections ?? []).map(([open]) =>
      opener(open, (session, mark) => readSection(session, mark, frame, open)),
    ),
  ];
}

function* readSection(session: Session, mark: number, frame: MarkerFrame, open: string): Reader<boolean> {
  const { input } = session;
  input.pos += open.length;
  yield* skipSpace(input);
  const call = yield* firstAt(session, frame.calls);
  if (call !== undefined) return yield* readCalls(session, mark, frame, call);
  return yield* takeSectionEnd(session, frame);
}

function* firstAt(session: Session, literals: readonly string[]): Reader<string | undefined> {
  for (const literal of literals) if (yield* at(session.input, literal)) return literal;
  return undefined;
}

function* takeSectionEnd(session: Session, frame: MarkerFrame): Reader<boolean> {
  for (const [, end] of frame.sections ?? []) if (yield* take(session.input, end)) return true;
  return false;
}

/** Reads calls one after another, and the end of their section. The first call's marker stands here. */
function* readCalls(session: Session, mark: number, frame: MarkerFrame, first: string): Reader<boolean> {
  const { input } = session;
  let taken = false;
  let open: string | undefined = first;
  let start = mark;
  while (open !== undefined) {
    if (!(yield* readCall(session, newDraft(start, frame.format, "framed"), frame, open))) {
      if (taken) input.rewind(start);
      break;
    }
    taken = true;
    const after = input.offset;
    yield* skipSpace(input);
    start = input.offset;
    if (yield* takeSectionEnd(session, frame)) return true;
    open = (yield* firstAt(session, frame.calls)) ?? (yield* nextByName(session, frame));
    if (open === undefined) input.rewind(after);
  }
  for (const [, end] of frame.sections ?? []) session.awaitedEnds.add(end);
  for (const end of frame.lateEnds ?? []) session.awaitedEnds.add(end);
  return taken;
}

/** What stands in front of the name of a further call that has no marker of its own: a comma or nothing. */
function* nextByName(session: Session, frame: MarkerFrame): Reader<string | undefined> {
  if (!frame.namesAlone) return undefined;
  const { input } = session;
  const open = (yield* at(input, ",")) ? "," : "";
  let start = open.length;
  while (start < 20 && isSpace(yield* peek(input, start))) start++;
  let length = 0;
  for (let code = yield* peek(input, start); isNamePart(code); code = yield* peek(input, start + length)) {
    if (++length > 128) return undefined;
  }
  if (!session.tools.resolve(input.text.slice(input.pos + start, input.pos + start + length)))
    return undefined;
  for (const follows of ["{", ...frame.between]) {
    if (yield* at(input, follows, start + length)) return open;
  }
  return undefined;
}

function isNamePart(code: number): boolean {
  return isWordChar(code) || code === 45 || code === 46;
}

function* readCall(session: Session, draft: Draft, frame: MarkerFrame, open: string): Reader<boolean> {
  const { input } = session;
  if (!frame.isName) input.pos += open.length;
  yield* skipSpace(input);
  while (!frame.isName && open.length > 1 && (yield* take(input, open))) yield* skipSpace(input);
  for (const before of frame.before ?? []) yield* take(input, before);
  const name = yield* readName(session, frame);
  // The marks of another format, which begins its calls alike.
  if (/<[|｜]/.test(name) || (frame.isName && frame.nameIsId && !/^\S+:\d+$/.test(name))) return false;
  if (frame.nameIsId && name.includes(":")) draft.id = name;
  nameDraft(session, draft, frame.nameIsId ? name.replace(/^functions\./, "").replace(/:\d+$/, "") : name);
  const afterName = input.offset;
  yield* skipBetween(session, draft, frame);
  const code = yield* peek(input);
  if (code === 123 || (code === 91 && draft.tool && input.offset > afterName)) {
    yield* readArguments(session, draft);
  } else if (code === -1) {
    const isName = draft.tool !== undefined || /^\S+$/.test(name);
    if (!isName || (frame.argumentsRequired && !(frame.namesAlone && draft.tool))) return false;
    if (input.offset === afterName || takesArguments(draft)) draft.outcome = "cut";
  } else if (frame.argumentsRequired || !(yield* firstAt(session, frame.ends))) {
    return false;
  }
  if (draft.outcome === "whole") yield* endMarkers(session, draft, frame);
  else if (draft.outcome === "broken") yield* skipBroken(session, open, frame.ends);
  return settleDraft(session, draft);
}

function takesArguments(draft: Draft): boolean {
  return !draft.tool || propertyNames(parametersSchema(draft.tool.parameters)).length > 0;
}

function* readArguments(session: Session, draft: Draft): Reader<void> {
  startDraft(session, draft);
  streamArguments(session, draft);
  const reading = jsonReading(true, draft.repairs);
  const value = yield* readJson(session.input, reading);
  session.input.untap();
  if (reading.outcome === "whole") draft.args = value;
  else draft.outcome = reading.outcome;
}

function* endMarkers(session: Session, draft: Draft, frame: MarkerFrame): Reader<void> {
  const { input } = session;
  const after = input.offset;
  yield* skipSpace(input);
  if (!(yield* take(input, "```"))) input.rewind(after);
  if (frame.ends.length > 0) yield* endFrame(session, frame.ends, draft);
}

/** Up to a marker, a brace, or the end of the line. */
function* readName(session: Session, frame: MarkerFrame): Reader<string> {
  const { input } = session;
  const stops = ["```", ...frame.between, ...frame.ends, ...(frame.idMarker ? [frame.idMarker] : [])];
  let name = "";
  for (let count = 0; count < 200; count++) {
    const code = yield* peek(input);
    if (code === -1 || code === 123 || code === 10) break;
    if (stops.some((stop) => stop.charCodeAt(0) === code) && (yield* firstAt(session, stops)) !== undefined)
      break;
    name += String.fromCharCode(code);
    input.pos++;
  }
  return name.trim();
}

function* skipBetween(session: Session, draft: Draft, frame: MarkerFrame): Reader<void> {
  const { input } = session;
  for (;;) {
    yield* skipSpace(input);
    const found = yield* firstAt(session, frame.between);
    if (found !== undefined) {
      input.pos += found.length;
      continue;
    }
    if (yield* take(input, "```")) {
      noteRepair(draft.repairs, "fence");
      yield* take(input, "json");
      continue;
    }
    if (frame.idMarker === undefined || !(yield* take(input, frame.idMarker))) return;
    let id = "";
    for (
      let code = yield* peek(input);
      code !== 91 && code !== -1 && !isSpace(code);
      code = yield* peek(input)
    ) {
      id += String.fromCharCode(code);
      input.pos++;
      if (id.length > 100) return;
    }
    draft.id = id;
  }
}
