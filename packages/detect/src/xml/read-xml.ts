/** Reads arguments from XML whose tags are their names. The schema decides which arguments are texts, lists or objects. */
import {
  convertText,
  hasType,
  isTextOnly,
  itemSchema,
  propertyNames,
  type Schema,
  spelledProperty,
  typesOf,
} from "@localharness/schema";
import { isWrapperKey } from "../call/unwrap.ts";
import { parseInner } from "../json/read-json.ts";
import { maxDepth, noteRepair, setOwn } from "../json/result.ts";
import { decodeEntities } from "../markup/entities.ts";
import type { JsonObject, JsonValue, Repair } from "../types.ts";
import { listInText } from "./list-in-text.ts";
import { type Element, elementsOf } from "./read-elements.ts";

/** Returns the arguments in a text of elements; undefined if the text has anything else. */
export function parseXmlArguments(
  text: string,
  schema: Schema,
  repairs: Repair[] = [],
): JsonObject | undefined {
  const elements = elementsOf(text, schema, repairs);
  return elements && gather(elements, schema, 0, repairs);
}

export function parseXmlValue(text: string, schema: Schema | undefined, repairs: Repair[] = []): JsonValue {
  return single({ name: "", inner: text, isSection: false }, schema, 1, repairs);
}

function gather(
  elements: readonly Element[],
  schema: Schema | undefined,
  depth: number,
  repairs: Repair[],
): JsonObject {
  const gathered = new XmlArguments(schema, repairs, depth);
  for (const element of elements) gathered.add(element);
  return gathered.all();
}

export class XmlArguments {
  readonly #schema: Schema | undefined;
  readonly #repairs: Repair[];
  readonly #depth: number;
  readonly #elements = new Map<string, Element[]>();
  readonly #values = new Map<string, JsonValue>();

  constructor(schema: Schema | undefined, repairs: Repair[], depth = 0) {
    this.#schema = schema;
    this.#repairs = repairs;
    this.#depth = depth;
  }

  add(element: Element): void {
    this.#values.delete(element.name);
    const same = this.#elements.get(element.name);
    if (same) same.push(element);
    else this.#elements.set(element.name, [element]);
  }

  /** Returns the value of all elements with this name that have arrived so far. */
  value(name: string): JsonValue {
    const known = this.#values.get(name);
    if (known !== undefined) return known;
    const schema = this.#schema;
    const inner = schema && (spelledProperty(schema, name) ?? (isWrapperKey(name) ? schema : undefined));
    const value = combine(this.#elements.get(name) ?? [], inner, this.#depth + 1, this.#repairs);
    const isOpen = this.#depth === 0 && schema !== undefined && propertyNames(schema).length === 0;
    const read = isOpen && typeof value === "string" ? guessScalar(value) : value;
    this.#values.set(name, read);
    return read;
  }

  all(): JsonObject {
    const object: JsonObject = {};
    for (const name of this.#elements.keys()) setOwn(object, name, this.value(name));
    return object;
  }
}

/** Returns a number or a boolean if the text is one, else the text; for a tool without a schema. */
function guessScalar(text: string): JsonValue {
  return convertText(text, new Set(["number", "boolean"])) ?? text;
}

/**
 * Returns the value of the elements with one name. Several elements become a list, or the last one is used if the schema
 * wants a text.
 */
function combine(
  same: readonly Element[],
  schema: Schema | undefined,
  depth: number,
  repairs: Repair[],
): JsonValue {
  const first = same[0];
  if (same.length === 1 && first) return single(first, schema, depth, repairs);
  if (isTextOnly(schema)) {
    noteRepair(repairs, "dropped-key");
    const last = same.at(-1);
    return last ? single(last, schema, depth, repairs) : "";
  }
  return same.map((element, index) => single(element, schema && itemSchema(schema, index), depth, repairs));
}

function single(element: Element, schema: Schema | undefined, depth: number, repairs: Repair[]): JsonValue {
  const { inner, isSection } = element;
  if (isTextOnly(schema)) return asText(element);
  const types = schema ? typesOf(schema) : new Set<never>();
  const mayHold = depth < maxDepth / 10 && !isSection && inner.includes("<");
  const elements = mayHold ? elementsOf(inner, schema, repairs) : undefined;
  if (elements && elements.length > 0) {
    const list = asList(elements, schema, depth, repairs);
    if (list) return list;
    if (types.has("array") && !types.has("object")) {
      return [gather(elements, schema && itemSchema(schema, 0), depth, repairs)];
    }
    if (types.size === 0 || types.has("object") || !types.has("string")) {
      return gather(elements, schema, depth, repairs);
    }
  }
  return asScalar(asText(element), schema, repairs);
}

/**
 * Returns a list if the elements are its items: all are named `item`, or are numbered, or have the same name and the schema
 * wants a list. Returns the value of a lone `item` if no list is wanted; undefined otherwise, or if an object is wanted.
 */
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
    const item = single(element, schema && (itemSchema(schema, index) ?? schema), depth + 1, repairs);
    return typeof item === "string" ? item.trim() : item;
  });
  return allItems && items.length === 1 && !wantsList ? items[0] : items;
}

function asText({ inner, isSection }: Element): string {
  if (isSection) return inner;
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
  const typed = convertText(trimmed, types, (inner) => parseInner(inner, repairs));
  if (typed !== undefined) return typed;
  if (trimmed === "" && types.has("array")) return [];
  if (trimmed === "" && types.has("object")) return {};
  const parsed = parseInner(trimmed, repairs);
  if (parsed !== undefined && hasType(parsed, types)) return parsed;
  const list = types.has("array") ? listInText(trimmed, schema) : undefined;
  if (list) return list;
  if (!types.has("array") || trimmed === "") return text;
  const item: Element = { name: "", inner: text, isSection: false };
  return [single(item, schema && itemSchema(schema, 0), maxDepth, repairs)];
}
