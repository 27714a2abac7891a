/**
 * Reads GLM's calls: `<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>a.txt</arg_value>\n</tool_call>`. Also reads the
 * calls of Hunyuan 3 (`<tool_sep>` after the name), Laguna (a JSON object after the name) and LongCat (a prefix in its tags), and
 * calls with one tag per argument.
 */
import { parametersSchema, propertySchema, typesOf } from "@localharness/schema";
import {
  type Draft,
  nameDraft,
  newDraft,
  readJsonArguments,
  settleDraft,
  startDraft,
} from "../call/draft.ts";
import { endFrame } from "../frames/end-frame.ts";
import { halfHere, hasRequired } from "../frames/unfinished.ts";
import { noteRepair, setLast } from "../json/result.ts";
import { backslash, openBrace } from "../scan/characters.ts";
import { at, endOf, peek, type Reader, skipSpace, spaceEnd, take } from "../scan/input.ts";
import { framedOpener, type Opener, type Session } from "../scan/session.ts";
import type { FormatId, JsonObject, ToolSchema } from "../types.ts";
import { decodeEntities, unescapeArguments } from "./entities.ts";
import { readTagValue } from "./read-tag-value.ts";
import type { TagRoles } from "./roles.ts";
import { type ShownArguments, showArguments } from "./shown-arguments.ts";
import { plainTags, tagHere } from "./tag.ts";
import { typeText } from "./type-text.ts";
import { pairValue } from "./value-end.ts";

interface PairTags {
  readonly format: FormatId;
  readonly frame: string;
  readonly key: string;
  readonly value: string;
  readonly roles: TagRoles;
}

function pairTags(format: FormatId, prefix: string): PairTags {
  const [frame, key, value] = [`${prefix}tool_call`, `${prefix}arg_key`, `${prefix}arg_value`];
  const roles: TagRoles = (tag) => {
    const isEnd = tag.kind === "close";
    if (tag.name === key) return isEnd ? undefined : "argument";
    if (tag.name === value) return isEnd ? "argument-end" : undefined;
    if (tag.name === frame) return isEnd ? "frame-end" : "frame";
    return undefined;
  };
  return { format, frame, key, value, roles };
}

const glmTags = pairTags("glm", "");
const longcatTags = pairTags("longcat", "longcat_");
const open = "<tool_call>";
const close = "</tool_call>";
/** The maximum length of a value without the tag that opens it, in characters. */
const maxUnopened = 4096;

/** Returns the opener of LongCat's calls, which have the same pairs. */
export function longcatPairsOpener(): Opener {
  const read: Opener["read"] = (session, mark) => readFrame(session, mark, longcatTags);
  return framedOpener(`<${longcatTags.frame}>`, "longcat", read);
}

export function glmOpeners(tools: readonly ToolSchema[]): Opener[] {
  return [
    ...tools.flatMap((tool) => ["<arg_key>", "\n<arg_key>"].map((next) => unframedOpener(tool.name, next))),
    framedOpener(open, "glm", (session, mark) => readFrame(session, mark, glmTags)),
    framedOpener("<user>", "glm", readUserFrame, "line"),
    framedOpener("<tool_calls>", "glm", function* (session, mark) {
      session.input.pos += "<tool_calls>".length;
      yield* skipSpace(session.input);
      if (!(yield* at(session.input, open))) return false;
      session.awaitedEnds.add("</tool_calls>");
      return yield* readFrame(session, mark, glmTags);
    }),
  ];
}

/** Returns the opener of a call without its frame, which some servers leave out: a name on offer, then a pair of tags. */
function unframedOpener(name: string, next: string): Opener {
  const read: Opener["read"] = function* (session, mark) {
    const { input } = session;
    // The name of an argument and its end tag must follow.
    const end = yield* endOf(input, name.length + next.length, 200, "<\n");
    if (!(yield* at(input, "</arg_key>", end))) return false;
    input.pos += name.length;
    const draft = newDraft(mark, "glm", "framed");
    nameDraft(session, draft, name);
    draft.typed = true;
    startDraft(session, draft);
    yield* readBody(session, draft, glmTags);
    if (draft.outcome === "whole") yield* endFrame(session, [close], draft, input.offset, !input.cut);
    return settleDraft(session, draft);
  };
  return framedOpener(`${name}${next}`, "glm", read, "word");
}

