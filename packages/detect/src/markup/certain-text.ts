/**
 * Tells, while a text arrives, how much of it is certain: what may be layout or a half written character waits. How much is
 * certain depends on the text alone and never on how it is cut.
 */
import { closeBrace } from "../scan/characters.ts";
import { decodeEntities } from "./entities.ts";

/** What of a text is settled only by what follows it. */
export interface TextRules {
  /** A line feed in front: `layout` is dropped; `unclear` is layout in some endings, so that such a text waits for its end. */
  readonly lineFeed?: "layout" | "unclear";
  /** A space in front is layout unless the text has several lines. */
  readonly oneLine?: boolean;
  /** White space and marks that may turn out not to belong to the text. */
  readonly tail?: "space" | "braces";
  /** The word `null` alone is no text. */
  readonly orNull?: boolean;
  /** References stand for characters. */
  readonly entities?: boolean;
}

export interface CertainText {
  /** Returns what has become certain with a further piece. */
  add(piece: string): string;
  /** What waits does not belong to the text, which is a section: references in it are no characters. */
  restart(): void;
}

/** No reference to a character is longer. */
const maxEntity = 10;

export function certainText(rules: TextRules): CertainText {
  let held = "";
  let begun = false;
  let manyLines = false;
  let { entities = false } = rules;
  return {
    add(added) {
      const isFirstFeed = !manyLines && added.includes("\n");
      manyLines ||= isFirstFeed;
      // The first line feed can settle what waits.
      const piece = isFirstFeed && !begun ? held + added : added;
      if (isFirstFeed && !begun) held = "";
      const end = certainEnd(piece, rules.tail);
      const waits = end === 0 || (!begun && held !== "" && waitsForLines(held, rules, manyLines));
      if (waits || !(begun || canBegin(held + piece.slice(0, end), rules, manyLines))) {
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

/** Tells whether a text that begins like this can be shown: the text before it is known not to be layout. */
function canBegin(text: string, rules: TextRules, manyLines: boolean): boolean {
  if (rules.lineFeed === "unclear" && /^\r?\n/.test(text)) return false;
  if (rules.orNull && text.length < 80 && "null".startsWith(text.trim())) return false;
  return !waitsForLines(text, rules, manyLines);
}

function waitsForLines(text: string, rules: TextRules, manyLines: boolean): boolean {
  return rules.oneLine === true && !manyLines && text.startsWith(" ");
}

/** Returns the length of what may be the beginning of one character: half a surrogate pair, or a reference without its end. */
function halfLength(text: string, entities: boolean): number {
  const last = text.charCodeAt(text.length - 1);
  if (last >= 0xd800 && last <= 0xdbff) return 1;
  const start = entities ? text.lastIndexOf("&") : -1;
  const isHalf = start >= 0 && text.length - start < maxEntity && !text.includes(";", start);
  return isHalf ? text.length - start : 0;
}
