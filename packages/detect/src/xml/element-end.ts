/** Where an element of XML ends, whose text may hold tags as well: as a file does. */
import {
  isTextOnly,
  itemSchema,
  propertyNames,
  propertySchema,
  type Schema,
  typesOf,
} from "../schema/read-schema.ts";

export const openTag = /<([\p{L}\p{N}_][\p{L}\p{N}_.:-]*)(?:\s(?:[^<>"']|"[^"<]*"|'[^'<]*')*?)?(\/?)>/uy;
const skipped = /(?:\s+|<!--[\s\S]*?-->|<\?[\s\S]*?\?>)/y;

/** Moves over white space and remarks. */
export function skip(text: string, from: number): number {
  let at = from;
  for (;;) {
    skipped.lastIndex = at;
    if (!skipped.test(text)) return at;
    at = skipped.lastIndex;
  }
}

export interface Close {
  readonly start: number;
  readonly end: number;
}

/** Names that were looked for up to the end of the text; they are not looked for again. */
export interface InVain {
  readonly unclosed: Set<string>;
  readonly unbalanced: Set<string>;
}

export function nothingInVain(): InVain {
  return { unclosed: new Set(), unbalanced: new Set() };
}

/** The end tag of the element whose inner text begins at `start`; undefined when it has none. */
export function closeOf(
  text: string,
  start: number,
  name: string,
  schema: Schema | undefined,
  { unclosed, unbalanced }: InVain,
): Close | undefined {
  if (unclosed.has(name)) return undefined;
  const inner = schema && propertySchema(schema, name);
  const close = isTextOnly(inner)
    ? (endOfNested(text, start, name, schema, unbalanced) ?? endOfText(text, start, name, schema))
    : endOfElement(text, start, name, holdsOwnName(inner, name));
  if (!close) unclosed.add(name);
  return close;
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
export function balance(text: string, start: number, name: string): Close | number {
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
  return isTextOnly(own);
}
