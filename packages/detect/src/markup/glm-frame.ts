/**
 * Reads GLM's calls: `<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>a.txt</arg_value>\n</tool_call>`. Also reads the
 * calls of Hunyuan 3 (`<tool_sep>` after the name), Laguna (a JSON object after the name) and LongCat (a prefix in its tags), and
 * calls with one tag per argument.
 */
import { parametersSchema, propertySchema, typesOf } from "@localharness/schema";
import {
  type CallDraft,
  nameDraft,
  newDraft,
  readJsonArguments,
  settleDraft,
  startDraft,
} from "../call/draft.ts";
import { addArgument } from "../call/repeated.ts";
import { endFrame } from "../frames/end-frame.ts";
import { jsonFrameOpener } from "../frames/json-frame.ts";
import { halfHere, hasRequired } from "../frames/unfinished.ts";
import { noteRepair } from "../json/result.ts";
import { backslash, greaterThan, openBrace } from "../scan/characters.ts";
import {
  at,
  endOf,
  firstAt,
  isNameChar,
  peek,
  type Reader,
  skipSpace,
  spaceEnd,
  take,
  takeFirst,
} from "../scan/input.ts";
import { framedOpener, framelessOpener, type Opener, type Scan } from "../scan/scan.ts";
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
  /** The tags that end a call. */
  readonly ends: readonly string[];
  /** The tag that ends a section of several calls. */
  readonly sectionEnd: string;
  /** The marks that may be between the name and the arguments. */
  readonly separators: readonly string[];
  readonly key: string;
  readonly value: string;
  readonly roles: TagRoles;
}

/** Returns the tags with a prefix or, as in Hunyuan 3, with a suffix after a colon. */
function pairTags(format: FormatId, prefix: string, suffix = ""): PairTags {
  const [frame = "", key = "", value = "", section = "", separator = ""] = [
    "tool_call",
    "arg_key",
    "arg_value",
    "tool_calls",
    "tool_sep",
  ].map((name) => prefix + name + suffix);
  const roles: TagRoles = (tag) => {
    const isEnd = tag.kind === "close";
    if (tag.name === key) return isEnd ? undefined : "argument";
    if (tag.name === value) return isEnd ? "argument-end" : undefined;
    if (tag.name === frame) return isEnd ? "frame-end" : "frame";
    return undefined;
  };
  const ends = [`</${frame}>`, `<end_of_${frame}>`, ...(suffix === "" ? [] : ["</tool_call>"])];
  const separators = [`<${separator}>`, "<tool_sep>"];
  return { format, frame, ends, sectionEnd: `</${section}>`, separators, key, value, roles };
}

const glmTags = pairTags("glm", "");
const longcatTags = pairTags("longcat", "longcat_");
const open = "<tool_call>";
/** The maximum length of a value without the tag that opens it, in characters. */
const maxUnopened = 4096;

/** Returns the opener of LongCat's calls, which have the same pairs. */
export function longcatPairsOpener(): Opener {
  const read: Opener["read"] = (scan, mark) => readFrame(scan, mark, longcatTags);
  return framedOpener(`<${longcatTags.frame}>`, "longcat", read);
}

/** Returns the openers of LongCat's calls without their frame. */
export function longcatUnframedOpeners(tools: readonly ToolSchema[]): Opener[] {
  return tools.flatMap(({ name }) =>
    ["", "\n"].map((gap) => unframedOpener(name, `${gap}<${longcatTags.key}>`, longcatTags)),
  );
}

export function glmOpeners(tools: readonly ToolSchema[]): Opener[] {
  return [
    ...tools.flatMap((tool) =>
      ["", "\n"].map((gap) => unframedOpener(tool.name, `${gap}<arg_key>`, glmTags)),
    ),
    framedOpener(open, "glm", (scan, mark) => readFrame(scan, mark, glmTags)),
    framedOpener("<user>", "glm", readUserFrame, "line"),
    framedOpener("<tool_calls>", "glm", (scan, mark) => readSection(scan, mark, glmTags)),
    ...["<tool_call:", "<tool_calls:"].map((literal) =>
      framedOpener(literal, "glm", (scan, mark) => readSuffixed(scan, mark, literal)),
    ),
  ];
}

