/** Calls in Python's syntax: `read_file(path="a.txt", limit=10)`, alone, in a list, or one per line, with a frame or without. */
import { type Certainty, type Draft, nameDraft, newDraft, settleDraft, startDraft } from "../call/draft.ts";
import { jsonReading, setLast } from "../json/result.ts";
import { type ShownArguments, showArguments } from "../markup/shown-arguments.ts";
import { type Input, isWordChar, peek, type Reader, skipSpace } from "../scan/input.ts";
import type { Session } from "../scan/session.ts";
import { parametersSchema, propertyNames, propertySchema, typesOf } from "../schema/read-schema.ts";
import type { FormatId, JsonValue } from "../types.ts";
import { readPython } from "./read-python.ts";

/**
 * Reads `name(` and the keyword arguments up to `)`. Not settled; `not-a-call` when this is no call of keywords. In a frame
 * a call of a tool on offer is reported while it is read, and those `before` it are settled first.
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
  const name = yield* readDottedName(session);
  if (name === "" || (yield* skipSpace(input)) !== 40) {
    draft.outcome = (yield* peek(input)) === -1 && name !== "" ? "cut" : "not-a-call";
    return draft;
  }
  input.pos++;
  nameDraft(session, draft, name);
  if (certainty === "framed" && draft.tool) {
    for (const other of before) settleDraft(session, other);
    startDraft(session, draft);
  }
  const call: PythonCall = { input, draft, args: {}, shown: showArguments(session, draft) };
  for (let count = 0; ; count++) {
    let code = yield* skipSpace(input);
    if (code === 44 && count > 0) {
      input.pos++;
      code = yield* skipSpace(input);
    }
    if (code === 41) break;
    if (code === -1 || !(yield* readArgument(session, call, count))) {
      if (draft.outcome === "whole") draft.outcome = code === -1 ? "cut" : "broken";
      return draft;
    }
  }
  input.pos++;
  draft.args = call.args;
  return draft;
}

interface PythonCall {
  readonly input: Input;
  readonly draft: Draft;
  readonly args: { [key: string]: JsonValue };
  readonly shown: ShownArguments;
}

export function* readDottedName(session: Session): Reader<string> {
  const { input } = session;
  let name = "";
  for (;;) {
    const code = yield* peek(input);
    if (!isWordChar(code) && code !== 46 && code !== 45 && code < 128) return name;
    name += String.fromCharCode(code);
    input.pos++;
    if (name.length > 128) return "";
  }
}

/** `key=value`; the first argument may come without its key, as a text or an object of all arguments. */
function* readArgument(session: Session, call: PythonCall, count: number): Reader<boolean> {
  const { input, draft } = call;
  const first = yield* peek(input);
  let key: string | undefined;
  if (isWordChar(first)) {
    const mark = input.hold();
    key = yield* readDottedName(session);
    const equals = (yield* skipSpace(input)) === 61 && (yield* peek(input, 1)) !== 61;
    if (equals) input.pos++;
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

/** Reads a value and adds it; without a key it must be a text or a number. */
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

/** Whether a text in the place of this argument stays one. */
function takesText(draft: Draft, key: string): boolean {
  const schema = propertySchema(parametersSchema(draft.tool?.parameters), key);
  const types = schema ? typesOf(schema) : undefined;
  return types === undefined || types.size === 0 || types.has("string");
}
