/** Reads one call of a format with one tag per argument: its tag, its arguments and its end. */
import {
  hasType,
  isObject,
  isTextOnly,
  parametersSchema,
  propertySchema,
  type Schema,
  typesOf,
} from "@localharness/schema";
import { type Draft, nameDraft, newDraft, startDraft } from "../call/draft.ts";
import { endCall, isComplete } from "../frames/unfinished.ts";
import { parseInner, readJson } from "../json/read-json.ts";
import { jsonReading, noteRepair, setOwn } from "../json/result.ts";
import { openBrace } from "../scan/characters.ts";
import { at, endOf, type Input, peek, type Reader, skipSpace, spaceEnd } from "../scan/input.ts";
import type { Session } from "../scan/session.ts";
import type { JsonObject, JsonValue } from "../types.ts";
import { parseXmlValue } from "../xml/read-xml.ts";
import type { TextRules } from "./certain-text.ts";
import { decodeEntities, unescapeArguments } from "./entities.ts";
import type { TagFrame } from "./frame-options.ts";
import { readTagValue } from "./read-tag-value.ts";
import { argumentNames, endNames, type TagRoles, valueRoles } from "./roles.ts";
import { type ShownArguments, showArguments } from "./shown-arguments.ts";
import { type Tag, type TagStyle, tagHere } from "./tag.ts";
import { checkStrictly, unwrap } from "./tag-arguments.ts";
import { typeText } from "./type-text.ts";
import { taggedValue } from "./value-end.ts";

interface TagCall {
  readonly session: Session;
  readonly frame: TagFrame;
  readonly roles: TagRoles;
  readonly draft: Draft;
  readonly schema: Schema;
  readonly args: JsonObject;
  readonly shown: ShownArguments;
  /** The arguments that came more than once. */
  readonly lists: Set<string>;
  /** True if a value was a CDATA section, in which nothing is escaped. */
  hasSection: boolean;
}

/** Reads a call, from its tag to its end tag, or to the place where that is missing. Does not settle the draft. */
export function* readTagCall(
  session: Session,
  frame: TagFrame,
  roles: TagRoles,
  tag: Tag,
  mark: number,
): Reader<Draft> {
  const { input } = session;
  const draft = newDraft(mark, frame.format, "framed");
  draft.typed = true;
  if (tag.value !== undefined) nameDraft(session, draft, tag.value);
  input.pos += tag.length;
  if (tag.value === undefined && !(yield* readNameInside(session, draft, frame, tag))) {
    draft.outcome = "not-a-call";
    return draft;
  }
  // If words follow a tag without a frame, the text is about the tag.
  if (frame.bare && tag.kind === "open" && !(yield* bodyFollows(input, frame.style))) {
    draft.outcome = "not-a-call";
    return draft;
  }
  const call = startCall(session, frame, roles, draft);
  if (tag.kind === "empty") draft.args = call.args;
  else yield* readArguments(call);
  if (draft.args !== undefined) {
    unwrap(draft, call.args, call.schema);
    if (frame.strict && draft.tool) checkStrictly(draft, call.schema);
  }
  return draft;
}

function startCall(session: Session, frame: TagFrame, roles: TagRoles, draft: Draft): TagCall {
  startDraft(session, draft);
  const schema = parametersSchema(draft.tool?.parameters);
  const shown = showArguments(session, draft);
  return { session, frame, roles, draft, schema, args: {}, shown, lists: new Set(), hasSection: false };
}

function* bodyFollows(input: Input, style: TagStyle): Reader<boolean> {
  const code = yield* peek(input, yield* spaceEnd(input, 0, Number.POSITIVE_INFINITY));
  return code === style.open.charCodeAt(0) || code === openBrace || code === -1;
}

/** Reads the arguments of a call whose name has been read. */
export function* readTagArguments(
  session: Session,
  frame: TagFrame,
  roles: TagRoles,
  draft: Draft,
): Reader<void> {
  draft.typed = true;
  yield* readArguments(startCall(session, frame, roles, draft));
}

