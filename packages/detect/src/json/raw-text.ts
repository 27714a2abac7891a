/**
 * Finds out if the backslashes of a quoted text were meant as escapes. `\W` is no escape in any language, so in
 * `D:\Work\notes` the model escaped nothing, and `\n` is two characters too. In a text of several lines `\n` stays a line feed.
 */

/** The escapes of a quoted text, noted while it is read. */
export interface EscapeNotes {
  /** The indexes, in the decoded text, of the control characters that were written as escapes. */
  readonly controls: number[];
  /** True if one backslash is certainly not the beginning of an escape. */
  hasImpossible: boolean;
}

export function escapeNotes(): EscapeNotes {
  return { controls: [], hasImpossible: false };
}

/** More escapes than this are those of a text with many lines, not of a path. */
const maxControls = 200;

export function noteControl({ controls }: EscapeNotes, index: number): void {
  if (controls.length <= maxControls) controls.push(index);
}

/** Notes an escape that its language does not know, by the character after the backslash. */
export function noteUnknown(notes: EscapeNotes, letter: string): void {
  // The others are escapes in some language, or signs that some languages and Markdown escape.
  if (/[A-Zcdg-mo-qsuwy1-9]/.test(letter)) notes.hasImpossible = true;
}

const letters: { readonly [control: string]: string } = {
  "\b": "b",
  "\t": "t",
  "\n": "n",
  "\f": "f",
  "\r": "r",
};

/** Returns the text with all backslashes if none of them was meant as an escape; undefined if the decoded text is right. */
export function rawText(text: string, { controls, hasImpossible }: EscapeNotes): string | undefined {
  if (!hasImpossible || controls.length === 0 || controls.length > maxControls) return undefined;
  let raw = "";
  let from = 0;
  for (const index of controls) {
    raw += `${text.slice(from, index)}\\${letters[text.charAt(index)] ?? ""}`;
    from = index + 1;
  }
  raw += text.slice(from);
  if (onlyPath.test(raw) || !(/\s/.test(raw) || endsInBreak(text))) return raw;
  return somePath.test(raw) && controls.every((index) => isInName(text, index)) ? raw : undefined;
}

/** Matches a text that is a path of Windows and nothing else. */
const onlyPath = /^(?:[A-Za-z]:\\|\\\\|\.{1,2}\\|~\\|%\w+%\\)[^:*?"<>|;={}\n\r]*$/;

/** Matches a text in which a path of Windows begins. */
const somePath = /(?:^|[\s"'`=(,])(?:[A-Za-z]:\\|\\\\\w)/;

/** Returns true if the text ends in a line break or has two of them in a row, as texts of several lines do. */
function endsInBreak(text: string): boolean {
  return /\n(?:\n|$)/.test(text);
}

/** Returns true if the control character is between characters of names, and so is no line break or indent. */
function isInName(text: string, index: number): boolean {
  const before = text.charAt(index - 1);
  const after = text.charAt(index + 1);
  return /[\p{L}\p{N}_.)\]%~+*?:\\-]/u.test(before) && /[\p{L}\p{N}_.([$%~\\-]/u.test(after);
}
