/** Reads a text of XML elements, one after the other. */
import { noteRepair } from "../json/result.ts";
import { isTextOnly, propertySchema, type Schema } from "../schema/read-schema.ts";
import type { Repair } from "../types.ts";
import { balance, closeOf, type InVain, nothingInVain, openTag, skip } from "./element-end.ts";

/** One element: its name, the text between its tags, and where it ends in the text around it. */
export interface Element {
  readonly name: string;
  readonly inner: string;
  readonly end: number;
  /** It has no end tag of its own, or one with words in it. */
  readonly repair?: Repair;
}

/** All of them; undefined when there is anything else. */
export function readElements(
  text: string,
  schema: Schema | undefined,
  repairs: Repair[],
): Element[] | undefined {
  const found: Repair[] = [];
  const elements: Element[] = [];
  const inVain = nothingInVain();
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

function readElement(
  text: string,
  at: number,
  schema: Schema | undefined,
  inVain: InVain,
): Element | undefined {
  openTag.lastIndex = at;
  const tag = openTag.exec(text);
  if (!tag) return undefined;
  const [whole, name = "", slash] = tag;
  const start = at + whole.length;
  if (slash === "/") return { name, inner: "", end: start };
  const close = closeOf(text, start, name, schema, inVain);
  if (close) {
    const element = { name, inner: text.slice(start, close.start), end: close.end };
    if (close.start === close.end) return { ...element, repair: "missing-end-tag" };
    const isPlain = text.slice(close.start + 2, close.end - 1).trim() === name;
    return isPlain ? element : { ...element, repair: "wrong-end-tag" };
  }
  const end = nextTag(text, start);
  return { name, inner: text.slice(start, end).trimEnd(), end, repair: "missing-end-tag" };
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
  const inVain = nothingInVain();
  for (let at = skip(text, 0); at < text.length; at = skip(text, at)) {
    openTag.lastIndex = at;
    const [whole = "", name = "", slash] = openTag.exec(text) ?? [];
    const inner = propertySchema(schema, name);
    if (inner === undefined) return undefined;
    at += whole.length;
    if (slash === "/") continue;
    const missing = isTextOnly(inner) ? balance(text, at, name) : undefined;
    if (typeof missing === "number") return { name, start: at, missing };
    const close = closeOf(text, at, name, schema, inVain);
    if (close === undefined) return undefined;
    at = close.end;
  }
  return undefined;
}

/** Without an end tag of its own a value ends at the next tag of any kind; the white space before it is layout. */
function nextTag(text: string, start: number): number {
  const found = text.indexOf("<", start);
  return found < 0 ? text.length : found;
}
