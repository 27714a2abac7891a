/** Takes pastes out of what comes from the keyboard, in time that grows with their size and no faster. */

const esc = "\u001b";
const opens = `${esc}[200~`;
const closes = "\u001b[201~";

export interface PasteGate {
  take(piece: string): void;
  /** Nothing is handed on any more. */
  close(): void;
}

/**
 * `onKeys` gets what was typed, `onPaste` each paste when it is whole. A lone Esc at the end of a piece is a key when
 * nothing follows it for `escapeMs`.
 */
export function createPasteGate(
  onKeys: (piece: string) => void,
  onPaste: (text: string) => void,
  escapeMs: number,
): PasteGate {
  let pasted: string[] | undefined;
  // The end of the last piece, in which a mark may have begun.
  let tail = "";
  let waiting: NodeJS.Timeout | undefined;
  /** A lone Esc was the last key: nobody types the rest of the mark behind it in one piece. */
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

/** What of the mark a piece ends with. */
function beginning(piece: string): string {
  for (let held = opens.length - 1; held > 0; held--)
    if (piece.endsWith(opens.slice(0, held))) return piece.slice(-held);
  return "";
}
