/** Reads arguments from XML whose tags are their names, with the schema saying what is text and what has structure. */
import { parseInner } from "../json/read-json.ts";
import { maxDepth, noteRepair, setOwn } from "../json/result.ts";
import { decodeEntities } from "../markup/entities.ts";
import { convertText } from "../schema/coerce.ts";
import {
  hasType,
  itemSchema,
  propertyNames,
  propertySchema,
  type Schema,
  typesOf,
} from "../schema/read-schema.ts";
import type { JsonValue, Repair } from "../types.ts";

/** One element: its name, the text between its tags, and where it ends in the text around it. */
interface Element {
  readonly name: string;
  readonly inner: string;
  readonly end: number;
  /** It has no end tag of its own, or one with words in it. */
  readonly repair?: Repair;
}

const openTag = /<([\p{L}\p{N}_][\p{L}\p{N}_.:-]*)(?:\s(?:[^<>"']|"[^"<]*"|'[^'<]*')*?)?(\/?)>/uy;
const skipped = /(?:\s+|<!--[\s\S]*?-->|<\?[\s\S]*?\?>)/y;

/**
 * The arguments in a text of elements; undefined when there is anything else. `style` is what stands in front of each tag
 * and is taken away first.
 */
export function parseXmlArguments(
  text: string,
  schema: Schema,
  repairs: Repair[] = [],
): { [key: string]: JsonValue } | undefined {
  const elements = readElements(text, schema, repairs);
  return elements && gather(elements, schema, 0, repairs);
}

/** The value of one element whose inner text this is. */
export function parseXmlValue(text: string, schema: Schema | undefined, repairs: Repair[] = []): JsonValue {
  return single(text, schema, 1, repairs);
}

/** Names that were looked for up to the end of the text; they are not looked for again. */
interface InVain {
  readonly unclosed: Set<string>;
  readonly unbalanced: Set<string>;
}

function readElements(text: string, schema: Schema | undefined, repairs: Repair[]): Element[] | undefined {
  const found: Repair[] = [];
  const elements: Element[] = [];
  const inVain: InVain = { unclosed: new Set(), unbalanced: new Set() };
  for (let at = 0; ; ) {
    const start = at;
    at = skip(text, at);
    if (text.slice(start, at).includes("<")) noteRepair(found, "comment");
    if (at >= text.length) {
      for (const repair of found) noteRepair(repairs, repair);
      return elements;
    }
    const element = readElement(text, at, schema, inVain);
    if (!element) {
      // An end tag without a beginning is passed over.
      const stray = /<\/[^<>]*>/y;
      stray.lastIndex = at;
      if (elements.length === 0 || !stray.test(text)) return undefined;
      at = stray.lastIndex;
      noteRepair(found, "wrong-end-tag");
      continue;
    }
    if (element.repair) noteRepair(found, element.repair);
    elements.push(element);
    at = element.end;
  }
}

function skip(text: string, from: number): number {
  let at = from;
  for (;;) {
    skipped.lastIndex = at;
    if (!skipped.test(text)) return at;
    at = skipped.lastIndex;
  }
}

function readElement(
  text: string,
  at: number,
  schema: Schema | undefined,
  { unclosed, unbalanced }: InVain,
): Element | undefined {
  openTag.lastIndex = at;
  const tag = openTag.exec(text);
  if (!tag) return undefined;
  const [whole, name = "", slash] = tag;
  const start = at + whole.length;
  if (slash === "/") return { name, inner: "", end: start };
  const inner = schema ? propertySchema(schema, name) : undefined;
  let close: Close | undefined;
  if (!unclosed.has(name)) {
    close = isText(inner)
      ? (endOfNested(text, start, name, schema, unbalanced) ?? endOfText(text, start, name, schema))
      : endOfElement(text, start, name, holdsOwnName(inner, name));
    if (!close) unclosed.add(name);
  }
  if (close) {
    const element = { name, inner: text.slice(start, close.start), end: close.end };
    if (close.start === close.end) return { ...element, repair: "missing-end-tag" };
    const isPlain = text.slice(close.start + 2, close.end - 1).trim() === name;
    return isPlain ? element : { ...element, repair: "wrong-end-tag" };
  }
  const end = nextTag(text, start);
  return { name, inner: text.slice(start, end).trimEnd(), end, repair: "missing-end-tag" };
}

function isText(schema: Schema | undefined): boolean {
  return schema !== undefined && typesOf(schema).size === 1 && typesOf(schema).has("string");
}

/** A text that has no end yet. */
export interface OpenText {
  readonly name: string;
  readonly start: number;
  /** How many end tags of its name are missing. */
  readonly missing: number;
}

/** The text in which a body breaks off. */
export function openText(text: string, schema: Schema): OpenText | undefined {
  for (let at = skip(text, 0); at < text.length; at = skip(text, at)) {
    openTag.lastIndex = at;
    const [whole = "", name = "", slash] = openTag.exec(text) ?? [];
    const inner = propertySchema(schema, name);
    if (inner === undefined) return undefined;
    at += whole.length;
    if (slash === "/") continue;
    if (isText(inner)) {
      const missing = balance(text, at, name);
      if (typeof missing === "number") return { name, start: at, missing };
    }
    const close = isText(inner)
      ? endOfText(text, at, name, schema)
      : endOfElement(text, at, name, holdsOwnName(inner, name));
    if (close === undefined) return undefined;
    at = close.end;
  }
  return undefined;
}

interface Close {
  readonly start: number;
  readonly end: number;
}

function closePattern(name: string): RegExp {
  return new RegExp(`</\\s*${escapedName(name)}\\s*>`, "g");
}

/** The end of a text value: an end tag behind which another parameter or nothing stands; else the last one. */
function endOfText(text: string, start: number, name: string, schema: Schema | undefined): Close | undefined {
  const pattern = closePattern(name);
  pattern.lastIndex = cdataEnd(text, start);
  let last: Close | undefined;
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    last = { start: found.index, end: pattern.lastIndex };
    if (endsText(text, last.end, name, schema)) return last;
  }
  return last;
}

/** Whether another parameter, an end tag or nothing stands behind an end tag. */
function endsText(text: string, end: number, name: string, schema: Schema | undefined): boolean {
  const rest = skip(text, end);
  if (rest >= text.length || text.startsWith("</", rest)) return true;
  openTag.lastIndex = rest;
  const next = openTag.exec(text)?.[1];
  if (next === undefined) return false;
  if (!schema || propertySchema(schema, next) !== undefined || next === name) return true;
  return propertyNames(schema).length === 0;
}

/** The end of a text value that holds whole elements of its own name, as a file may. */
function endOfNested(
  text: string,
  start: number,
  name: string,
  schema: Schema | undefined,
  unbalanced: Set<string>,
): Close | undefined {
  if (unbalanced.has(name)) return undefined;
  const close = balance(text, start, name);
  if (typeof close === "object") return endsText(text, close.end, name, schema) ? close : undefined;
  unbalanced.add(name);
  return undefined;
}

/** The end tag that closes all that was opened under this name, or how many are missing. */
function balance(text: string, start: number, name: string): Close | number {
  const pattern = ownTags(name);
  pattern.lastIndex = cdataEnd(text, start);
  let depth = 1;
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    if (found[1] === "/") depth--;
    else if (found[2] !== "/") depth++;
    if (depth === 0) return { start: found.index, end: pattern.lastIndex };
  }
  return depth;
}

/** The opening and the end tags of a name. */
export function ownTags(name: string): RegExp {
  return new RegExp(`<(/?)\\s*${escapedName(name)}(?:\\s[^<>]*)?(/?)>`, "g");
}

function escapedName(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** Where the CDATA section that the value begins with ends, if it begins with one. */
function cdataEnd(text: string, start: number): number {
  const open = text.indexOf("<![CDATA[", start);
  if (open < 0 || text.slice(start, open).trim() !== "") return start;
  const end = text.indexOf("]]>", open);
  return end < 0 ? start : end + 3;
}

/**
 * The end tag that belongs to an element which may hold elements of its own name. An item that holds a text of its name
 * cannot hold another item: without its end tag it ends where the next one begins.
 */
function endOfElement(text: string, start: number, name: string, isItem: boolean): Close | undefined {
  const pattern = ownTags(name);
  pattern.lastIndex = cdataEnd(text, start);
  let depth = 1;
  let last: Close | undefined;
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    if (found[1] === "/") {
      last = { start: found.index, end: pattern.lastIndex };
      if (--depth === 0) return last;
    } else if (found[2] !== "/") {
      const begins = isItem && depth === 1 && last !== undefined;
      if (
        begins &&
        text
          .slice(pattern.lastIndex, pattern.lastIndex + 200)
          .trimStart()
          .startsWith(`<${name}>`)
      )
        return { start: found.index, end: found.index };
      depth++;
    }
  }
  return last;
}

/** Whether the element is an item of a list of objects that hold a text of the item's own name. */
function holdsOwnName(schema: Schema | undefined, name: string): boolean {
  const item = schema && typesOf(schema).has("array") ? itemSchema(schema, 0) : undefined;
  const own = item && propertySchema(item, name);
  return isText(own);
}

/** Without an end tag of its own a value ends at the next tag of any kind; the white space before it is layout. */
function nextTag(text: string, start: number): number {
  const found = text.indexOf("<", start);
  return found < 0 ? text.length : found;
}

function gather(
  elements: readonly Element[],
  schema: Schema | undefined,
  depth: number,
  repairs: Repair[],
): { [key: string]: JsonValue } {
  const values = new Map<string, Element[]>();
  for (const element of elements) {
    const same = values.get(element.name);
    if (same) same.push(element);
    else values.set(element.name, [element]);
  }
  const object: { [key: string]: JsonValue } = {};
  const isOpen = depth === 0 && schema !== undefined && propertyNames(schema).length === 0;
  for (const [name, same] of values) {
    const inner = schema ? propertySchema(schema, name) : undefined;
    const value = combine(same, inner, depth + 1, repairs);
    setOwn(object, name, isOpen && typeof value === "string" ? guessScalar(value) : value);
  }
  return object;
}

/** For a tool that declares nothing: a number is one, and a truth value. */
function guessScalar(text: string): JsonValue {
  return convertText(text, new Set(["number", "boolean"])) ?? text;
}

/** One element is its value; several of one name are a list, unless a text was asked for: then the last one counts. */
function combine(
  same: readonly Element[],
  schema: Schema | undefined,
  depth: number,
  repairs: Repair[],
): JsonValue {
  const first = same[0];
  const types = schema ? typesOf(schema) : new Set();
  if (same.length === 1 && first) return single(first.inner, schema, depth, repairs);
  if (types.size === 1 && types.has("string")) {
    noteRepair(repairs, "dropped-key");
    return single(same.at(-1)?.inner ?? "", schema, depth, repairs);
  }
  return same.map((element, index) =>
    single(element.inner, schema && itemSchema(schema, index), depth, repairs),
  );
}

function single(inner: string, schema: Schema | undefined, depth: number, repairs: Repair[]): JsonValue {
  const types = schema ? typesOf(schema) : new Set<never>();
  if (types.size === 1 && types.has("string")) return asText(inner);
  const elements =
    depth < maxDepth / 10 && inner.includes("<") ? readElements(inner, schema, repairs) : undefined;
  if (elements && elements.length > 0) {
    const list = asList(elements, schema, depth, repairs);
    if (list) return list;
    if (types.has("array") && !types.has("object")) {
      return [gather(elements, schema && itemSchema(schema, 0), depth, repairs)];
    }
    if (types.size === 0 || types.has("object") || !types.has("string"))
      return gather(elements, schema, depth, repairs);
  }
  return asScalar(asText(inner), schema, repairs);
}

/** Elements that are the items of a list: all called `item`, or numbered, or of one name where a list is wanted. */
function asList(
  elements: readonly Element[],
  schema: Schema | undefined,
  depth: number,
  repairs: Repair[],
): JsonValue | undefined {
  const names = new Set(elements.map((element) => element.name));
  const types = schema ? typesOf(schema) : new Set<never>();
  const wantsList = types.has("array");
  const itemTypes = schema && wantsList ? itemSchema(schema, 0) : undefined;
  const unwraps = wantsList && (itemTypes === undefined || typesOf(itemTypes).size > 0);
  const isObject = types.has("object");
  const allItems = names.size === 1 && names.has("item");
  const numbered = elements.every((element, index) => element.name === String(index));
  if (isObject || !(numbered || allItems || (unwraps && names.size === 1))) return undefined;
  const items = elements.map((element, index) => {
    const item = single(element.inner, schema && (itemSchema(schema, index) ?? schema), depth + 1, repairs);
    return typeof item === "string" ? item.trim() : item;
  });
  return allItems && items.length === 1 && !wantsList ? items[0] : items;
}

function asText(inner: string): string {
  const section = /^\s*<!\[CDATA\[([\s\S]*?)\]\]>\s*$/.exec(inner);
  if (section) return section[1] ?? "";
  // A single space inside the tags of a value on one line is layout.
  const text = inner.includes("\n") ? inner : inner.replace(/^ (?=\S)|(?<=\S) $/g, "");
  return decodeEntities(text);
}

function asScalar(text: string, schema: Schema | undefined, repairs: Repair[]): JsonValue {
  const types = schema ? typesOf(schema) : new Set<never>();
  if (types.size === 0) return text.trim();
  const trimmed = text.trim();
  if (types.has("string")) return trimmed === "null" && types.has("null") ? null : text;
  const typed = convertText(trimmed, types, repairs);
  if (typed !== undefined) return typed;
  if (trimmed === "" && types.has("array")) return [];
  if (trimmed === "" && types.has("object")) return {};
  const parsed = parseInner(trimmed, repairs);
  if (parsed !== undefined && hasType(parsed, types)) return parsed;
  const numbers = types.has("array") ? numberList(trimmed, schema) : undefined;
  if (numbers) return numbers;
  return types.has("array") && trimmed !== ""
    ? [single(text, schema && itemSchema(schema, 0), maxDepth, repairs)]
    : text;
}

/** `1, 2, 3`, or one number a line, where a list of numbers is wanted. */
function numberList(text: string, schema: Schema | undefined): JsonValue[] | undefined {
  const item = schema && itemSchema(schema, 0);
  const types = item ? typesOf(item) : new Set<never>();
  if (!types.has("number") && !types.has("integer")) return undefined;
  const numbers = text.split(/[,\s]+/).map((part) => convertText(part, types));
  return numbers.every((number) => typeof number === "number") ? numbers : undefined;
}
