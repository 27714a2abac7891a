/**
 * Searches in a viewer. `/` begins the search, matches appear with each typed letter, and Enter or Esc ends the typing
 * and keeps the words.
 */
import { matchesKey, stripTerminalSequences } from "@earendil-works/pi-tui";
import { screenText } from "../plain-text.ts";
import { typeInto } from "./typed-line.ts";

export interface WordFinder {
  /**
   * Takes a key. Returns `typed` for a key that edits the words, `taken` for the `/` that begins the search and for every
   * other key while the words are typed, and undefined for all keys outside of the search.
   */
  take(data: string): "typed" | "taken" | undefined;
  /** Returns the search words with a cursor while they are typed; undefined otherwise. */
  prompt(): string | undefined;
  /** Returns the search words; empty if there are none. */
  words(): string;
  /** Returns true if the text contains the search words as one phrase; case is ignored. False if there are no words. */
  isIn(text: string): boolean;
  /** Returns the line with each match in `style`. A line with a match loses its other styles. */
  mark(line: string, style: (text: string) => string): string;
}

export function createWordFinder(): WordFinder {
  let words = "";
  let typing = false;
  let pattern: RegExp | undefined;

  function use(wanted: string): void {
    words = wanted;
    pattern = wanted === "" ? undefined : new RegExp(literal(wanted), "giu");
  }

  const isIn = (text: string) => {
    if (pattern === undefined) return false;
    pattern.lastIndex = 0;
    return pattern.test(text);
  };

  return {
    take(data) {
      if (!typing) {
        if (data !== "/") return undefined;
        typing = true;
        use("");
        return "taken";
      }
      if (matchesKey(data, "escape") || matchesKey(data, "enter")) {
        typing = false;
        return "taken";
      }
      const typed = typeInto(words, data);
      if (typed === undefined) return "taken";
      use(typed);
      return "typed";
    },
    prompt: () => (typing ? `/${screenText(words)}█` : undefined),
    words: () => words,
    isIn,
    mark(line, style) {
      if (pattern === undefined) return line;
      const plain = stripTerminalSequences(line);
      return isIn(plain) ? plain.replace(pattern, (found) => style(found)) : line;
    },
  };
}

function literal(words: string): string {
  return words.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
