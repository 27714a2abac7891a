/** Replaces large pastes by placeholders in the editor and restores their text when the message is sent. */
import { countText, sizeText } from "@localharness/protocol";

export interface LargePastes {
  /** Returns the placeholder for a large text; undefined when the text is small enough to be shown. */
  fold(text: string): string | undefined;
  /** Returns the message with each known placeholder replaced by its text. */
  unfold(message: string): string;
  /** Returns the placeholders whose text is not kept, such as placeholders in a message from an earlier session. */
  unknownIn(message: string): readonly string[];
  /** Returns the placeholder that ends right before a column of a line; undefined if no placeholder does. */
  markBefore(line: string, column: number): string | undefined;
  /** Called after a message was sent. Keeps the newest texts, because the message may be recalled from the history. */
  sent(): void;
  /**
   * Reserves the placeholder numbers in a message of an earlier session, so that no new text gets one of these numbers.
   */
  avoid(message: string): void;
}

const maxLines = 10;
const maxChars = 1_000;
/** The maximum total length of the texts of sent messages, in UTF-16 units. */
const maxKeptChars = 4_000_000;
const mark = /\[Pasted [^[\]]* #(\d{1,9})\]/g;

export function createLargePastes(): LargePastes {
  /** The texts by placeholder, oldest first. */
  const texts = new Map<string, string>();
  let count = 0;
  return {
    fold(text) {
      const lines = countLines(text);
      if (lines <= maxLines && text.length <= maxChars) return undefined;
      count += 1;
      const size = text.length > 100_000 ? `, ${sizeText(text.length)}` : "";
      const what = lines > 1 ? `${lines.toLocaleString("en")} lines` : countText(text.length, "character");
      const folded = `[Pasted ${what}${size} #${count}]`;
      texts.set(folded, text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text);
      return folded;
    },
    unfold: (message) => message.replace(mark, (whole) => texts.get(whole) ?? whole),
    unknownIn: (message) => marksIn(message).filter((found) => !texts.has(found)),
    markBefore(line, column) {
      const before = line.slice(0, column);
      const found = marksIn(before).at(-1);
      return found !== undefined && texts.has(found) && before.endsWith(found) ? found : undefined;
    },
    sent() {
      let left = maxKeptChars;
      for (const [folded, text] of [...texts].reverse()) {
        left -= text.length;
        if (left < 0) texts.delete(folded);
      }
    },
    avoid(message) {
      for (const [, id] of message.matchAll(mark)) count = Math.max(count, Number(id));
    },
  };
}

function marksIn(text: string): readonly string[] {
  return Array.from(text.matchAll(mark), ([found]) => found);
}

/** Counts the lines. CR, LF and CRLF each end a line, because terminals send a CR for each line end of a paste. */
function countLines(text: string): number {
  let count = 1;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 10 ? text.charCodeAt(at - 1) !== 13 : code === 13) count += 1;
  }
  return count;
}
