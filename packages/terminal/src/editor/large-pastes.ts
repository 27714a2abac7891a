/** Pastes too large to be shown: a mark stands for each, and the text is put back when the message is sent. */
import { sizeText } from "@localharness/protocol";

export interface LargePastes {
  /** The mark to show, or undefined when the text is small enough to be shown itself. */
  fold(text: string): string | undefined;
  /** The message with every mark that still stands replaced by its text. */
  unfold(message: string): string;
  /** Marks that stand for no text here, such as those of a message of an earlier day. */
  unknownIn(message: string): readonly string[];
  /** The mark right before a column of a line. */
  markBefore(line: string, column: number): string | undefined;
  /** What was sent may be called back from the history: its texts are kept, the newest of them. */
  sent(): void;
  /** The marks of a message of an earlier day are never given again: their texts are others. */
  avoid(message: string): void;
}

const mostLines = 10;
const mostChars = 1_000;
/** Of messages that were sent. */
const mostKeptChars = 4_000_000;
const mark = /\[Pasted [^[\]]* #(\d{1,9})\]/g;

export function createLargePastes(): LargePastes {
  /** By the whole mark, oldest first. */
  const texts = new Map<string, string>();
  let count = 0;
  return {
    fold(text) {
      const lines = countLines(text);
      if (lines <= mostLines && text.length <= mostChars) return undefined;
      count += 1;
      const size = text.length > 100_000 ? `, ${sizeText(text.length)}` : "";
      const what = lines > 1 ? `${lines.toLocaleString("en")} lines` : `${text.length} characters`;
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
      let left = mostKeptChars;
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

/** A terminal sends a carriage return for each line end of a paste. */
function countLines(text: string): number {
  let count = 1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 ? text.charCodeAt(at - 1) !== 13 : code === 13) count++;
  }
  return count;
}