/** Reads calls whose tags have a suffix after a colon: `<tool_call:opensource>`. In such a frame JSON calls are read too. */
function* readSuffixed(scan: Scan, mark: number, literal: string): Reader<boolean> {
  const { input } = scan;
  const end = yield* endOf(input, literal.length, 40, isNameChar);
  const suffix = input.text.slice(input.pos + literal.length - 1, input.pos + end);
  if (suffix === ":" || (yield* peek(input, end)) !== greaterThan) return false;
  const tags = pairTags("glm", "", suffix);
  if (literal.startsWith("<tool_calls")) return yield* readSection(scan, mark, tags);
  if (yield* readFrame(scan, mark, tags)) return true;
  input.rewind(mark);
  const json = jsonFrameOpener({ open: `<${tags.frame}>`, ends: tags.ends, format: "hermes" });
  return yield* json.read(scan, mark);
}

/** Reads the calls in `<tool_calls>` tags. */
function* readSection(scan: Scan, mark: number, tags: PairTags): Reader<boolean> {
  const { input, awaitedEnds } = scan;
  input.pos += tags.sectionEnd.length - 1;
  yield* skipSpace(input);
  if (!(yield* at(input, `<${tags.frame}>`))) return false;
  awaitedEnds.add(tags.sectionEnd);
  return yield* readFrame(scan, mark, tags);
}

/** Returns the opener of a call without its frame, which some servers leave out: a name on offer, then a pair of tags. */
function unframedOpener(name: string, next: string, tags: PairTags): Opener {
  const read: Opener["read"] = function* (scan, mark) {
    const { input } = scan;
    // The name of an argument and its end tag must follow.
    const end = yield* endOf(input, name.length + next.length, 200, "<\n");
    if (!(yield* at(input, `</${tags.key}>`, end))) return false;
    input.pos += name.length;
    const draft = newDraft(mark, tags.format, "framed");
    nameDraft(scan, draft, name);
    startDraft(scan, draft);
    yield* readBody(scan, draft, tags);
    if (draft.outcome === "whole") yield* endFrame(scan, tags.ends, draft, input.offset, !input.cut);
    return settleDraft(scan, draft);
  };
  return framelessOpener(`${name}${next}`, tags.format, read, "word");
}

