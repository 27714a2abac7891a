/**
 * Reads calls that are a name and a JSON object between marks:
 * `<｜tool▁call▁begin｜>read_file<｜tool▁sep｜>{"path": "a.txt"}<｜tool▁call▁end｜>`, `[TOOL_CALLS]read_file[ARGS]{"path": "a.txt"}`.
 */
import { parametersSchema, propertyNames } from "@localharness/schema";
import { type CallDraft, nameDraft, newDraft, readJsonArguments, settleDraft } from "../call/draft.ts";
import { noteRepair } from "../json/result.ts";
import { lineFeed, openBrace, openBracket } from "../scan/characters.ts";
import {
  at,
  endOf,
  firstAt,
  isNameChar,
  isSpace,
  peek,
  type Reader,
  skipSpace,
  spaceEnd,
  take,
  takeFirst,
} from "../scan/input.ts";
import { replyEnds } from "../scan/reply-end.ts";
import { framedOpener, framelessOpener, type Opener, type Scan } from "../scan/scan.ts";
import type { FormatId } from "../types.ts";
import { endFrame, skipBroken } from "./end-frame.ts";

export interface MarkerFrame {
  readonly format: FormatId;
  readonly calls: readonly string[];
  /** The marks that may begin and end a section of several calls. */
  readonly sections?: readonly (readonly [string, string])[];
  readonly before?: readonly string[];
  /** Texts that may occur between the name and the arguments, in any order. */
  readonly between: readonly string[];
  /** A mark between name and arguments; the id of the call follows it. */
  readonly idMarker?: string;
  /** True if the text before the arguments is an id with the name in it: `functions.read_file:0`. */
  readonly nameIsId?: boolean;
  /** True if `calls` begin with the name of a tool, or with an id without its number, and not with a mark. */
  readonly isName?: boolean;
  readonly ends: readonly string[];
  readonly argumentsRequired?: boolean;
  /** True if a further call needs no mark before its name. A tool's name at the end of the text is then a cut call. */
  readonly namesAlone?: boolean;
  /** The marks that may end a section whose beginning is missing. */
  readonly lateEnds?: readonly string[];
}

export function markerFrameOpeners(frame: MarkerFrame): Opener[] {
  const opener = (literal: string, read: Opener["read"]): Opener =>
    frame.isName
      ? framelessOpener(literal, frame.format, read, "word")
      : framedOpener(literal, frame.format, read);
  return [
    ...frame.calls.map((open) => opener(open, (scan, mark) => readCalls(scan, mark, frame, open))),
    ...(frame.sections ?? []).map(([open]) =>
      opener(open, (scan, mark) => readSection(scan, mark, frame, open)),
    ),
  ];
}

function* readSection(scan: Scan, mark: number, frame: MarkerFrame, open: string): Reader<boolean> {
  const { input } = scan;
  input.pos += open.length;
  yield* skipSpace(input);
  const call = yield* firstAt(input, frame.calls);
  if (call !== undefined) return yield* readCalls(scan, mark, frame, call);
  return yield* takeSectionEnd(scan, frame);
}

function* takeSectionEnd({ input }: Scan, { sections = [] }: MarkerFrame): Reader<boolean> {
  const ends = sections.map(([, end]) => end);
  return (yield* takeFirst(input, ends)) !== undefined;
}

/** Reads calls one after another, and the end of their section. The mark of the first call is at the current position. */
function* readCalls(scan: Scan, mark: number, frame: MarkerFrame, first: string): Reader<boolean> {
  const { input } = scan;
  let taken = false;
  let open: string | undefined = first;
  let start = mark;
  while (open !== undefined) {
    if (!(yield* readCall(scan, newDraft(start, frame.format, "framed"), frame, open))) {
      if (taken) input.rewind(start);
      break;
    }
    taken = true;
    const after = input.offset;
    yield* skipSpace(input);
    start = input.offset;
    if (yield* takeSectionEnd(scan, frame)) return true;
    open = (yield* firstAt(input, frame.calls)) ?? (yield* nextByName(scan, frame));
    if (open === undefined) input.rewind(after);
  }
  for (const [, end] of frame.sections ?? []) scan.awaitedEnds.add(end);
  for (const end of frame.lateEnds ?? []) scan.awaitedEnds.add(end);
  return taken;
}

