/** Pastes too large to be shown: a mark stands for each, and the text is put back when the message is sent. */
import { sizeText } from "@localharness/protocol";

export interface LargePastes {
  /** The mark to show, or undefined when the text is small enough to be shown itself. */
  fold(text: string): string | undefined;
  /** The message with every mark that still stands replaced by its text. */
  unfold(message: string): string;
  /** The mark right before a column of a line. */
  markBefore(line: string, column: number): string | undefined;
  forget(): void;
}

const mostLines = 10;
const mostChars = 1_000;
const mark = /\[Pasted [^[\]]* #(\d+)\]/g;

export function createLargePastes(): LargePastes {
  const texts = new Map<string, string>();
  let count = 0;
  return {
    fold(text) {
      const lines = countLines(text);
      if (lines <= mostLines && text.length <= mostChars) return undefined;
      count += 1;
      texts.set(String(count), text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text);
      const size = text.length > 100_000 ? `, ${sizeText(text.length)}` : "";
      const what = lines > 1 ? `${lines.toLocaleString("en")} lines` : `${text.length} characters`;
      return `[Pasted ${what}${size} #${count}]`;
    },
    unfold: (message) => message.replace(mark, (whole, id: string) => texts.get(id) ?? whole),
    markBefore(line, column) {
      const before = line.slice(0, column);
      const found = [...before.matchAll(mark)].at(-1);
      if (found === undefined || !texts.has(found[1] ?? "")) return undefined;
      return before.endsWith(found[0]) ? found[0] : undefined;
    },
    forget: () => texts.clear(),
  };
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
