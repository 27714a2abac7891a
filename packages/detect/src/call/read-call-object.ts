/**
 * Reads a JSON object as a call. The keys may have several names and any order: `{"name", "arguments"}`, `{"tool", "args"}`,
 * `{"type": "function", "function": {...}}`, `{"tool_calls": [...]}`. It reports the start of the call as soon as the tool is
 * known and its arguments begin, and then the arguments while they come.
 */
import { parametersSchema, propertySchema } from "@localharness/schema";
import { assumeEnd } from "../frames/unfinished.ts";
import { readJson } from "../json/read-json.ts";
import { readKey, readSeparator } from "../json/read-separator.ts";
import { type JsonReading, jsonReading, noteRepair, setOwn } from "../json/result.ts";
import { skipBlank } from "../json/skip-blank.ts";
import { openBrace, openBracket } from "../scan/characters.ts";
import { at, peek, type Reader, skipSpace, spaceEnd } from "../scan/input.ts";
import type { Scan } from "../scan/scan.ts";
import type { FormatId, JsonValue, Repair } from "../types.ts";
import { keyRole } from "./call-keys.ts";
import { type CallDraft, nameDraft, newDraft, settleDraft, startDraft, streamArguments } from "./draft.ts";

/** The maximum nesting of call objects. The known forms need three levels. */
const maxNesting = 4;

/** The place of a call object: the number of open containers around it (`outer`) and of call objects around it (`nesting`). */
export interface CallPlace {
  readonly outer: number;
  readonly nesting: number;
}

export const topPlace: CallPlace = { outer: 0, nesting: 0 };

/**
 * Reads an object from its `{` on. Fills the draft and returns it, or returns the drafts of a list of calls in the object.
 * The caller settles the last drafts; earlier calls of a list are already settled.
 */
export function* readCallObject(scan: Scan, draft: CallDraft, place: CallPlace): Reader<CallDraft[]> {
  const { input } = scan;
  const reading = jsonReading(draft.certainty === "framed", draft.repairs, place.outer + 1);
  let inner: CallDraft[] | undefined;
  let afterInner = 0;
  input.pos += 1;
  for (let fresh = true; ; fresh = false) {
    const step = yield* readSeparator(input, reading, "object", fresh);
    if (step === "closed") return inner ? listOf(inner, draft) : [draft];
    const key = step === "value" ? yield* readKey(input, reading, reading.outer) : undefined;
    if (key !== undefined) {
      yield* skipBlank(input, reading);
      const drafts = yield* readMember(scan, draft, key, reading, place, inner !== undefined);
      if (drafts?.some((one) => one.settled || one.name !== undefined)) {
        inner = drafts;
        afterInner = input.offset;
      } else if (drafts && drafts.length > 0) noteRepair(draft.repairs, "dropped-key");
      // If a list of calls cannot be read, nothing after it can be read.
      if (drafts?.some((one) => one.outcome !== "whole")) return drafts;
    }
    if (key === undefined || reading.outcome !== "whole") {
      // The text ends inside a member after the arguments, or this member cannot be read.
      if (step === "value" && draft.args !== undefined) noteRepair(draft.repairs, "dropped-key");
      if (inner) {
        // Unreadable text after a whole list of calls is passed on as text.
        input.rewind(afterInner);
        noteRepair(inner.at(-1)?.repairs ?? [], "missing-closer");
        return listOf(inner, draft);
      }
      draft.outcome = reading.outcome;
      return [draft];
    }
    if (draft.outcome !== "whole") return [draft];
  }
}

/** Returns the calls of a list inside an object. Adds a repair to the last call if other keys of the object were dropped. */
function listOf(inner: CallDraft[], around: CallDraft): CallDraft[] {
  const last = inner.at(-1);
  const dropped = around.beside || around.args !== undefined || around.repairs.includes("dropped-key");
  if (last && dropped) noteRepair(last.repairs, "dropped-key");
  return inner;
}

