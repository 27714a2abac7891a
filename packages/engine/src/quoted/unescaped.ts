/** Decodes escapes in a text, because a model that copies an escaped call writes it without the escapes. */

/**
 * The kinds of escapes: of JSON or a programming language, of HTML, and of an address. A call that is escaped in one kind may have
 * escapes of another kind that belong to it.
 */
const kinds: readonly string[] = [
  String.raw`\\(?:u\{([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2})|([bfnrt"'${"`"}\\/]))`,
  "&(?:#x([\\da-f]{1,6})|#(\\d{1,7})|(lt|gt|quot|amp|apos));",
  "%([2-7][\\da-f])",
];

const letters: Readonly<Record<string, string>> = {
  b: " ",
  f: " ",
  n: "\n",
  r: "\r",
  t: "\t",
  lt: "<",
  gt: ">",
  quot: '"',
  amp: "&",
  apos: "'",
};

/** The maximum number of times that a text is decoded: text in JSON in JSON in JSON is decoded three times. */
const maxTimes = 3;

/** The choice of all kinds of escapes. */
const allKinds = 0b111;

export interface Decodings {
  /** The text, and what it is after its escapes of all kinds were decoded once and up to three times. */
  readonly whole: readonly string[];
  /** What else it is after its escapes of some kinds were decoded once and up to three times. */
  readonly some: readonly string[];
}

/** Returns all readings of the text, each once. */
export function decodings(text: string): Decodings {
  if (!/[\\&%]/.test(text)) return { whole: [text], some: [] };
  const whole = new Set([text, ...decoded(text, allKinds)]);
  const others = new Set<string>();
  for (let choice = allKinds - 1; choice > 0; choice -= 1) {
    for (const one of decoded(text, choice)) if (!whole.has(one)) others.add(one);
  }
  return { whole: [...whole], some: [...others] };
}

/** Returns the text after the escapes of these kinds were decoded once, twice and so on, as long as there are any. */
function decoded(text: string, choice: number): readonly string[] {
  const escapes = escapesOf(choice);
  const found: string[] = [];
  for (let before = text; found.length < maxTimes; ) {
    const after = before.replace(escapes, decode);
    if (after === before) break;
    found.push(after);
    before = after;
  }
  return found;
}

/** Matches the escapes of the kinds whose bits are set in `choice`. */
function escapesOf(choice: number): RegExp {
  return new RegExp(kinds.filter((_, index) => (choice & (1 << index)) !== 0).join("|"), "gi");
}

/** Returns the character of an escape. The only text in `groups` says which one it is. */
function decode(escaped: string, ...groups: readonly unknown[]): string {
  const given = groups.find((group): group is string => typeof group === "string") ?? "";
  if (/^(?:\\[^ux]|&\w)/i.test(escaped)) return letters[given.toLowerCase()] ?? given;
  const code = Number.parseInt(given, /^&#\d/.test(escaped) ? 10 : 16);
  if (code > 0x10ffff) return escaped;
  // Two escapes of a surrogate pair become one character.
  return code > 0xffff ? String.fromCodePoint(code) : String.fromCharCode(code);
}