/** Reads the name in `<function>NAME</function>`. Returns false if it is not the name of a tool on offer. */
function* readNameInside(session: Session, draft: Draft, frame: TagFrame, tag: Tag): Reader<boolean> {
  const { input } = session;
  const end = `${frame.style.close}${tag.name}${frame.style.end}`;
  const length = yield* endOf(input, 0, 128, "<");
  if (!(yield* at(input, end, length))) return false;
  nameDraft(session, draft, input.text.slice(input.pos, input.pos + length).trim());
  input.pos += length + end.length;
  return draft.tool !== undefined;
}

function* readArguments(call: TagCall): Reader<void> {
  yield* readEach(call);
  const isRaw = !call.frame.keepsLayout && !call.frame.entities && !call.hasSection;
  if (isRaw && unescapeArguments(call.args)) noteRepair(call.draft.repairs, "invalid-escape");
}

function* readEach(call: TagCall): Reader<void> {
  const { input } = call.session;
  for (;;) {
    const before = input.offset;
    const code = yield* skipSpace(input);
    if (code === openBrace && Object.keys(call.args).length === 0) {
      if (!(yield* readJsonBody(call))) return;
      continue;
    }
    const tag = yield* tagHere(input, call.frame.style);
    const role = tag ? call.roles(tag) : undefined;
    if (tag && (role === "argument" || isPropertyTag(call, tag))) {
      if (!(yield* readArgument(call, tag))) return;
      continue;
    }
    // The model may write the tag of the call twice.
    const isDouble = role === "call" && tag?.value !== undefined && tag.value === call.draft.name;
    if (tag && (role === "argument-end" || (isDouble && Object.keys(call.args).length === 0))) {
      input.pos += tag.length;
      continue;
    }
    if (tag && role === "call-end") {
      input.pos += tag.length;
      call.draft.args ??= call.args;
      return;
    }
    const half = tag === undefined && code !== -1 ? yield* endsInTag(call) : undefined;
    const isCut = code === -1 || half !== undefined;
    if (half !== undefined && beginsArgument(call, half)) cutOff(call);
    else {
      const isWhole = role !== undefined || isComplete(call.args, call.schema);
      endCall(input, call.draft, call.args, isCut ? "text-end" : "other", isWhole);
    }
    if (!isCut) input.rewind(before);
    return;
  }
}

/** Moves over half an end tag or tag of an argument at the end of the text, and returns it; undefined for none. */
function* endsInTag(call: TagCall): Reader<string | undefined> {
  const { input } = call.session;
  if (!(yield* at(input, call.frame.style.open))) return undefined;
  if ((yield* peek(input, yield* endOf(input, 0, 400, ">"))) !== -1) return undefined;
  // A final line feed is not a part of the tag.
  const half = input.text.slice(input.pos).trimEnd();
  if (isHalfFrame(call, half) || !(beginsArgument(call, half) || isHalfEnd(call, half))) return undefined;
  input.pos = input.text.length;
  return half;
}

/** Returns true if half a tag begins another argument. That argument is lost, and without it the call may mean something else. */
function beginsArgument(call: TagCall, half: string): boolean {
  const { style, keyTags } = call.frame;
  const name = half.slice(style.open.length);
  if (half.startsWith(style.close) || name.length < 3) return false;
  return keyTags === true || "parameter".startsWith(name) || /^(?:parameter|param|argument)\b/.test(name);
}

/** Returns true if half a tag may be an end tag, or is too short to know. */
function isHalfEnd(call: TagCall, half: string): boolean {
  const { style, frames } = call.frame;
  if (style.close.startsWith(half)) return true;
  const closes = half.startsWith(style.close);
  const name = half.slice(closes ? style.close.length : style.open.length);
  return (closes ? [...endNames, ...frames] : [...argumentNames]).some((known) => known.startsWith(name));
}

/** Returns true if half a tag opens a frame: then it belongs to the next call. */
function isHalfFrame(call: TagCall, rest: string): boolean {
  const { style, frames } = call.frame;
  return rest.length > 2 && frames.some((name) => `${style.open}${name}${style.end}`.startsWith(rest));
}

/** Ends the draft as cut, because the text ends inside an argument; the arguments before it are not enough for a call. */
function cutOff(call: TagCall): void {
  call.draft.outcome = "cut";
  delete call.draft.args;
}

