/** Takes pastes out of what comes from the keyboard, in time that grows with their size and no faster. */

const opens = "\u001b[200~";
const closes = "\u001b[201~";

/** The piece taker; `onKeys` gets what was typed, `onPaste` each paste when it is whole. */
export function createPasteGate(
  onKeys: (piece: string) => void,
  onPaste: (text: string) => void,
): (piece: string) => void {
  let pasted: string[] | undefined;
  // The end of the last piece, in which the mark that ends a paste may have begun.
  let tail = "";

  function take(piece: string): void {
    if (pasted === undefined) takeKeys(piece);
    else takePasted(pasted, piece);
  }

  function takeKeys(piece: string): void {
    const at = piece.indexOf(opens);
    if (at === -1) {
      onKeys(piece);
      return;
    }
    if (at > 0) onKeys(piece.slice(0, at));
    pasted = [];
    tail = "";
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
