/**
 * Finds out, while the text of an argument arrives, which part of it is certain and can be shown. A part that may turn out to be
 * layout or half a character waits. The result does not depend on how the text is cut.
 */
import { closeBrace } from "../scan/characters.ts";
import { decodeEntities } from "./entities.ts";

/** The parts of a text that are uncertain until more of it is known. */
export interface TextRules {
  /**
   * The treatment of a line feed at the beginning. `layout`: it is dropped. `unclear`: no text is certain before the end
   * is known.
   */
  readonly lineFeed?: "layout" | "unclear";
  /** True if a space at the beginning is layout in a text of one line. */
  readonly oneLine?: boolean;
  /** Characters at the end that may not belong to the text: white space, or closing braces. */
  readonly tail?: "space" | "braces";
  /** True if the word `null` alone is not a text. */
  readonly orNull?: boolean;
  /** True if character references such as `&lt;` are decoded. */
  readonly entities?: boolean;
}

export interface CertainText {
  /** Adds a piece. Returns the text that is certain now. */
  add(piece: string): string;
  /** Drops the text that waits, because a CDATA section begins. References in the section are not decoded. */
  restart(): void;
}

const maxEntity = 10;

export function certainText(rules: TextRules): CertainText {
  let held = "";
  /** The first two characters of the text. Asking the held text for them would join its pieces each time. */
  let first = "";
  let begun = false;
  let manyLines = false;
  let { entities = false } = rules;
  return {
    add(added) {
      if (first.length < 2) first = (first + added).slice(0, 2);
      const isFirstFeed = !manyLines && added.includes("\n");
      manyLines ||= isFirstFeed;
      // The first line feed may make the waiting text certain.
      const piece = isFirstFeed && !begun ? held + added : added;
      if (isFirstFeed && !begun) held = "";
      const end = certainEnd(piece, rules.tail);
      const waits = end === 0 || (!begun && held !== "" && waitsForLines(first, rules, manyLines));
      if (waits || !(begun || canBegin(held + piece.slice(0, end), first, rules, manyLines))) {
        held += piece;
        return "";
      }
      const all = held + piece.slice(0, end);
      const text = begun || rules.lineFeed !== "layout" ? all : all.replace(/^\r?\n/, "");
      const whole = text.length - halfLength(text, entities);
      held = text.slice(whole) + piece.slice(end);
      begun = true;
      const certain = text.slice(0, whole);
      return entities && certain.includes("&") ? decodeEntities(certain) : certain;
    },
    restart() {
      held = "";
      first = "";
      entities = false;
    },
  };
}

function certainEnd(piece: string, tail: TextRules["tail"]): number {
  if (tail === "space") return piece.trimEnd().length;
  let end = piece.length;
  while (tail === "braces" && piece.charCodeAt(end - 1) === closeBrace) end -= 1;
  return end;
}

/** Returns true if the text can be shown, because its beginning is certainly neither layout nor `null`. */
function canBegin(text: string, first: string, rules: TextRules, manyLines: boolean): boolean {
  if (rules.lineFeed === "unclear" && /^\r?\n/.test(first)) return false;
  if (rules.orNull && text.length < 80 && "null".startsWith(text.trim())) return false;
  return !waitsForLines(first, rules, manyLines);
}

function waitsForLines(first: string, rules: TextRules, manyLines: boolean): boolean {
  return rules.oneLine === true && !manyLines && first.startsWith(" ");
}

/** Returns the length of half a character at the end: half a surrogate pair, or a reference that has not ended. */
function halfLength(text: string, entities: boolean): number {
  const last = text.charCodeAt(text.length - 1);
  if (last >= 0xd800 && last <= 0xdbff) return 1;
  const start = entities ? text.lastIndexOf("&") : -1;
  const isHalf = start >= 0 && text.length - start < maxEntity && !text.includes(";", start);
  return isHalf ? text.length - start : 0;
}
