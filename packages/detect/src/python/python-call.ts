/** Reads one call in Python's syntax: `read_file(path="a.txt", limit=10)`. */
import {
  parametersSchema,
  propertyNames,
  propertySchema,
  requiredNames,
  typesOf,
} from "@localharness/schema";
import {
  type CallDraft,
  type Certainty,
  nameDraft,
  newDraft,
  settleDraft,
  startDraft,
} from "../call/draft.ts";
import { jsonReading, noteRepair, setLast } from "../json/result.ts";
import { type ShownArguments, showArguments } from "../markup/shown-arguments.ts";
import { isExhausted } from "../markup/value-end.ts";
import {
  closeBracket,
  closeParen,
  colon,
  comma,
  doubleQuote,
  equals,
  lessThan,
  openBrace,
  openParen,
  singleQuote,
} from "../scan/characters.ts";
import {
  endOf,
  type Input,
  isNameChar,
  isWordChar,
  peek,
  type Reader,
  skipSpace,
  take,
  takeWord,
} from "../scan/input.ts";
import type { Scan } from "../scan/scan.ts";
import type { FormatId, JsonObject } from "../types.ts";
import { readPython } from "./read-python.ts";
import type { PythonPlace } from "./text-end.ts";

/**
 * Reads `name(` and the arguments up to `)`. Returns a draft that is not settled; its outcome is `not-a-call` if no call begins
 * here. In a frame, a call of a tool on offer is reported while it is read, after the drafts `before` it in its list have been settled.
 */
export function* readPythonCall(
  scan: Scan,
  mark: number,
  format: FormatId,
  certainty: Certainty,
  list: { readonly inList: boolean; readonly before: readonly CallDraft[] } = { inList: false, before: [] },
): Reader<CallDraft> {
  const { input } = scan;
  const draft = newDraft(mark, format, certainty);
  const name = yield* takeWord(input, isDottedName);
  if (name === "" || (yield* skipSpace(input)) !== openParen) {
    draft.outcome = (yield* peek(input)) === -1 && name !== "" ? "cut" : "not-a-call";
    return draft;
  }
  input.pos += 1;
  nameDraft(scan, draft, name);
  if (certainty === "framed" && draft.tool) {
    const { before } = list;
    const settled = before.findLastIndex((other) => other.settled !== undefined);
    for (const other of before.slice(settled + 1)) settleDraft(scan, other);
    startDraft(scan, draft);
  }
  const isMarked = certainty === "framed";
  const mendsQuotes = isMarked || !isExhausted(scan);
  const place: PythonPlace = { kind: "argument", isMarked, mendsQuotes, inList: list.inList };
  const call: PythonCall = { input, draft, place, args: {}, shown: showArguments(scan, draft) };
  if (yield* readArguments(call)) draft.args = call.args;
  else if (!isMarked) scan.lookedInVain += input.offset - mark;
  return draft;
}

/** Reads the arguments and the closing parenthesis. Returns false, and sets the outcome of the draft, if that is impossible. */
function* readArguments(call: PythonCall): Reader<boolean> {
  const { input, draft, place } = call;
  for (let count = 0; ; count += 1) {
    let code = yield* skipSpace(input);
    if (code === comma && count > 0) {
      input.pos += 1;
      code = yield* skipSpace(input);
    }
    if (place.isMarked && code === hash) {
      yield* skipComment(input, draft);
      continue;
    }
    if (code === closeParen) break;
    // A mark shows that the parenthesis is missing.
    if (place.isMarked && count > 0 && (code === lessThan || code === closeBracket)) {
      noteRepair(draft.repairs, "missing-closer");
      return true;
    }
    if (code === -1 || !(yield* readArgument(call, count))) {
      if (draft.outcome === "whole") draft.outcome = code === -1 ? "cut" : "broken";
      return false;
    }
  }
  input.pos += 1;
  return true;
}

const hash = 35;

/** Moves over a comment to the end of its line. */
function* skipComment(input: Input, draft: CallDraft): Reader<void> {
  noteRepair(draft.repairs, "comment");
  input.pos += yield* endOf(input, 0, Number.POSITIVE_INFINITY, "\n");
}

interface PythonCall {
  readonly input: Input;
  readonly draft: CallDraft;
  readonly place: PythonPlace;
  readonly args: JsonObject;
  readonly shown: ShownArguments;
}

const isDottedName = (code: number) => isNameChar(code) || code > 127;

/**
 * Reads `key=value`, or all arguments in an object: `**{"key": "value"}`. The first argument may lack its key if the tool has
 * only one parameter.
 */