function* readFrame(session: Session, mark: number, tags: PairTags): Reader<boolean> {
  const { input } = session;
  let taken = false;
  for (let start = mark; ; start = input.offset) {
    input.pos += tags.frame.length + 2;
    const draft = newDraft(start, tags.format, "framed");
    const isNamed = yield* readName(session, draft);
    if (isNamed) yield* readBody(session, draft, tags);
    if (!isNamed || draft.outcome === "not-a-call") {
      // The text after a call is read separately.
      if (taken) input.rewind(start);
      return taken;
    }
    if (draft.outcome === "whole") {
      yield* skipRestart(session, start);
      yield* endFrame(session, [`</${tags.frame}>`], draft);
    }
    taken = settleDraft(session, draft) || taken;
    if (!session.awaitedEnds.has("</tool_calls>")) return taken;
    const after = input.offset;
    yield* skipSpace(input);
    if (yield* take(input, "</tool_calls>")) {
      session.awaitedEnds.delete("</tool_calls>");
      return taken;
    }
    if (!(yield* at(input, `<${tags.frame}>`))) {
      input.rewind(after);
      return taken;
    }
  }
}

const userTags: PairTags = {
  ...glmTags,
  roles: (tag) => (tag.name === "user" && tag.kind === "close" ? "frame-end" : glmTags.roles(tag)),
};

/** Reads `<user>read_file\n<arg_key>...</user>`, which Laguna sometimes writes. It needs a tool on offer and a pair of tags. */
function* readUserFrame(session: Session, mark: number): Reader<boolean> {
  const { input } = session;
  input.pos += "<user>".length;
  yield* skipSpace(input);
  const length = yield* endOf(input, 0, 128, "<\n");
  if (!(yield* at(input, "<arg_key>", yield* spaceEnd(input, length, 20)))) return false;
  if (!session.tools.resolve(input.text.slice(input.pos, input.pos + length).trim())) return false;
  const draft = newDraft(mark, "glm", "framed");
  if (!(yield* readName(session, draft))) return false;
  yield* readBody(session, draft, userTags);
  if (draft.outcome === "whole") yield* endFrame(session, ["</user>"], draft);
  return settleDraft(session, draft);
}

/** Moves over a repeated call: if the same text follows a call without an end tag, it is the same call. */
function* skipRestart(session: Session, start: number): Reader<void> {
  const { input } = session;
  const again = input.rawFrom(start).trimEnd();
  const after = input.offset;
  yield* skipSpace(input);
  if (!(yield* take(input, again))) input.rewind(after);
}

/** Reads the name and the separator after it. Returns false if this cannot be a call of this format. */
function* readName(session: Session, draft: Draft): Reader<boolean> {
  const { input } = session;
  yield* skipSpace(input);
  const length = yield* endOf(input, 0, 128, "<{\n");
  let name = input.text.slice(input.pos, input.pos + length);
  // The model wrote a line feed as two characters.
  if (name.endsWith("\\n")) name = name.slice(0, -2);
  name = name.trim();
  if ((yield* peek(input, length)) === -1 || !/^[\p{L}\p{N}_.:/-]+$/u.test(name)) return false;
  input.pos += length;
  nameDraft(session, draft, name);
  draft.typed = true;
  yield* skipSpace(input);
  yield* take(input, "<tool_sep>");
  startDraft(session, draft);
  return true;
}

interface GlmCall {
  readonly session: Session;
  readonly draft: Draft;
  readonly args: JsonObject;
  readonly shown: ShownArguments;
  readonly tags: PairTags;
}

function* readBody(session: Session, draft: Draft, tags: PairTags): Reader<void> {
  const args: JsonObject = {};
  yield* readPairs(session, draft, tags, args);
  if (unescapeArguments(args)) noteRepair(draft.repairs, "invalid-escape");
}

function* readPairs(session: Session, draft: Draft, tags: PairTags, args: GlmCall["args"]): Reader<void> {
  const { input } = session;
  const call: GlmCall = { session, draft, args, shown: showArguments(session, draft), tags };
  for (let count = 0; ; count += 1) {
    const code = yield* skipGap(session);
    if (code === openBrace && count === 0) {
      draft.shown = undefined;
      return yield* readJsonArguments(session, draft);
    }
    if ((yield* at(input, `</${tags.frame}>`)) || (yield* endsInHalf(call))) {
      draft.args = args;
      return;
    }
    const isTagged = yield* at(input, `<${tags.key}>`);
    const key = yield* readKey(session, draft, tags);
    if (key === undefined) return endWithout(draft, args, code === -1, count);
    if (key !== "" && !(yield* readValue(call, key, isTagged))) return;
  }
}