function* readFrame(scan: Scan, mark: number, tags: PairTags): Reader<boolean> {
  const { input } = scan;
  let taken = false;
  for (let start = mark; ; start = input.offset) {
    input.pos += tags.frame.length + 2;
    const draft = newDraft(start, tags.format, "framed");
    const isNamed = yield* readName(scan, draft, tags);
    if (isNamed) yield* readBody(scan, draft, tags);
    if (!isNamed || draft.outcome === "not-a-call") {
      // The text after a call is read separately.
      if (taken) input.rewind(start);
      return taken;
    }
    if (draft.outcome === "whole") {
      yield* skipRestart(scan, start);
      yield* endFrame(scan, tags.ends, draft);
    }
    taken = settleDraft(scan, draft) || taken;
    if (!scan.awaitedEnds.has(tags.sectionEnd)) return taken;
    const after = input.offset;
    yield* skipSpace(input);
    if (yield* take(input, tags.sectionEnd)) {
      scan.awaitedEnds.delete(tags.sectionEnd);
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
function* readUserFrame(scan: Scan, mark: number): Reader<boolean> {
  const { input } = scan;
  input.pos += "<user>".length;
  yield* skipSpace(input);
  const length = yield* endOf(input, 0, 128, "<\n");
  if (!(yield* at(input, "<arg_key>", yield* spaceEnd(input, length, 20)))) return false;
  if (!scan.tools.resolve(input.text.slice(input.pos, input.pos + length).trim())) return false;
  const draft = newDraft(mark, "glm", "framed");
  if (!(yield* readName(scan, draft, userTags))) return false;
  yield* readBody(scan, draft, userTags);
  if (draft.outcome === "whole") yield* endFrame(scan, ["</user>"], draft);
  return settleDraft(scan, draft);
}

/** Moves over a repeated call: if the same text follows a call without an end tag, it is the same call. */
function* skipRestart(scan: Scan, start: number): Reader<void> {
  const { input } = scan;
  const again = input.rawFrom(start).trimEnd();
  const after = input.offset;
  yield* skipSpace(input);
  if (!(yield* take(input, again))) input.rewind(after);
}

/** Reads the name and the separator after it. Returns false if this cannot be a call of this format. */
function* readName(scan: Scan, draft: CallDraft, tags: PairTags): Reader<boolean> {
  const { input } = scan;
  yield* skipSpace(input);
  const length = yield* endOf(input, 0, 128, "<{\n");
  let name = input.text.slice(input.pos, input.pos + length);
  // The model wrote a line feed as two characters.
  if (name.endsWith("\\n")) name = name.slice(0, -2);
  name = name.trim();
  if ((yield* peek(input, length)) === -1 || !/^[\p{L}\p{N}_.:/-]+$/u.test(name)) return false;
  input.pos += length;
  nameDraft(scan, draft, name);
  yield* skipSpace(input);
  yield* takeFirst(input, tags.separators);
  startDraft(scan, draft);
  return true;
}

interface GlmCall {
  readonly scan: Scan;
  readonly draft: CallDraft;
  readonly args: JsonObject;
  readonly shown: ShownArguments;
  readonly tags: PairTags;
  /** The arguments that came more than once. */
  readonly lists: Set<string>;
}

function* readBody(scan: Scan, draft: CallDraft, tags: PairTags): Reader<void> {
  const args: JsonObject = {};
  yield* readPairs(scan, draft, tags, args);
  if (unescapeArguments(args)) noteRepair(draft.repairs, "invalid-escape");
}

function* readPairs(scan: Scan, draft: CallDraft, tags: PairTags, args: GlmCall["args"]): Reader<void> {
  const { input } = scan;
  const call: GlmCall = {
    scan,
    draft,
    args,
    shown: showArguments(scan, draft),
    tags,
    lists: new Set(),
  };
  for (let count = 0; ; count += 1) {
    const code = yield* skipGap(scan);
    if (code === openBrace && count === 0) {
      draft.shown = undefined;
      return yield* readJsonArguments(scan, draft);
    }
    if ((yield* firstAt(input, tags.ends)) !== undefined || (yield* endsInHalf(call))) {
      draft.args = args;
      return;
    }
    const isTagged = yield* at(input, `<${tags.key}>`);
    const key = yield* readKey(call);
    if (key === undefined) return endWithout(draft, args, code === -1, count);
    if (key !== "" && !(yield* readValue(call, key, isTagged))) return;
  }
}

/** Returns true if the text ends in half the end tag and no required argument is missing. */
function* endsInHalf({ scan, args, draft, tags }: GlmCall): Reader<boolean> {
  const { input } = scan;
  return (yield* halfHere(input, tags.ends, 2)) !== undefined && isWhole(draft, args);
}

function isWhole({ tool }: CallDraft, args: GlmCall["args"]): boolean {
  return tool !== undefined && hasRequired(args, parametersSchema(tool.parameters));
}

/** Moves over white space and over `\n` written as two characters. Returns the code of the next character. */
function* skipGap(scan: Scan): Reader<number> {
  const { input } = scan;
  for (;;) {
    const code = yield* skipSpace(input);
    if (code !== backslash || (yield* peek(input, 1)) !== 110) return code;
    input.pos += 2;
  }
}

function endWithout(draft: CallDraft, args: JsonObject, atEnd: boolean, count: number): void {
  if (count > 0 && isWhole(draft, args)) draft.args = args;
  else if (count === 0 && !atEnd) draft.outcome = draft.index === undefined ? "not-a-call" : "broken";
  else draft.outcome = atEnd ? "cut" : "broken";
}

/** Reads the next argument's name: "" before the end tag, undefined for none. Drops names without a value, with a repair. */
function* readKey(call: GlmCall): Reader<string | undefined> {
  const { scan, draft, tags } = call;
  const { input } = scan;
  for (;;) {
    yield* skipGap(scan);
    if (!(yield* take(input, `<${tags.key}>`))) return yield* readTagKey(scan, draft);
    const length = yield* endOf(input, 0, 200, "<");
    const key = input.text.slice(input.pos, input.pos + length).trim();
    input.pos += length;
    const isClosed = yield* take(input, `</${tags.key}>`);
    yield* skipGap(scan);
    if (yield* take(input, `<${tags.value}>`)) return meantKey(draft, key);
    if (isClosed && (yield* valueFollows(scan, tags))) {
      noteRepair(draft.repairs, "missing-open-tag");
      return meantKey(draft, key);
    }
    if (!addJoined(call, key)) noteRepair(draft.repairs, "dropped-key");
    if ((yield* firstAt(input, tags.ends)) !== undefined) return "";
    if (!(yield* at(input, `<${tags.key}>`))) return undefined;
  }
}

/** Adds the argument in `KEY=VALUE` or `KEY: VALUE`, if the tool has KEY. Returns false for any other text. */
function addJoined({ args, draft, shown, lists }: GlmCall, text: string): boolean {
  const [, key = "", value = ""] = /^([^\s=:]{1,128})\s*[=:]\s*(\S[\s\S]*)$/.exec(text) ?? [];
  const schema = parametersSchema(draft.tool?.parameters);
  const inner = propertySchema(schema, key);
  if (inner === undefined) return false;
  noteRepair(draft.repairs, "half-open-tag");
  const typed = typeText(value, inner, "json", draft.repairs);
  addArgument(args, key, typed, { schema, repairs: draft.repairs, lists });
  shown.value(key, typed);
  return true;
}

/** Returns the key, or its decoded form (`a&b` for `a&amp;b`) if only the decoded form is a parameter of the tool. */
function meantKey({ tool }: CallDraft, key: string): string {
  const schema = parametersSchema(tool?.parameters);
  const decoded = decodeEntities(key);
  return !propertySchema(schema, key) && propertySchema(schema, decoded) ? decoded : key;
}

/** Returns true if text and the end tag of a value follow, so that only the tag which opens the value is missing. */
function* valueFollows({ input }: Scan, tags: PairTags): Reader<boolean> {
  const length = yield* endOf(input, 0, maxUnopened, "<");
  return length > 0 && (yield* at(input, `</${tags.value}>`, length));
}

/** Reads a tag such as `<path>`, if the tool has a parameter with that name. */
function* readTagKey(scan: Scan, draft: CallDraft): Reader<string | undefined> {
  const tag = yield* tagHere(scan.input, plainTags);
  if (tag?.kind !== "open" || !draft.tool) return undefined;
  if (propertySchema(parametersSchema(draft.tool.parameters), tag.name) === undefined) return undefined;
  scan.input.pos += tag.length;
  return tag.name;
}

function* readValue(
  { scan, draft, args, shown, tags, lists }: GlmCall,
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
  const value = yield* readTagValue(scan, between, text?.piece);
  if (value.end === "cut") {
    draft.outcome = "cut";
    return false;
  }
  if (value.end === "other-tag") noteRepair(draft.repairs, "missing-end-tag");
  const raw = value.end === "other-tag" ? value.text.trimEnd() : value.text;
  const typed = typeText(raw, inner, "json", draft.repairs);
  const isRepeated = Object.hasOwn(args, key);
  addArgument(args, key, typed, { schema, repairs: draft.repairs, lists });
  if (text) text.end(typed);
  else if (!isRepeated) shown.value(key, typed);
  return true;
}
