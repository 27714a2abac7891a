/** Reads the tags of formats with one tag per argument. The formats have different delimiters. */
import { doubleQuote, lessThan, lineFeed, singleQuote, underscore } from "../scan/characters.ts";
import { ask, type Input, type Reader } from "../scan/input.ts";
import { decodeEntities } from "./entities.ts";

/** The delimiters of the tags of a format: `<x>` and `</x>`, or `<|open|>x<|sep|>` and `<|close|>x<|sep|>`. */
export interface TagStyle {
  readonly open: string;
  readonly close: string;
  readonly end: string;
  /** A mark that some models write in place of `end`, sometimes repeated, sometimes with `end` after it. */
  readonly strayEnd?: string;
  /** True if names may begin with a digit, as in tags for the items of a list. */
  readonly numbered?: boolean;
  /** The arguments of the tool. A tag of one of them counts even if it lost its `>`: `<parameter=KEY=VALUE</parameter>`. */
  readonly keys?: readonly string[];
  /** The literals that count as tags, in a format whose marks contain no names. All of them begin with `open`. */
  readonly tokens?: readonly { readonly literal: string; readonly tag: Tag }[];
}

export const plainTags: TagStyle = { open: "<", close: "</", end: ">" };

export interface Tag {
  readonly kind: "open" | "close" | "empty";
  readonly name: string;
  /** The text after `=` in `<function=x>`, else the attribute `name`, `key` or `tool`, else the words after the name. */
  readonly value: string | undefined;
  readonly attributes: ReadonlyMap<string, string>;
  readonly length: number;
  /** True if the tag of an argument lost its end, so that the value follows its key. */
  readonly isHalf?: boolean;
}

/** Returns true if the tag is an end tag that contains only this name. */
export function isPlainEnd(tag: Tag | undefined, name: string): boolean {
  return tag?.kind === "close" && tag.name === name && tag.value === undefined && tag.attributes.size === 0;
}

const maxTagLength = 400;

/** Returns the tag at distance `ahead` without moving the position; undefined if there is none. */
export function* tagHere(input: Input, style: TagStyle, ahead = 0): Reader<Tag | undefined> {
  input.short = false;
  const tag = findTag(input, style, ahead);
  return input.short ? yield* ask(input, () => findTag(input, style, ahead)) : tag;
}

/** Returns the tag at distance `ahead` in the window. Sets `input.short` if the window is too short to know. */
export function findTag(input: Input, style: TagStyle, ahead: number): Tag | undefined {
  if (style.tokens) return style.tokens.find(({ literal }) => input.stands(literal, ahead))?.tag;
  const closing = input.stands(style.close, ahead);
  if (!closing && !input.stands(style.open, ahead)) return undefined;
  const start = ahead + (closing ? style.close : style.open).length;
  // `< b` and `<3` in a text are not tags.
  if (!closing && !isNameStart(input.look(start), style)) return undefined;
  const length = innerLength(input, style, start, closing);
  const half = closing || !style.keys || input.short ? undefined : halfTag(input, style, start, length);
  if (half) return { ...half, length: half.length + start - ahead };
  if (length === undefined) return undefined;
  const endLength = lengthOfEnd(input, style, start + length);
  if (input.short) return undefined;
  const inner = input.text.slice(input.pos + start, input.pos + start + length);
  return parseInner(inner, closing, start - ahead + length + endLength);
}