/** Returns true if the text ends in half the end tag and no required argument is missing. */
function* endsInHalf({ session, args, draft, tags }: GlmCall): Reader<boolean> {
  const { input } = session;
  return (yield* halfHere(input, [`</${tags.frame}>`], 2)) !== undefined && isWhole(draft, args);
}

function isWhole({ tool }: Draft, args: GlmCall["args"]): boolean {
  return tool !== undefined && hasRequired(args, parametersSchema(tool.parameters));
}

/** Moves over white space and over `\n` written as two characters. Returns the code of the next character. */
function* skipGap(session: Session): Reader<number> {
  const { input } = session;
  for (;;) {
    const code = yield* skipSpace(input);
    if (code !== backslash || (yield* peek(input, 1)) !== 110) return code;
    input.pos += 2;
  }
}

function endWithout(draft: Draft, args: JsonObject, atEnd: boolean, count: number): void {
  if (count > 0 && isWhole(draft, args)) draft.args = args;
  else if (count === 0 && !atEnd) draft.outcome = draft.index === undefined ? "not-a-call" : "broken";
  else draft.outcome = atEnd ? "cut" : "broken";
}

/** Reads the next argument's name: "" before the end tag, undefined for none. Drops names without a value, with a repair. */
function* readKey(session: Session, draft: Draft, tags: PairTags): Reader<string | undefined> {
  const { input } = session;
  for (;;) {
    yield* skipGap(session);
    if (!(yield* take(input, `<${tags.key}>`))) return yield* readTagKey(session, draft);
    const length = yield* endOf(input, 0, 200, "<");
    const key = input.text.slice(input.pos, input.pos + length).trim();
    input.pos += length;
    const isClosed = yield* take(input, `</${tags.key}>`);
    yield* skipGap(session);
    if (yield* take(input, `<${tags.value}>`)) return meantKey(draft, key);
    if (isClosed && (yield* valueFollows(session, tags))) {
      noteRepair(draft.repairs, "missing-open-tag");
      return meantKey(draft, key);
    }
    noteRepair(draft.repairs, "dropped-key");
    if (yield* at(input, `</${tags.frame}>`)) return "";
    if (!(yield* at(input, `<${tags.key}>`))) return undefined;
  }
}

/** Returns the key, or its decoded form (`a&b` for `a&amp;b`) if only the decoded form is a parameter of the tool. */
function meantKey({ tool }: Draft, key: string): string {
  const schema = parametersSchema(tool?.parameters);
  const decoded = decodeEntities(key);
  return !propertySchema(schema, key) && propertySchema(schema, decoded) ? decoded : key;
}

/** Returns true if text and the end tag of a value follow, so that only the tag which opens the value is missing. */
function* valueFollows({ input }: Session, tags: PairTags): Reader<boolean> {
  const length = yield* endOf(input, 0, maxUnopened, "<");
  return length > 0 && (yield* at(input, `</${tags.value}>`, length));
}

/** Reads a tag such as `<path>`, if the tool has a parameter with that name. */
function* readTagKey(session: Session, draft: Draft): Reader<string | undefined> {
  const tag = yield* tagHere(session.input, plainTags);
  if (tag?.kind !== "open" || !draft.tool) return undefined;
  if (propertySchema(parametersSchema(draft.tool.parameters), tag.name) === undefined) return undefined;
  session.input.pos += tag.length;
  return tag.name;
}

function* readValue(
  { session, draft, args, shown, tags }: GlmCall,
  key: string,
  isTagged: boolean,
): Reader<boolean> {
  const schema = parametersSchema(draft.tool?.parameters);
  const inner = propertySchema(schema, key);
  const valueRoles: TagRoles = (tag) => {
    const role = tags.roles(tag);
    if (role !== undefined || isTagged || propertySchema(schema, tag.name) === undefined) return role;
    return tag.kind === "close" && tag.name === key ? "argument-end" : undefined;
  };
  const types = inner ? typesOf(inner) : new Set();
  const text = types.has("string")
    ? shown.text(key, { tail: "space", orNull: types.has("null") })
    : undefined;
  const between = { style: plainTags, roles: valueRoles, own: tags.value, ends: pairValue };
  const value = yield* readTagValue(session, between, text?.piece);
  if (value.end === "cut") {
    draft.outcome = "cut";
    return false;
  }
  if (value.end === "other-tag") noteRepair(draft.repairs, "missing-end-tag");
  const raw = value.end === "other-tag" ? value.text.trimEnd() : value.text;
  const typed = typeText(raw, inner, "json", draft.repairs);
  setLast(args, key, typed, draft.repairs);
  if (text) text.end(typed);
  else shown.value(key, typed);
  return true;
}
