/** Reads one call of a format with one tag per argument: its tag, its arguments and its end. */
import { isObject, parametersSchema, propertyNames, propertySchema, type Schema } from "@localharness/schema";
import { type CallDraft, nameDraft, newDraft, startDraft } from "../call/draft.ts";
import { addArgument } from "../call/repeated.ts";
import { isWrapperKey } from "../call/unwrap.ts";
import { endCall, isComplete } from "../frames/unfinished.ts";
import { readJson } from "../json/read-json.ts";
import { jsonReading, noteRepair, setOwn } from "../json/result.ts";
import { openBrace } from "../scan/characters.ts";
import { at, endOf, type Input, peek, type Reader, skipSpace, spaceEnd, take } from "../scan/input.ts";
import type { Scan } from "../scan/scan.ts";
import type { JsonObject, JsonValue } from "../types.ts";
import { unescapeArguments } from "./entities.ts";
import type { TagFrame } from "./frame-options.ts";
import { readTagValue } from "./read-tag-value.ts";
import { argumentNames, endNames, type TagRoles, valueRoles, wrapperRoles } from "./roles.ts";
import { type ShownArguments, showArguments } from "./shown-arguments.ts";
import { type Tag, type TagStyle, tagHere } from "./tag.ts";
import { isMarkedText, textRules, typeValue, withoutLayout } from "./tag-value.ts";
import { typeText } from "./type-text.ts";
import { taggedValue } from "./value-end.ts";

interface TagCall {
  readonly scan: Scan;
  readonly frame: TagFrame;
  roles: TagRoles;
  readonly draft: CallDraft;
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
  scan: Scan,
  frame: TagFrame,
  roles: TagRoles,
  tag: Tag,
  mark: number,
): Reader<CallDraft> {
  const { input } = scan;
  const draft = newDraft(mark, frame.format, "framed");
  if (tag.value !== undefined) nameDraft(scan, draft, tag.value);
  input.pos += tag.length;
  if (tag.value === undefined && !(yield* readNameInside(scan, draft, frame, tag))) {
    draft.outcome = "not-a-call";
    return draft;
  }
  // If words follow a tag without a frame, the text is about the tag.
  if (frame.bare && tag.kind === "open" && !(yield* bodyFollows(input, frame.style))) {
    draft.outcome = "not-a-call";
    return draft;
  }
  const call = startCall(scan, frame, roles, draft);
  if (tag.kind === "empty") draft.args = call.args;
  else yield* readArguments(call);
  if (frame.strict) draft.isStrict = true;
  return draft;
}

function startCall(scan: Scan, frame: TagFrame, roles: TagRoles, draft: CallDraft): TagCall {
  startDraft(scan, draft);
  const schema = parametersSchema(draft.tool?.parameters);
  const shown = showArguments(scan, draft);
  // Where the tag has the name of the argument, no tag begins with `parameter`.
  const keys = frame.keyTags ? [] : propertyNames(schema);
  const style = keys.length === 0 ? frame.style : { ...frame.style, keys };
  return {
    scan,
    frame: { ...frame, style },
    roles,
    draft,
    schema,
    args: {},
    shown,
    lists: new Set(),
    hasSection: false,
  };
}

function* bodyFollows(input: Input, style: TagStyle): Reader<boolean> {
  const code = yield* peek(input, yield* spaceEnd(input, 0, Number.POSITIVE_INFINITY));
  return code === style.open.charCodeAt(0) || code === openBrace || code === -1;
}

/** Reads the arguments of a call whose name has been read. */
export function* readTagArguments(
  scan: Scan,
  frame: TagFrame,
  roles: TagRoles,
  draft: CallDraft,
): Reader<void> {
  yield* readArguments(startCall(scan, frame, roles, draft));
}

/** Reads the name in `<function>NAME</function>`. Returns false if it is not the name of a tool on offer. */
function* readNameInside(scan: Scan, draft: CallDraft, frame: TagFrame, tag: Tag): Reader<boolean> {
  const { input } = scan;
  const end = `${frame.style.close}${tag.name}${frame.style.end}`;
  const length = yield* endOf(input, 0, 128, "<");
  if (!(yield* at(input, end, length))) return false;
  nameDraft(scan, draft, input.text.slice(input.pos, input.pos + length).trim());
  input.pos += length + end.length;
  return draft.tool !== undefined;
}

function* readArguments(call: TagCall): Reader<void> {
  yield* readEach(call);
  const isRaw = !call.frame.keepsLayout && !call.frame.entities && !call.hasSection;
  if (isRaw && unescapeArguments(call.args)) noteRepair(call.draft.repairs, "invalid-escape");
}