/** Returns the text before the name of a further call without a mark (a comma or nothing); undefined if there is no such call. */
function* nextByName(scan: Scan, frame: MarkerFrame): Reader<string | undefined> {
  if (!frame.namesAlone) return undefined;
  const { input } = scan;
  const open = (yield* at(input, ",")) ? "," : "";
  const start = yield* spaceEnd(input, open.length, 20);
  const end = yield* endOf(input, start, 128, isNameChar);
  if (!scan.tools.resolve(input.text.slice(input.pos + start, input.pos + end))) return undefined;
  for (const follows of ["{", ...frame.between]) if (yield* at(input, follows, end)) return open;
  return undefined;
}

function* readCall(scan: Scan, draft: CallDraft, frame: MarkerFrame, open: string): Reader<boolean> {
  const { input } = scan;
  if (!frame.isName) input.pos += open.length;
  yield* skipSpace(input);
  while (!frame.isName && open.length > 1 && (yield* take(input, open))) yield* skipSpace(input);
  for (const before of frame.before ?? []) yield* take(input, before);
  const name = yield* readName(scan, frame);
  // A mark in the name is from a format whose calls begin with the same mark; an id without a number is other text.
  if (/<[|｜]/.test(name) || (frame.isName && frame.nameIsId && !/^\S+:\d+$/.test(name))) return false;
  if (frame.nameIsId && name.includes(":")) draft.id = name;
  nameDraft(scan, draft, frame.nameIsId ? name.replace(/^functions\./, "").replace(/:\d+$/, "") : name);
  const afterName = input.offset;
  yield* skipBetween(scan, draft, frame);
  const code = yield* peek(input);
  if (code === openBrace || (code === openBracket && draft.tool && input.offset > afterName)) {
    yield* readJsonArguments(scan, draft);
  } else if (input.offset > afterName && draft.tool && (yield* firstAt(input, replyEnds)) !== undefined) {
    if (takesArguments(draft)) draft.outcome = "broken";
  } else if (code === -1) {
    const isName = draft.tool !== undefined || /^\S+$/.test(name);
    if (!isName || (frame.argumentsRequired && !(frame.namesAlone && draft.tool))) return false;
    if (input.offset === afterName || takesArguments(draft)) draft.outcome = "cut";
  } else if (frame.argumentsRequired || (yield* firstAt(input, frame.ends)) === undefined) {
    if (!draft.tool || frame.ends.length === 0) return false;
    draft.outcome = "broken";
  }
  if (draft.outcome === "whole") yield* endMarkers(scan, draft, frame);
  else if (draft.outcome === "broken") yield* skipBroken(scan, open, frame.ends);
  return settleDraft(scan, draft);
}

function takesArguments(draft: CallDraft): boolean {
  return !draft.tool || propertyNames(parametersSchema(draft.tool.parameters)).length > 0;
}

function* endMarkers(scan: Scan, draft: CallDraft, frame: MarkerFrame): Reader<void> {
  const { input } = scan;
  const after = input.offset;
  yield* skipSpace(input);
  if (!(yield* take(input, "```"))) input.rewind(after);
  if (frame.ends.length > 0) yield* endFrame(scan, frame.ends, draft);
}

/** Reads the name, up to a mark, a brace or the end of the line. */
function* readName(scan: Scan, frame: MarkerFrame): Reader<string> {
  const { input } = scan;
  const stops = ["```", ...frame.between, ...frame.ends, ...(frame.idMarker ? [frame.idMarker] : [])];
  let name = "";
  for (let count = 0; count < 200; count += 1) {
    const code = yield* peek(input);
    if (code === -1 || code === openBrace || code === lineFeed) break;
    if (stops.some((stop) => stop.charCodeAt(0) === code) && (yield* firstAt(input, stops)) !== undefined) {
      break;
    }
    name += String.fromCharCode(code);
    input.pos += 1;
  }
  return name.trim();
}

function* skipBetween(scan: Scan, draft: CallDraft, frame: MarkerFrame): Reader<void> {
  const { input } = scan;
  for (;;) {
    yield* skipSpace(input);
    if ((yield* takeFirst(input, frame.between)) !== undefined) continue;
    if (yield* take(input, "```")) {
      noteRepair(draft.repairs, "fence");
      yield* take(input, "json");
      continue;
    }
    if (frame.idMarker === undefined || !(yield* take(input, frame.idMarker))) return;
    const length = yield* endOf(input, 0, 101, (code) => code !== openBracket && !isSpace(code));
    const id = input.text.slice(input.pos, input.pos + length);
    input.pos += length;
    if (length > 100) return;
    draft.id = id;
  }
}