function* readMember(
  scan: Scan,
  draft: CallDraft,
  key: string,
  reading: JsonReading,
  place: CallPlace,
  afterList: boolean,
): Reader<CallDraft[] | undefined> {
  const { input } = scan;
  const code = yield* peek(input);
  const known = keyRole(key);
  const called = draft.index !== undefined || (afterList && known !== "unknown");
  const role = called && known !== "id" ? "beside" : known;
  if (draft.format === "json") draft.format = formOf(key, code);
  const mayBeName = draft.certainty === "framed" && !afterList && key !== "" && !draft.name;
  if (role === "unknown" && code === openBrace && mayBeName) {
    // `{"read_file": {"path": "a.txt"}}`: the key is the name.
    nameDraft(scan, draft, key);
    return yield* readArguments(scan, draft, reading);
  }
  switch (role) {
    case "name":
    case "wrapper":
      if (code === openBrace && place.nesting < maxNesting) {
        return yield* readNested(scan, draft, reading, place);
      }
      return yield* readName(scan, draft, reading);
    case "arguments":
      if (draft.args !== undefined) return yield* skipBeside(scan, draft, key, reading);
      if (key !== "arguments" && key !== "parameters") noteRepair(draft.repairs, "argument-key");
      return yield* readArguments(scan, draft, reading);
    case "calls":
      if (code !== openBracket || place.nesting >= maxNesting) {
        return yield* skipBeside(scan, draft, key, reading);
      }
      // Events are held aside, because a later item may show that the whole list is data.
      if (draft.certainty === "plain" && !scan.out.isAside) scan.out.begin();
      return yield* readCallList(scan, draft, { outer: reading.outer, nesting: place.nesting + 1 });
    case "id":
      return yield* readId(scan, draft, reading);
    case "unknown":
      // A plain object with other keys is data, and so are all objects inside it.
      if (draft.certainty === "plain") draft.outcome = "not-a-call";
      else yield* keepBeside(scan, draft, key, reading);
      return undefined;
    case "beside":
      return yield* skipBeside(scan, draft, key, reading);
  }
}

/** Returns the plain JSON format whose calls have this key. `code` is the code of the value's first character. */
function formOf(key: string, code: number): FormatId {
  if (key === "tool" || key === "args") return "tool-args";
  return key === "tool_calls" || (key === "function" && code === openBrace) ? "openai" : "json";
}

/** The values with which models only say that an object is a call. */
const descriptions: readonly JsonValue[] = [
  "function",
  "tool",
  "tool_call",
  "tool_use",
  "function_call",
  "assistant",
];

/** Drops a value that is not part of the call. Adds a repair, unless its key is known and the value says nothing. */
function* skipBeside(scan: Scan, draft: CallDraft, key: string, reading: JsonReading): Reader<undefined> {
  const value = yield* readJson(scan.input, reading);
  const saysNothing = value === null || value === "" || key === "index" || descriptions.includes(value);
  if (keyRole(key) === "unknown" || !saysNothing) noteRepair(draft.repairs, "dropped-key");
  return undefined;
}

/** Keeps the value of an unknown key, which may be an argument. */
function* keepBeside(scan: Scan, draft: CallDraft, key: string, reading: JsonReading): Reader<undefined> {
  const value = yield* readJson(scan.input, reading);
  if (reading.outcome !== "whole") return undefined;
  draft.beside ??= {};
  setOwn(draft.beside, key, value);
  return undefined;
}

/** Reads a call object under a key into the same draft. Returns the drafts of a list of calls in the object, if any. */
function* readNested(
  scan: Scan,
  draft: CallDraft,
  reading: JsonReading,
  place: CallPlace,
): Reader<CallDraft[] | undefined> {
  const drafts = yield* readCallObject(scan, draft, { outer: reading.outer, nesting: place.nesting + 1 });
  if (draft.outcome === "cut" || draft.outcome === "broken") reading.outcome = draft.outcome;
  return drafts[0] === draft ? undefined : drafts;
}

