/**
 * Finds characters that a person cannot see, and characters in the name of a program that are not ASCII and may look like
 * ASCII ones. A command with either is never read with certainty.
 */

/** Matches control, format, private and unassigned characters and all invisible ones, except blank, tab and line end. */
const unseen =
  /[^\P{C}\n\t]|[^\P{Z} ]|[\u115f\u1160\u3164\uffa0\u2800\u17b4\u17b5]|\u034f|[\u180b-\u180f]|\p{Variation_Selector}/u;

const names: Readonly<Record<string, string>> = {
  ...{ "0000": "NUL", "0008": "backspace", "000B": "vertical tab", "000C": "form feed" },
  ...{ "000D": "carriage return", "001B": "escape", "00A0": "no-break space", "00AD": "soft hyphen" },
  ...{ "061C": "Arabic letter mark", "200B": "zero-width space", "200C": "zero-width non-joiner" },
  ...{ "200D": "zero-width joiner", "200E": "left-to-right mark", "200F": "right-to-left mark" },
  ...{ "202A": "left-to-right embedding", "202B": "right-to-left embedding", "202C": "end of a direction" },
  ...{ "202D": "left-to-right override", "202E": "right-to-left override", "2028": "line separator" },
  ...{ "2029": "paragraph separator", "2060": "word joiner", "2066": "left-to-right isolate" },
  ...{ "2067": "right-to-left isolate", "2068": "first strong isolate", "2069": "end of an isolate" },
  ...{ "3000": "ideographic space", FEFF: "byte order mark" },
};

/** Returns the first invisible character as `U+202E (right-to-left override)`; undefined if there is none. */
export function unseenCharacter(text: string): string | undefined {
  const found = unseen.exec(text)?.[0];
  return found === undefined ? undefined : codePointName(found);
}

/** Returns the first character of a program's name that is not ASCII, with its code point; undefined if there is none. */
export function foreignLetter(programName: string): string | undefined {
  const found = /[^\p{ASCII}]/u.exec(programName)?.[0];
  return found === undefined ? undefined : `"${found}" ${codePointName(found)}`;
}

const firstTag = 0xe0000;
const lastTag = 0xe007f;

function codePointName(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const digits = code.toString(16).toUpperCase().padStart(4, "0");
  const name = names[digits] ?? (code >= firstTag && code <= lastTag ? "invisible tag character" : undefined);
  return name === undefined ? `U+${digits}` : `U+${digits} (${name})`;
}
