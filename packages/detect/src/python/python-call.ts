/** Calls in Python's syntax: `read_file(path="a.txt", limit=10)`, alone, in a list, or one per line, with a frame or without. */
import { type Certainty, type Draft, nameDraft, newDraft } from "../call/draft.ts";
import { jsonReading, setOwn } from "../json/result.ts";
import { isWordChar, peek, type Reader, skipSpace } from "../scan/input.ts";
import type { Session } from "../scan/session.ts";
import { parametersSchema, propertyNames } from "../schema/read-schema.ts";
import type { FormatId, JsonValue } from "../types.ts";
import { readPython } from "./read-python.ts";

/** Reads `name(` and the keyword arguments up to `)`. Not settled; `not-a-call` when this is no call of keywords. */
export function* readPythonCall(
  session: Session,
  mark: number,
  format: FormatId,
  certainty: Certainty,
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
  const args: { [key: string]: JsonValue } = {};
  for (let count = 0; ; count++) {
    let code = yield* skipSpace(input);
    if (code === 44 && count > 0) {
      input.pos++;
      code = yield* skipSpace(input);
    }
    if (code === 41) break;
    if (code === -1 || !(yield* readArgument(session, draft, args, count))) {
      if (draft.outcome === "whole") draft.outcome = code === -1 ? "cut" : "broken";
      return draft;
    }
  }
  input.pos++;
  draft.args = args;
  return draft;
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
function* readArgument(
  session: Session,
  draft: Draft,
  args: { [key: string]: JsonValue },
  count: number,
): Reader<boolean> {
  const { input } = session;
  const reading = jsonReading(true, draft.repairs);
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
  const value = yield* readPython(input, reading);
  if (reading.outcome !== "whole") {
    draft.outcome = reading.outcome;
    return false;
  }
  return addArgument(draft, args, key, value, count);
}

function addArgument(
  draft: Draft,
  args: { [key: string]: JsonValue },
  key: string | undefined,
  value: JsonValue,
  count: number,
): boolean {
  if (key !== undefined) {
    setOwn(args, key, value);
    return true;
  }
  const names = propertyNames(parametersSchema(draft.tool?.parameters));
  const only = names.length === 1 ? names[0] : undefined;
  if (count > 0 || only === undefined || typeof value === "object") {
    draft.outcome = "broken";
    return false;
  }
  setOwn(args, only, value);
  return true;
}
