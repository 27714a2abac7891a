/**
 * Finds pastes in the keys of a terminal that does not mark pastes, such as GNU screen: their lines come as one burst of keys,
 * in one read or in several. A line end that more text follows within the burst is not an Enter.
 */

/** Keys that come within this many milliseconds of each other may be from one paste. */
export const pasteMs = 40;
/**
 * The milliseconds without keys after which a paste has ended. Longer than `pasteMs`, because a terminal waits while the
 * program reads a long paste.
 */
const pasteEndMs = 100;

export interface UnmarkedPastes {
  take(piece: string): void;
  /** Passes on the keys that are held. Called before a marked paste. */
  flush(): void;
  /** Drops the keys that are held. */
  close(): void;
}

export interface UnmarkedPastesParts {
  onKeys(keys: string): void;
  onPaste(text: string): void;
  /** Returns true if an Enter that comes alone must be held, because text after it could be the next line of a paste. */
  holdsEnter(): boolean;
}

/**
 * Passes keys to `onKeys` and each paste to `onPaste`. Text with a line end is held until no key has come for `pasteMs`; all
 * other keys are passed on at once. A paste of one line with a line end cannot be told from a line that is typed.
 */
export function createUnmarkedPastes({ onKeys, onPaste, holdsEnter }: UnmarkedPastesParts): UnmarkedPastes {
  let held: string[] = [];
  /** The last character that is held; empty if none is. */
  let last = "";
  let isPaste = false;
  let pieces = 0;
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    stopWaiting();
    const text = held.join("");
    const pasted = isPaste;
    held = [];
    last = "";
    isPaste = false;
    if (pasted) onPaste(text);
    else if (text !== "") onKeys(text.replaceAll("\r\n", "\r"));
  }

  function stopWaiting(): void {
    clearTimeout(timer);
    timer = undefined;
  }

  /** Ends what is held when no key has come for a while. */
  function wait(): void {
    stopWaiting();
    // Keys that arrived while the program was busy are still unread when the timer fires. setImmediate lets them be
    // read first.
    const end = () => {
      timer = undefined;
      const at = pieces;
      setImmediate(() => {
        if (held.length === 0 || timer !== undefined) return;
        if (at === pieces) flush();
        else wait();
      });
    };
    timer = setTimeout(end, isPaste ? pasteEndMs : pasteMs);
  }

  function takeText(text: string): void {
    if (held.length === 0 && !mayBePaste(text, holdsEnter)) {
      onKeys(text);
      return;
    }
    // An Enter that is held down comes again and again, and must not wait until it is released.
    const isRepeated = held.length > 0 && !isPaste && lineEnds.test(last + text);
    isPaste ||= hasSeveralLines(last + text) || tabInText.test(text);
    held.push(text);
    last = text.at(-1) ?? "";
    if (!isRepeated) wait();
  }

  return {
    take(piece) {
      pieces += 1;
      for (const part of piece.match(parts) ?? []) {
        if (!control.test(part)) takeText(part);
        else {
          flush();
          onKeys(part);
        }
      }
    },
    flush,
    close() {
      stopWaiting();
      held = [];
    },
  };
}

/** Matches one key with an escape sequence or a control character, or text with its tabs and line ends. */
const parts =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters distinguish keys from text.
  /\u001b\[[0-?]*[ -/]*[@-~]|\u001bO.|\u001b[\s\S]?|[\u0000-\u0008\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f]|[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]+/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters distinguish keys from text.
const control = /^[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;
const lineEnds = /^[\r\n]+$/;
/** Matches a tab inside of a line. Nobody types Tab and the keys around it so fast that they come in one read. */
const tabInText = /[^\t\r\n]\t+[^\t\r\n]/;

function mayBePaste(text: string, holdsEnter: () => boolean): boolean {
  if (text === "\r" || text === "\n") return holdsEnter();
  return /[\r\n]/.test(text) || tabInText.test(text);
}

/** Returns true if text follows a line end. */
function hasSeveralLines(text: string): boolean {
  return /[\r\n][^\r\n]/.test(text);
}
