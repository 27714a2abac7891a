/**
 * Marks characters that look like signs of a shell (such as `;`, `|`, `/` and a space) but are others, so that a person who
 * judges a command reads what runs. Signs of ordinary typography and of other scripts are marked only where they can be
 * mistaken.
 */

/**
 * Characters that look like an ASCII sign and have no ordinary use in text, by the sign. Characters whose compatibility form is
 * ASCII need no place here.
 */
const alike: Readonly<Record<string, string>> = {
  ";": "\u037e\u204f",
  ":": "\u02d0\u02f8\u05c3\u0703\u0704\u16ec\u2236\ua789",
  ".": "\u0701\u0702\ua4f8\ua60e\u{10a50}\u{1d16d}",
  ",": "\u00b8\u201a\ua4f9",
  "|": "\u01c0\u05c0\u16c1\u2016\u2223\u2225\u23d0\u2758\u2d4f",
  "/": "\u1735\u2044\u2215\u27cb\u29f8\u2cc6",
  "\\": "\u2216\u27cd\u29f5\u29f9",
  "&": "\u214b\ua778\u{1f674}",
  "<": "\u02c2\u1433\u226a\u2329\u276e\u27e8",
  ">": "\u02c3\u1438\u226b\u232a\u276f\u27e9",
  "(": "\u2768\u2772\ufd3e",
  ")": "\u2769\u2773\ufd3f",
  "{": "\u2774\u{1d114}",
  "}": "\u2775",
  "[": "\u301a",
  "]": "\u301b",
  $: "\u{1f4b2}",
  "`": "\u02bb\u02bd\u02cb\u1fef\u2035",
  "'": "\u00b4\u02b9\u02bc\u02c8\u02ca\u055a\u07f4\u1ffd\u2032\ua78c",
  '"': "\u02ba\u02dd\u02ee\u2033",
  "!": "\u01c3\u2d51",
  "?": "\u0241\u0294\u13ae\ua6eb",
  "*": "\u066d\u204e\u2217\u22c6\u2731\u{1031f}",
  "#": "\u266f",
  "=": "\u1400\u2e40\ua78a",
  "%": "\u2052",
  "+": "\u16ed\u2795\u{1029b}",
  "-": "\u02d7\u2043\u2212\u2796\u2cba",
  "~": "\u02dc\u2053\u223c",
  "^": "\u02c4\u02c6",
  _: "\u07fa\u203f",
};
const signs = new Set(Object.values(alike).join(""));

/** Characters that belong to a text of another script. They are marked unless the letter before them is of such a script. */
const ofOtherScripts = new Set(
  "\u0589\u05f3\u05f4\u060c\u060d\u061b\u061f\u0660\u066a\u066b\u06d4\u06f0\u0964\u3001\u3002\u3003\u3008\u3009\u3014\u3015\u301c\u30a0\u30ce\u30fc\u3033\u31d4\u4e00\u4e36\u4e3f",
);
/** Quotation marks of typography. They are marked in a line that has a sign of the shell. */
const quotes = new Set("\u2018\u2019\u201b\u201c\u201d\u201e\u201f\u00ab\u00bb\u2039\u203a");
/** Dashes of typography. They are marked where an option may begin. */
const dashes = new Set("\u2010\u2011\u2012\u2013\u2014\u2015");
/** Lines for drawing. They are marked in a line that begins with something else. */
const lines = new Set("\u2500\u2502\u2503\u2550\u2551\u2571\u2572");

const ascii = /^[!-/:-@[-`{-~ ]+$/;
const blank = /^\p{Zs}$/u;
const unknown = /^[\p{Co}\p{Cn}]$/u;
const wide = /^[\uff01-\uff5e]$/;
const shellSign = /[;|&<>`$\\]/;
/** Matches a line of a drawn table or tree. */
const drawn = /^\s*[\u2500-\u257f]/;

/** What decides for a whole line. */
interface LineFacts {
  readonly hasShellSign: boolean;
  readonly isDrawn: boolean;
}

type Kind = "always" | "blank" | "script" | "quote" | "dash" | "line" | "dots" | "other";

const kinds = new Map<string, Kind>();
const maxKinds = 5_000;

function kindOf(character: string): Kind {
  const known = kinds.get(character);
  if (known !== undefined) return known;
  const kind = readKind(character);
  if (kinds.size < maxKinds) kinds.set(character, kind);
  return kind;
}

function readKind(character: string): Kind {
  if (signs.has(character) || unknown.test(character)) return "always";
  if (blank.test(character)) return "blank";
  if (ofOtherScripts.has(character)) return "script";
  if (quotes.has(character)) return "quote";
  if (dashes.has(character)) return "dash";
  if (lines.has(character)) return "line";
  if (character === "\u2026") return "dots";
  // Fullwidth characters are marked with the letters.
  if (wide.test(character)) return "other";
  const plain = character.normalize("NFKC");
  if (ascii.test(plain)) return "always";
  return plain.length === 1 && plain !== character ? readKind(plain) : "other";
}

/** Letters of Latin, Cyrillic, Hebrew, Arabic, Chinese, Japanese and Korean that look like no sign. */
const letters =
  "\\u00c0-\\u01bf\\u0400-\\u04ff\\u05d0-\\u05ea\\u0620-\\u064a\\u3041-\\u3096\\u30a1-\\u30cd\\u30cf-\\u30fa\\u4e40-\\u9fff\\uac00-\\ud7a3";
/** Matches a mark, also one that is there already, or a character that may have to be marked. */
const candidate = new RegExp(
  `⟨(?:U\\+[0-9A-F]{4,6}|\\d+ (?:blanks|more marks)|rtl|ltr)⟩|[^\\p{ASCII}\\p{M}\\p{Cc}${letters}]`,
  "gu",
);
const letterBefore = /\p{L}(?=\P{L}*$)/u;
const letterAfter = /\p{L}/u;
const script = /(?!\p{Script=Latin})\p{L}/u;

/** Returns the text with the code point of each character after it that looks like a sign of a shell and is none. */
export function markSigns(text: string): string {
  return text.split("\n").map(markLine).join("\n");
}

function markLine(line: string): string {
  const about = { hasShellSign: shellSign.test(line), isDrawn: drawn.test(line) };
  return line.replace(candidate, (found, at: number) => {
    if (found.length > 2 && found.startsWith("⟨")) return found;
    if (line.startsWith("⟨U+", at + found.length)) return found;
    const kind = kindOf(found);
    if (kind === "other" || !isMarked(kind, about, line, at, found.length)) return found;
    const code = (found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    return `${found}⟨U+${code}⟩`;
  });
}

/** The characters beside a character that decide whether it can be mistaken. */
const near = 40;

function isMarked(kind: Kind, about: LineFacts, line: string, at: number, length: number): boolean {
  const before = line.slice(Math.max(0, at - near), at);
  const after = line.slice(at + length, at + length + near);
  switch (kind) {
    case "always":
      return true;
    case "other":
      return false;
    case "blank":
    case "script": {
      const letter = letterBefore.exec(before)?.[0] ?? letterAfter.exec(after)?.[0] ?? "";
      return !script.test(letter);
    }
    case "quote":
      return about.hasShellSign && !(/\p{L}$/u.test(before) && /^\p{L}/u.test(after));
    case "dash":
      return /(?:^|[\s;|&(=])$/.test(before) && /^\S/.test(after);
    case "line":
      return !about.isDrawn;
    case "dots":
      return /[/\\.]$/.test(before) || /^[/\\.]/.test(after);
  }
}