/** Returns true for a tag such as `<path>`, if the tool has a parameter with that name or the frame has `keyTags`. */
function isPropertyTag(call: TagCall, tag: Tag): boolean {
  if (tag.kind === "close" || call.roles(tag) !== undefined) return false;
  if (call.frame.keyTags) return true;
  return isKey(call, tag.name);
}

/** Returns true for a parameter, and for `__proto__`, which is refused later. As text it would join the argument before. */
function isKey(call: TagCall, name: string): boolean {
  return name === "__proto__" || propertySchema(call.schema, name) !== undefined;
}

/** Reads one argument. Returns false if the text ends inside it. */
function* readArgument(call: TagCall, tag: Tag): Reader<boolean> {
  const { input } = call.session;
  const named = call.roles(tag) === "argument";
  let key = named ? tag.value : tag.name;
  input.pos += tag.length;
  if (tag.kind === "empty") {
    if (key !== undefined) addArgument(call, key, "");
    return true;
  }
  if (key === undefined) {
    key = yield* readKeyInside(call, tag);
    if (key === undefined) return yield* skipNamelessValue(call, tag);
    noteRepair(call.draft.repairs, "argument-key");
  }
  return yield* readValue(call, tag, key, named);
}

/** Reads the key in `<parameter>KEY</parameter>VALUE`, where the model wrote the key as the value. */
function* readKeyInside(call: TagCall, tag: Tag): Reader<string | undefined> {
  const { input } = call.session;
  const { style } = call.frame;
  const length = yield* endOf(input, 0, 80, (code) => code !== style.close.charCodeAt(0));
  const key = input.text.slice(input.pos, input.pos + length).trim();
  const end = `${style.close}${tag.name}${style.end}`;
  if (!/^[\w.-]+$/.test(key) || !(yield* at(input, end, length))) return undefined;
  input.pos += length + end.length;
  return key;
}

function* skipNamelessValue(call: TagCall, tag: Tag): Reader<boolean> {
  const { style } = call.frame;
  const tags = { style, roles: call.roles, own: tag.name, ends: taggedValue };
  const skipped = yield* readTagValue(call.session, tags);
  noteRepair(call.draft.repairs, "dropped-key");
  if (skipped.end === "cut") cutOff(call);
  return skipped.end !== "cut";
}

/**
 * Returns the roles of tags inside an argument whose tag has the name of a parameter. Other tags with the name of a
 * parameter are arguments too.
 */
function propertyRoles(call: TagCall): TagRoles {
  return (tag) => {
    const role = call.roles(tag);
    if (role !== undefined || !isKey(call, tag.name)) return role;
    return tag.kind === "close" ? "argument-end" : "argument";
  };
}

function* readValue(call: TagCall, tag: Tag, key: string, named: boolean): Reader<boolean> {
  const roles = named ? valueRoles(call.roles, (name) => isKey(call, name)) : propertyRoles(call);
  const inner = propertySchema(call.schema, key);
  const isRepeated = Object.hasOwn(call.args, key);
  const rules = isRepeated ? undefined : textRules(call, tag, inner);
  const text = rules && call.shown.text(key, rules);
  const { style, nextCall } = call.frame;
  const tags = { style, roles, own: tag.name, ends: taggedValue, nextCall };
  const value = yield* readTagValue(call.session, tags, text?.piece);
  if (value.end === "cut") {
    cutOff(call);
    return false;
  }
  const unended = value.end === "other-tag";
  if (unended) noteRepair(call.draft.repairs, "missing-end-tag");
  const raw = withoutLayout(value.text, unended, call.frame.keepsLayout === true);
  call.hasSection ||= value.isSection;
  const typed = call.frame.keyTags
    ? typeTree(call, raw, inner)
    : typeArgument(call, tag, call.frame.entities && !value.isSection ? decodeEntities(raw) : raw, inner);
  addArgument(call, key, typed);
  if (text) text.end(typed);
  else if (!isRepeated) call.shown.value(key, typed);
  return true;
}

