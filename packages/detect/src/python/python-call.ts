/** Reads one call in Python's syntax: `read_file(path="a.txt", limit=10)`. */
import { parametersSchema, propertyNames, propertySchema, typesOf } from "@localharness/schema";
import { type Certainty, type Draft, nameDraft, newDraft, settleDraft, startDraft } from "../call/draft.ts";
import { jsonReading, setLast } from "../json/result.ts";
import { type ShownArguments, showArguments } from "../markup/shown-arguments.ts";
import { closeParen, comma, equals, openParen } from "../scan/characters.ts";
import { type Input, isNameChar, isWordChar, peek, type Reader, skipSpace, takeWord } from "../scan/input.ts";
import type { Session } from "../scan/session.ts";
import type { FormatId, JsonObject } from "../types.ts";
import { readPython } from "./read-python.ts";

/**
 * Reads `name(` and the arguments up to `)`. Returns a draft that is not settled; its outcome is `not-a-call` if no call begins
 * here. In a frame, a call of a tool on offer is reported while it is read, after the drafts in `before` have been settled.
 */
export function* readPythonCall(
  session: Session,
  mark: number,
  format: FormatId,
  certainty: Certainty,
  before: readonly Draft[] = [],
): Reader<Draft> {
  const { input } = session;
  const draft = newDraft(mark, format, certainty);
  const name = yield* takeWord(input, isDottedName);
  if (name === "" || (yield* skipSpace(input)) !== openParen) {
    draft.outcome = (yield* peek(input)) === -1 && name !== "" ? "cut" : "not-a-call";
    return draft;
  }
  input.pos += 1;
  nameDraft(session, draft, name);
  if (certainty === "framed" && draft.tool) {
    const settled = before.findLastIndex((other) => other.settled !== undefined);
    for (const other of before.slice(settled + 1)) settleDraft(session, other);
    startDraft(session, draft);
  }
  const call: PythonCall = { input, draft, args: {}, shown: showArguments(session, draft) };
  for (let count = 0; ; count += 1) {
    let code = yield* skipSpace(input);
    if (code === comma && count > 0) {
      input.pos += 1;
      code = yield* skipSpace(input);
    }
    if (code === closeParen) break;
    if (code === -1 || !(yield* readArgument(call, count))) {
      if (draft.outcome === "whole") draft.outcome = code === -1 ? "cut" : "broken";
      return draft;
    }
  }
  input.pos += 1;
  draft.args = call.args;
  return draft;
}

interface PythonCall {
  readonly input: Input;
  readonly draft: Draft;
  readonly args: JsonObject;
  readonly shown: ShownArguments;
}

const isDottedName = (code: number) => isNameChar(code) || code > 127;

/** Reads `key=value`. The first argument may lack its key if the tool has only one parameter. */
function* readArgument(call: PythonCall, count: number): Reader<boolean> {
  const { input, draft } = call;
  const first = yield* peek(input);
  let key: string | undefined;
  if (isWordChar(first)) {
    const mark = input.hold();
    key = yield* takeWord(input, isDottedName);
    const isKeyword = (yield* skipSpace(input)) === equals && (yield* peek(input, 1)) !== equals;
    if (isKeyword) input.pos += 1;
    else if ((yield* peek(input)) === -1) draft.outcome = "cut";
    else {
      key = undefined;
      input.rewind(mark);
    }
    input.release();
    if (draft.outcome === "cut") return false;
  }
  return yield* readValue(call, key ?? (count === 0 ? onlyName(draft) : undefined), key !== undefined);
}

/** Reads a value and adds it to the arguments. If its key is missing in the text, it must not be a list or an object. */
function* readValue(call: PythonCall, key: string | undefined, named: boolean): Reader<boolean> {
  const { input, draft, args, shown } = call;
  const reading = jsonReading(true, draft.repairs);
  const text = key === undefined ? undefined : shown.text(key);
  const isText = key !== undefined && takesText(draft, key);
  const value = yield* readPython(input, reading, 0, isText ? text?.piece : undefined);
  if (reading.outcome !== "whole" || key === undefined || (!named && typeof value === "object")) {
    draft.outcome = reading.outcome === "whole" ? "broken" : reading.outcome;
    return false;
  }
  setLast(args, key, value, draft.repairs);
  text?.end(value);
  return true;
}

function onlyName(draft: Draft): string | undefined {
  const names = propertyNames(parametersSchema(draft.tool?.parameters));
  return names.length === 1 ? names[0] : undefined;
}

/** Returns true if the argument may be a text. Its pieces can then be shown while they arrive. */
function takesText(draft: Draft, key: string): boolean {
  const schema = propertySchema(parametersSchema(draft.tool?.parameters), key);
  const types = schema ? typesOf(schema) : undefined;
  return types === undefined || types.size === 0 || types.has("string");
}
