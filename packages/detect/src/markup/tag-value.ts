/** Types the value of an argument between tags, and finds its layout. */
import { hasType, isTextOnly, type Schema, typesOf } from "@localharness/schema";
import type { CallDraft } from "../call/draft.ts";
import { parseInner } from "../json/read-json.ts";
import type { JsonValue } from "../types.ts";
import { parseXmlValue } from "../xml/read-xml.ts";
import type { TextRules } from "./certain-text.ts";
import { decodeEntities } from "./entities.ts";
import type { TagFrame } from "./frame-options.ts";
import type { Tag } from "./tag.ts";
import { typeText } from "./type-text.ts";

interface ValueReading {
  readonly frame: TagFrame;
  readonly draft: CallDraft;
}

/** Returns the value of an argument, from its text without layout. References in a CDATA section are not decoded. */
export function typeValue(
  call: ValueReading,
  tag: Tag,
  text: string,
  inner: Schema | undefined,
  isSection: boolean,
): JsonValue {
  if (call.frame.keyTags) return typeTree(call, text, inner);
  return typeArgument(call, tag, call.frame.entities && !isSection ? decodeEntities(text) : text, inner);
}

/** Returns the rules for showing a value while it comes; undefined for a value that may not be a text. */
export function textRules(
  { frame }: ValueReading,
  tag: Tag,
  inner: Schema | undefined,
): TextRules | undefined {
  const { keyTags, keepsLayout, entities = false, untyped } = frame;
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
function typeTree(call: ValueReading, text: string, inner: Schema | undefined): JsonValue {
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
export function withoutLayout(text: string, unended: boolean, keepsLayout: boolean): string {
  if (unended) return text.replace(/^\r?\n/, "").trimEnd();
  if (keepsLayout) return text;
  if (/^\r?\n/.test(text)) return text.replace(/^\r?\n/, "").replace(/\r?\n$/, "");
  return text.replace(/^ (\S(?:.*\S)?) $/, "$1");
}

/** Returns true if the tag says that the value is a text. */
export function isMarkedText({ attributes }: Tag): boolean {
  return attributes.get("type") === "string" || attributes.get("string") === "true";
}

/** Returns an argument with its type, which the tag may give: `string="true"`, `type="number"`. */
function typeArgument(call: ValueReading, tag: Tag, text: string, inner: Schema | undefined): JsonValue {
  const type = tag.attributes.get("type");
  const isString = tag.attributes.get("string");
  if (isMarkedText(tag)) return text;
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
