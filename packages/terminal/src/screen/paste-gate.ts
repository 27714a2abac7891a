/** Takes pastes out of what comes from the keyboard, in time that grows with their size and no faster. */

const opens = "\u001b[200~";
const closes = "\u001b[201~";

/** The piece taker; `onKeys` gets what was typed, `onPaste` each paste when it is whole. */
export function createPasteGate(
  onKeys: (piece: string) => void,
  onPaste: (text: string) => void,
): (piece: string) => void {
  let pasted: string[] | undefined;
  // The end of the last piece, in which a mark may have begun.
  let tail = "";

  function take(piece: string): void {
    if (pasted === undefined) takeKeys(tail + piece);
    else takePasted(pasted, piece);
  }

  function takeKeys(piece: string): void {
    tail = "";
    const at = piece.indexOf(opens);
    if (at === -1) {
      tail = beginning(piece);
      if (piece.length > tail.length) onKeys(piece.slice(0, piece.length - tail.length));
      return;
    }
    if (at > 0) onKeys(piece.slice(0, at));
    pasted = [];
    take(piece.slice(at + opens.length));
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

  return take;
}

/** What of the mark a piece ends with. A lone Esc is a key; more than that waits for the rest. */
function beginning(piece: string): string {
  for (let held = opens.length - 1; held > 1; held--)
    if (piece.endsWith(opens.slice(0, held))) return piece.slice(-held);
  return "";
}