function* readName(scan: Scan, draft: CallDraft, reading: JsonReading): Reader<undefined> {
  const value = yield* readJson(scan.input, reading);
  if (reading.outcome !== "whole" || typeof value !== "string") {
    if (reading.outcome === "whole" && draft.certainty === "plain") draft.outcome = "not-a-call";
    else if (value !== null) noteRepair(draft.repairs, "dropped-key");
    return undefined;
  }
  if (draft.name !== undefined && value !== draft.name) noteRepair(draft.repairs, "dropped-key");
  if (draft.tool === undefined) nameDraft(scan, draft, value);
  if (draft.certainty === "plain" && !draft.tool) draft.outcome = "not-a-call";
  return undefined;
}

function* readArguments(scan: Scan, draft: CallDraft, reading: JsonReading): Reader<undefined> {
  const { input } = scan;
  const isObject = (yield* peek(input)) === openBrace;
  if (isObject && draft.tool && !(yield* mayBeDefinition(scan, draft))) {
    startDraft(scan, draft);
    streamArguments(scan, draft);
  }
  const value: JsonValue = yield* readJson(input, reading);
  input.untap();
  if (reading.outcome === "whole") draft.args = value;
  return undefined;
}

/** Returns true if a plain object may define a tool: it begins with `"type"`, and the tool has no argument of this name. */
function* mayBeDefinition(scan: Scan, draft: CallDraft): Reader<boolean> {
  if (draft.certainty === "framed") return false;
  const ahead = yield* spaceEnd(scan.input, 1, Number.POSITIVE_INFINITY);
  if (!(yield* at(scan.input, '"type"', ahead))) return false;
  return propertySchema(parametersSchema(draft.tool?.parameters), "type") === undefined;
}

function* readId(scan: Scan, draft: CallDraft, reading: JsonReading): Reader<undefined> {
  const value = yield* readJson(scan.input, reading);
  if (typeof value === "string" && value !== "" && reading.outcome === "whole") draft.id = value;
  return undefined;
}

/**
 * Reads a list of call objects, from `[` to the closing `]`. Returns the drafts of the items, all but the last one settled.
 * An item that cannot be read as a call ends the list; its outcome is `not-a-call`, `broken` or `cut`.
 */
export function* readCallList(scan: Scan, parent: CallDraft, place: CallPlace): Reader<CallDraft[]> {
  const { input } = scan;
  const drafts: CallDraft[] = [];
  const between: Repair[] = [];
  const reading = jsonReading(parent.certainty === "framed", between, place.outer + 1);
  input.pos += 1;
  for (let fresh = true; ; fresh = false) {
    const step = yield* readSeparator(input, reading, "list", fresh);
    for (const repair of between.splice(0)) noteRepair((drafts.at(-1) ?? parent).repairs, repair);
    if (step === "closed") return drafts;
    const code = step === "value" ? yield* skipSpace(input) : -1;
    // The text before the list belongs to its first call.
    const mark = drafts.length === 0 ? parent.mark : input.offset;
    const draft = newDraft(mark, parent.format, parent.certainty);
    if (drafts.length === 0) draft.repairs.push(...parent.repairs);
    if (step === "stop" || code !== openBrace) {
      draft.outcome = reading.outcome === "whole" ? "not-a-call" : reading.outcome;
      const last = drafts.at(-1);
      if (draft.outcome === "cut" && last) assumeEnd(input, last, "missing-closer");
      else drafts.push(draft);
      return drafts;
    }
    // Each call is settled before the next is read; only the last one waits for the end of the list.
    const before = drafts.at(-1);
    if (before && !settleDraft(scan, before)) {
      if (before.certainty === "plain") {
        before.outcome = "not-a-call";
        return drafts;
      }
      // An item that is not a call is passed on as text.
      scan.out.text(input.rawFrom(before.mark));
      before.settled = true;
    }
    const found = yield* readCallObject(scan, draft, { outer: place.outer + 1, nesting: place.nesting });
    for (const one of found) drafts.push(one);
    if (found.some((one) => one.outcome !== "whole")) return drafts;
  }
}