function* readArgument(call: PythonCall, count: number): Reader<boolean> {
  const { input, draft } = call;
  const isSpread = yield* take(input, "**");
  if (isSpread || (count === 0 && (yield* peek(input)) === openBrace)) return yield* readObject(call);
  const key = yield* readKey(call);
  if (draft.outcome === "cut") return false;
  return yield* readValue(call, key ?? nameAt(call, count), key !== undefined);
}

/** Reads `key=`; in a frame also `key:` and `"key"=`. Returns undefined and does not move if there is no key. */
function* readKey({ input, draft, place }: PythonCall): Reader<string | undefined> {
  const first = yield* peek(input);
  const isQuoted = place.isMarked && (first === doubleQuote || first === singleQuote);
  if (!isWordChar(first) && !isQuoted) return undefined;
  const mark = input.hold();
  if (isQuoted) input.pos += 1;
  const key = yield* takeWord(input, isDottedName);
  const isClosed = !isQuoted || (yield* take(input, String.fromCharCode(first)));
  const sign = yield* skipSpace(input);
  const isKeyword =
    isClosed && sign === equals ? (yield* peek(input, 1)) !== equals : place.isMarked && sign === colon;
  if (isKeyword && isClosed) {
    input.pos += 1;
    if (isQuoted || sign === colon) noteRepair(draft.repairs, "argument-key");
  } else if ((yield* peek(input)) === -1) {
    draft.outcome = "cut";
  } else {
    input.rewind(mark);
  }
  input.release();
  return isKeyword && isClosed ? key : undefined;
}

/** Reads an object with all arguments. If the tool takes one object, which has other keys, the object is that argument. */
function* readObject({ input, draft, place, args }: PythonCall): Reader<boolean> {
  const reading = jsonReading(true, draft.repairs);
  const value = yield* readPython(input, reading, { ...place, kind: "member" });
  if (reading.outcome !== "whole" || typeof value !== "object" || value === null || Array.isArray(value)) {
    draft.outcome = reading.outcome === "whole" ? "broken" : reading.outcome;
    return false;
  }
  const schema = parametersSchema(draft.tool?.parameters);
  const only = onlyName(draft);
  const inner = only === undefined ? undefined : propertySchema(schema, only);
  const isValue = inner !== undefined && typesOf(inner).has("object") && !Object.hasOwn(value, only ?? "");
  if (isValue && only !== undefined) setLast(args, only, value, draft.repairs);
  else for (const [key, item] of Object.entries(value)) setLast(args, key, item, draft.repairs);
  return true;
}

/** Reads a value and adds it to the arguments. If its key is missing in the text, it must not be a list or an object. */
function* readValue(call: PythonCall, key: string | undefined, named: boolean): Reader<boolean> {
  const { input, draft, args, shown, place } = call;
  const reading = jsonReading(true, draft.repairs);
  const text = key === undefined ? undefined : shown.text(key);
  const isText = key !== undefined && takesText(draft, key);
  const at: PythonPlace = named ? place : { ...place, kind: "positional" };
  const value = yield* readPython(input, reading, at, 0, isText ? text : undefined);
  if (reading.outcome !== "whole" || key === undefined || (!named && typeof value === "object")) {
    draft.outcome = reading.outcome === "whole" ? "broken" : reading.outcome;
    return false;
  }
  setLast(args, key, value, draft.repairs);
  text?.end(value);
  return true;
}

/**
 * Returns the name of an argument without a name. In a frame it is the name that the schema requires at this place, if the
 * required names come first; else the only name.
 */
function nameAt({ draft, place, args }: PythonCall, count: number): string | undefined {
  const schema = parametersSchema(draft.tool?.parameters);
  const name = requiredNames(schema)[count];
  const isNext = place.isMarked && name !== undefined && propertyNames(schema)[count] === name;
  if (!isNext) return count === 0 ? onlyName(draft) : undefined;
  noteRepair(draft.repairs, "argument-key");
  return Object.keys(args).length === count ? name : undefined;
}

function onlyName(draft: CallDraft): string | undefined {
  const names = propertyNames(parametersSchema(draft.tool?.parameters));
  return names.length === 1 ? names[0] : undefined;
}

/** Returns true if the argument may be a text. Its pieces can then be shown while they arrive. */
function takesText(draft: CallDraft, key: string): boolean {
  const schema = propertySchema(parametersSchema(draft.tool?.parameters), key);
  const types = schema ? typesOf(schema) : undefined;
  return types === undefined || types.size === 0 || types.has("string");
}
