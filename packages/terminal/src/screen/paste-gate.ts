/** Separates bracketed pastes from typed keys in the terminal's input, in time linear in the size of a paste. */

const esc = "\u001b";
const opens = `${esc}[200~`;
const closes = "\u001b[201~";

export interface PasteGate {
  take(piece: string): void;
  /** Stops the timer, so that no held Esc is passed on later. */
  close(): void;
}

/**
 * Passes typed keys to `onKeys` and each complete paste to `onPaste`. A lone Esc at the end of a piece counts as a key
 * if nothing follows it within `escapeMs`.
 */
export function createPasteGate(
  onKeys: (piece: string) => void,
  onPaste: (text: string) => void,
  escapeMs: number,
): PasteGate {
  let pasted: string[] | undefined;
  // The end of the last piece, where a start or end mark may have begun.
  let tail = "";
  let waiting: NodeJS.Timeout | undefined;
  /**
   * True if the last key was a lone Esc. If the rest of a start mark follows in one piece, the Esc belonged to the
   * mark, because nobody types that fast.
   */
  let escaped = false;

  function take(piece: string): void {
    clearTimeout(waiting);
    if (pasted !== undefined) takePasted(pasted, piece);
    else if (escaped && piece.startsWith(opens.slice(1))) open(piece.slice(opens.length - 1));
    else takeKeys(tail + piece);
  }

  function open(rest: string): void {
    escaped = false;
    tail = "";
    pasted = [];
    if (rest !== "") take(rest);
  }

  function takeKeys(piece: string): void {
    tail = "";
    escaped = false;
    const at = piece.indexOf(opens);
    if (at === -1) {
      tail = beginning(piece);
      if (piece.length > tail.length) onKeys(piece.slice(0, piece.length - tail.length));
      if (tail === esc) waiting = setTimeout(giveEscape, escapeMs);
      return;
    }
    if (at > 0) onKeys(piece.slice(0, at));
    open(piece.slice(at + opens.length));
  }

  function giveEscape(): void {
    tail = "";
    escaped = true;
    onKeys(esc);
  }

  function takePasted(pieces: string[], piece: string): void {
    const joined = tail + piece;
    const at = joined.indexOf(closes);
    if (at === -1) {
      const kept = Math.min(closes.length - 1, joined.length);
      pieces.push(joined.slice(0, joined.length - kept));
      tail = joined.slice(joined.length - kept);
      return;
    }
    pieces.push(joined.slice(0, at));
    pasted = undefined;
    tail = "";
    onPaste(pieces.join(""));
    if (at + closes.length < joined.length) take(joined.slice(at + closes.length));
  }

  return { take, close: () => clearTimeout(waiting) };
}

/** Returns the longest beginning of the start mark with which `piece` ends; empty if there is none. */
function beginning(piece: string): string {
  for (let held = opens.length - 1; held > 0; held -= 1)
    if (piece.endsWith(opens.slice(0, held))) return piece.slice(-held);
  return "";
}