/** Returns the rules for showing a value while it comes; undefined for a value that may not be a text. */
function textRules(call: TagCall, tag: Tag, inner: Schema | undefined): TextRules | undefined {
  const { keyTags, keepsLayout, entities = false, untyped } = call.frame;
  const types = inner ? typesOf(inner) : new Set();
  const type = tag.attributes.get("type");
  const isString = tag.attributes.get("string");
  const isTyped = !keyTags && (type !== undefined || isString !== undefined);
  const isText = isTyped
    ? type === "string" || isString === "true"
    : types.has("string") || (types.size === 0 && untyped !== "json" && !keyTags);
  if (!isText || (keyTags && types.size > 1)) return undefined;
  const orNull = !isTyped && types.has("null");
  const lineFeed = keepsLayout ? "unclear" : "layout";
  return { lineFeed, oneLine: !keepsLayout, tail: "space", orNull, entities };
}

/** Returns a value that is written as nested tags, each with the mark of the format. */
function typeTree(call: TagCall, text: string, inner: Schema | undefined): JsonValue {
  if (isTextOnly(inner)) return text;
  const mark = call.frame.style.open.slice(0, -1);
  if (!text.includes(mark)) return typeText(text, inner, "text", call.draft.repairs);
  return parseXmlValue(withoutMarks(text, mark), inner, call.draft.repairs);
}

/** Returns nested tags without the marks before them. A sign of markup without a mark is text, and is escaped. */
function withoutMarks(text: string, mark: string): string {
  const asText = (part: string) => part.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const [before = "", ...tags] = text.split(mark);
  return asText(before) + tags.map((tag) => tag.slice(0, 1) + asText(tag.slice(1))).join("");
}

/**
 * Returns the text without its layout: a line feed after the opening tag and one before the end tag, or a space at both
 * ends of one line. A line feed only before the end tag belongs to the text. Unended text loses all white space at its end.
 */
function withoutLayout(text: string, unended: boolean, keepsLayout: boolean): string {
  if (unended) return text.replace(/^\r?\n/, "").trimEnd();
  if (keepsLayout) return text;
  if (/^\r?\n/.test(text)) return text.replace(/^\r?\n/, "").replace(/\r?\n$/, "");
  return text.replace(/^ (\S(?:.*\S)?) $/, "$1");
}

/** Returns an argument with its type, which the tag may give: `string="true"`, `type="number"`. */
function typeArgument(call: TagCall, tag: Tag, text: string, inner: Schema | undefined): JsonValue {
  const type = tag.attributes.get("type");
  const isString = tag.attributes.get("string");
  if (type === "string" || isString === "true") return text;
  if (type !== undefined || isString === "false") {
    const parsed = parseInner(text, call.draft.repairs);
    const types = inner ? typesOf(inner) : undefined;
    if (parsed !== undefined && (!types || types.size === 0 || hasType(parsed, types))) return parsed;
  }
  const wrapped = /^\s*<value>([\s\S]*)<\/value>\s*$/.exec(text)?.[1];
  const isText = inner === undefined || typesOf(inner).size === 0 || typesOf(inner).has("string");
  const value = wrapped === undefined || isText ? text : wrapped;
  return typeText(value, inner, call.frame.untyped ?? "text", call.draft.repairs);
}

function addArgument(call: TagCall, key: string, value: JsonValue): void {
  const before = Object.hasOwn(call.args, key) ? call.args[key] : undefined;
  if (before !== undefined && !call.frame.repeats) noteRepair(call.draft.repairs, "dropped-key");
  if (before === undefined || !call.frame.repeats) setOwn(call.args, key, value);
  else if (call.lists.has(key) && Array.isArray(before)) before.push(value);
  else {
    call.lists.add(key);
    setOwn(call.args, key, Array.isArray(before) ? [...before, value] : [before, value]);
  }
}

/** Reads a JSON object that the model wrote in place of the argument tags. */
function* readJsonBody(call: TagCall): Reader<boolean> {
  const reading = jsonReading(true, call.draft.repairs);
  const value = yield* readJson(call.session.input, reading);
  if (reading.outcome !== "whole" || !isObject(value)) {
    call.draft.outcome = reading.outcome === "cut" ? "cut" : "broken";
    return false;
  }
  // Tags with more arguments may follow.
  call.draft.args = call.args;
  for (const [key, item] of Object.entries(value)) {
    setOwn(call.args, key, item as JsonValue);
    call.shown.value(key, item as JsonValue);
  }
  return true;
}
