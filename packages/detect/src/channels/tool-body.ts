/** The body of a message to a tool: JSON, nothing at all, or the text of its one argument. */
import { nameDraft, newDraft, settleDraft, startDraft, streamArguments } from "../call/draft.ts";
import { readJson } from "../json/read-json.ts";
import { jsonReading, noteRepair } from "../json/result.ts";
import { type Input, peek, type Reader, skipSpace, take } from "../scan/input.ts";
import type { Session } from "../scan/session.ts";
import { parametersSchema, propertyNames } from "../schema/read-schema.ts";
import { plainArguments } from "../xml/bare-text.ts";

/** Longer texts are no commands; they are refused. */
const maxText = 20_000;

/** Reads up to what ends the body. False when it is no JSON and goes to no tool on offer: then it is for someone else. */
export function* readToolBody(
  session: Session,
  mark: number,
  name: string,
  endsHere: (input: Input) => Reader<boolean>,
): Reader<boolean> {
  const { input } = session;
  const draft = newDraft(mark, "harmony", "framed");
  nameDraft(session, draft, name);
  const schema = parametersSchema(draft.tool?.parameters);
  const isFenced = draft.tool !== undefined && (yield* takeFence(input));
  if (isFenced) noteRepair(draft.repairs, "fence");
  const code = yield* skipSpace(input);
  if (code === 123 || (code === 91 && draft.tool)) {
    startDraft(session, draft);
    streamArguments(session, draft);
    const reading = jsonReading(true, draft.repairs);
    const value = yield* readJson(input, reading);
    session.input.untap();
    if (reading.outcome === "whole") draft.args = value;
    else draft.outcome = reading.outcome;
    if (isFenced) {
      yield* skipSpace(input);
      yield* take(input, "```");
    }
  } else if (!draft.tool) {
    return false;
  } else if (code === -1) {
    if (propertyNames(schema).length > 0) draft.outcome = "cut";
  } else if (!(yield* endsHere(input))) {
    const text = yield* readText(input, endsHere);
    // Without an end mark nobody knows whether it is whole.
    if ((yield* peek(input)) === -1) draft.outcome = "cut";
    else {
      const isArgument = !isFenced && text.length < maxText;
      const args = isArgument ? plainArguments(text.trim(), schema) : undefined;
      if (args) draft.args = args;
      else draft.outcome = "broken";
    }
  }
  return settleDraft(session, draft);
}

function* takeFence(input: Input): Reader<boolean> {
  if (!(yield* take(input, "```"))) return false;
  yield* take(input, "json");
  return true;
}

function* readText(input: Input, endsHere: (input: Input) => Reader<boolean>): Reader<string> {
  let text = "";
  while (text.length < maxText) {
    const code = yield* peek(input);
    if (code === -1 || (code === 60 && (yield* endsHere(input)))) break;
    text += String.fromCharCode(code);
    input.pos++;
  }
  return text;
}