const halfArgument =
  /^((?:parameter|param|argument)(?:=|\s+(?:name|key)=)\s*["']?)([^\s"'=<>]{1,128})["']?(?:\s+\w+="[^"\n]*")*[^\S\n]*([=\n])/;

/**
 * Returns the tag of an argument that lost its end: a second `=`, or a line feed, follows the key. `length` is the number of
 * characters before the tag's end, if it has one.
 */
function halfTag(input: Input, style: TagStyle, start: number, length: number | undefined): Tag | undefined {
  const at = input.pos + start;
  const found = halfArgument.exec(input.text.slice(at, at + (length ?? maxTagLength)));
  const [whole = "", before = "", key = "", sign] = found ?? [];
  if (!found || !style.keys?.includes(key) || (sign === "\n" && length !== undefined)) return undefined;
  const name = /^\w+/.exec(before)?.[0] ?? "";
  return { kind: "open", name, value: key, attributes: noAttributes, length: whole.length, isHalf: true };
}

function isNameStart(code: number, { numbered }: TagStyle): boolean {
  if (code >= 48 && code <= 57) return numbered === true;
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === underscore || code > 127;
}

function lengthOfEnd(input: Input, style: TagStyle, at0: number): number {
  const { end, strayEnd } = style;
  if (strayEnd === undefined || !input.stands(strayEnd, at0)) return end.length;
  let length = strayEnd.length;
  while (input.stands(strayEnd, at0 + length)) length += strayEnd.length;
  return input.stands(`"${end}`, at0 + length) ? length + 1 + end.length : length;
}

/** Returns the number of characters before the end of the tag. An end inside quotes is skipped, except in an end tag. */
function innerLength(input: Input, style: TagStyle, start: number, closing: boolean): number | undefined {
  let quote = 0;
  for (let length = 0; length < maxTagLength; length += 1) {
    const code = input.look(start + length);
    if (code === -1 || code === lessThan) {
      if (style.strayEnd !== undefined && input.stands(style.strayEnd, start + length)) return length;
      if (code === lessThan && input.stands(style.end, start + length)) return length;
      return undefined;
    }
    if (quote !== 0) {
      if (code === quote) quote = 0;
      else if (code === lineFeed) return undefined;
    } else if (!closing && (code === doubleQuote || code === singleQuote)) {
      quote = code;
    } else if (code === style.end.charCodeAt(0) && input.stands(style.end, start + length)) {
      return length;
    }
  }
  return undefined;
}

/** Matches a tag that is only a name, as most tags are. */
const bareName = /^[A-Za-z0-9_][\w:.-]*$/;
const noAttributes: ReadonlyMap<string, string> = new Map();

/** Returns a tag style whose tags are literals. Each literal is the opening or closing tag of a name. */
export function tokenStyle(
  open: string,
  tokens: readonly (readonly [literal: string, kind: "open" | "close", name: string])[],
): TagStyle {
  const tags = tokens.map(([literal, kind, name]) => {
    const tag = { kind, name, value: undefined, attributes: noAttributes, length: literal.length };
    return { literal, tag };
  });
  return { open, close: open, end: "", tokens: tags };
}

function parseInner(inner: string, closing: boolean, length: number): Tag | undefined {
  if (bareName.test(inner)) {
    const kind = closing ? "close" : "open";
    return { kind, name: inner, value: undefined, attributes: noAttributes, length };
  }
  const parts =
    /^\s*([\p{L}\p{N}_][\p{L}\p{N}_:.-]*?)(?:\s*=\s*([\s\S]*)|(?:name|tool)=([\s\S]*)|\s([\s\S]*))?$/u.exec(
      // `Ġ` is a space that the tokenizer did not decode.
      inner.replace(/\/\s*$/, "").replaceAll("Ġ", " "),
    );
  if (!parts) return undefined;
  const [, name = "", value, joined, rest = ""] = parts;
  const attributes = new Map<string, string>();
  const pairs = rest.matchAll(/(?<![\w-])([\w-]+)\s*=\s*("[^"]*"|'[^']*'|["']?[^\s"']+)/g);
  for (const [, key = "", text = ""] of pairs) attributes.set(key, decodeEntities(unquote(text)));
  const named = attributes.get("name") ?? attributes.get("key") ?? attributes.get("tool");
  const word = attributes.size === 0 && rest.trim() !== "" ? rest : undefined;
  const found = value ?? joined ?? named ?? word;
  return {
    kind: closing ? "close" : /\/\s*$/.test(inner) ? "empty" : "open",
    name,
    value: found === undefined ? undefined : unquote(found),
    attributes,
    length,
  };
}

function unquote(text: string): string {
  const trimmed = text.trim();
  const quoted = /^(["'])([\s\S]*)\1$/.exec(trimmed);
  return (quoted?.[2] ?? trimmed.replace(/^["'](?=[^"']*$)/, "")).trim();
}