function* readEach(call: TagCall): Reader<void> {
  const { input } = call.scan;
  for (;;) {
    const before = input.offset;
    const code = yield* skipSpace(input);
    if (code === openBrace && Object.keys(call.args).length === 0) {
      if (!(yield* readJsonBody(call))) return;
      continue;
    }
    const tag = yield* tagHere(input, call.frame.style);
    const role = tag ? call.roles(tag) : undefined;
    if (tag && (yield* isWrapper(call, tag))) {
      noteRepair(call.draft.repairs, "argument-key");
      call.roles = wrapperRoles(call.roles, tag.name);
      input.pos += tag.length;
      continue;
    }
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
  const { input } = call.scan;
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

/** Returns true for `<arguments>` before the tag of an argument: a frame around the arguments. */
function* isWrapper(call: TagCall, tag: Tag): Reader<boolean> {
  if (!isWrapperKey(tag.name) || isKey(call, tag.name) || tag.kind !== "open") return false;
  const { input } = call.scan;
  const next = yield* tagHere(input, call.frame.style, yield* spaceEnd(input, tag.length, 80));
  return next !== undefined && (call.roles(next) === "argument" || isKey(call, next.name));
}

/** Returns true for a tag such as `<path>`, if the tool has a parameter with that name or the frame has `keyTags`. */
function isPropertyTag(call: TagCall, tag: Tag): boolean {
  if (tag.kind === "close" || call.roles(tag) !== undefined) return false;
  if (call.frame.keyTags) return true;
  return isKey(call, tag.name) || isWrapperKey(tag.name);
}

/** Returns true for a parameter, and for `__proto__`, which is refused later. As text it would join the argument before. */
function isKey(call: TagCall, name: string): boolean {
  return name === "__proto__" || propertySchema(call.schema, name) !== undefined;
}

/** Reads one argument. Returns false if the text ends inside it. */
function* readArgument(call: TagCall, tag: Tag): Reader<boolean> {
  const { input } = call.scan;
  const named = call.roles(tag) === "argument";
  let key = named ? tag.value : tag.name;
  input.pos += tag.length;
  const given = named ? tag.attributes.get("value") : undefined;
  if (tag.kind === "empty") {
    if (key !== undefined) add(call, key, typeText(given ?? "", propertySchema(call.schema, key), "text"));
    return true;
  }
  if (given !== undefined && key !== undefined && (yield* takeEnd(call, tag))) {
    add(call, key, typeText(given, propertySchema(call.schema, key), "text"));
    return true;
  }
  if (key === undefined) {
    key = yield* readKeyInside(call, tag);
    if (key === undefined) return yield* skipNamelessValue(call, tag);
    noteRepair(call.draft.repairs, "argument-key");
  }
  return yield* readValue(call, tag, key, named);
}

/** Moves over the end tag of an argument that has no text. Returns false if there is text. */
function* takeEnd(call: TagCall, { name }: Tag): Reader<boolean> {
  const { input } = call.scan;
  const { close, end } = call.frame.style;
  const before = input.offset;
  yield* skipSpace(input);
  if (yield* take(input, `${close}${name}${end}`)) return true;
  input.rewind(before);
  return false;
}

/** Reads the key in `<parameter>KEY</parameter>VALUE`, where the model wrote the key as the value. */
function* readKeyInside(call: TagCall, tag: Tag): Reader<string | undefined> {
  const { input } = call.scan;
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
  const skipped = yield* readTagValue(call.scan, tags);
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
  const roles = named ? valueRoles(call.roles, key, (name) => isKey(call, name)) : propertyRoles(call);
  const inner = propertySchema(call.schema, key);
  const isRepeated = Object.hasOwn(call.args, key);
  const rules = isRepeated ? undefined : textRules(call, tag, inner);
  const text = rules && call.shown.text(key, rules);
  const { style, nextCall, keyTags } = call.frame;
  const tags = { style, roles, own: tag.name, ends: taggedValue, nextCall, keyTags };
  const value = yield* readTagValue(call.scan, tags, text?.piece);
  if (value.end === "cut") {
    cutOff(call);
    return false;
  }
  const unended = value.end === "other-tag";
  if (value.end === "key-tag") noteRepair(call.draft.repairs, "wrong-end-tag");
  if (unended) noteRepair(call.draft.repairs, "missing-end-tag");
  if (tag.isHalf) noteRepair(call.draft.repairs, "half-open-tag");
  const written = tag.isHalf
    ? value.text.replace(/^([^<>\n]*)>\s*$/, "$1").replace(/\r?\n$/, "")
    : value.text;
  const raw = withoutLayout(written, unended, call.frame.keepsLayout === true);
  call.hasSection ||= value.isSection;
  if (isMarkedText(tag)) {
    call.draft.texts ??= new Set();
    call.draft.texts.add(key);
  }
  const typed = typeValue(call, tag, raw, inner, value.isSection);
  add(call, key, typed);
  if (text) text.end(typed);
  else if (!isRepeated) call.shown.value(key, typed);
  return true;
}

function add(call: TagCall, key: string, value: JsonValue): void {
  const { schema, lists, draft, frame } = call;
  addArgument(call.args, key, value, { schema, lists, repairs: draft.repairs, repeats: frame.repeats });
}

/** Reads a JSON object that the model wrote in place of the argument tags. */
function* readJsonBody(call: TagCall): Reader<boolean> {
  const reading = jsonReading(true, call.draft.repairs);
  const value = yield* readJson(call.scan.input, reading);
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
