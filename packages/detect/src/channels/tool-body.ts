/** Reads the body of a message to a tool: JSON, nothing, or the text of the tool's only argument. */
import { parametersSchema, propertyNames } from "@localharness/schema";
import { type CallDraft, nameDraft, newDraft, readJsonArguments, settleDraft } from "../call/draft.ts";
import { noteRepair } from "../json/result.ts";
import { lessThan, openBrace, openBracket } from "../scan/characters.ts";
import { type Input, peek, type Reader, skipSpace, take } from "../scan/input.ts";
import type { Scan } from "../scan/scan.ts";
import { plainArguments } from "../xml/bare-text.ts";

const maxText = 20_000;

/** Reads the body up to its end. Returns false if it is not JSON and no tool on offer has this name: then it is not a call. */
export function* readToolBody(
  scan: Scan,
  mark: number,
  name: string,
  endsHere: (input: Input) => Reader<boolean>,
): Reader<boolean> {
  const { input } = scan;
  const draft = newDraft(mark, "harmony", "framed");
  nameDraft(scan, draft, name);
  const schema = parametersSchema(draft.tool?.parameters);
  const isFenced = draft.tool !== undefined && (yield* takeFence(input));
  if (isFenced) noteRepair(draft.repairs, "fence");
  const code = yield* skipSpace(input);
  if (code === openBrace || (code === openBracket && draft.tool)) {
    yield* readJsonArguments(scan, draft);
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
    // Without an end mark the text may be incomplete.
    if ((yield* peek(input)) === -1) draft.outcome = "cut";
    else {
      const isArgument = !isFenced && text.length < maxText;
      const args = isArgument && !hasOwnTag(text, draft) ? plainArguments(text.trim(), schema) : undefined;
      if (args) draft.args = args;
      else draft.outcome = "broken";
    }
  }
  return settleDraft(scan, draft);
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
    if (code === -1 || (code === lessThan && (yield* endsHere(input)))) break;
    text += String.fromCharCode(code);
    input.pos += 1;
  }
  return text;
}

/** Returns true if a text begins with a tag that has the name of the tool or of one of its arguments. */
function hasOwnTag(text: string, { tool }: CallDraft): boolean {
  const name = /^\s*<([\w.-]{1,80})/.exec(text)?.[1];
  if (name === undefined) return false;
  return name === tool?.name || propertyNames(parametersSchema(tool?.parameters)).includes(name);
}
