/**
 * Runs the patterns of a schema. The schema of an MCP server is untrusted, and a regular expression may try so many ways to
 * match that it never ends. So a pattern runs only on text with which it has few ways.
 */

/** The maximum number of steps: ways to match, times the parts that each may read. V8 takes about 0.1 s for so many. */
const maxSteps = 1e7;
/** The maximum length of a pattern in characters, and the maximum number of its parts after repeats are written out. */
const maxParts = 5_000;

/**
 * Returns true if a part of the text matches the pattern. Returns undefined if the pattern is no regular expression, or if
 * the search could take too long.
 */
export function matches(pattern: string, text: string): boolean | undefined {
  if (pattern.length > maxParts || mayTakeLong(pattern, text.length)) return undefined;
  try {
    return new RegExp(pattern, "u").test(text);
  } catch {
    return undefined;
  }
}

/** What is known of a part of a pattern. */
interface Part {
  /** The maximum number of ways to match the part once. */
  readonly ways: number;
  /** The number of alternatives and of quantifiers that allow several counts. */
  readonly choices: number;
  /** The number of atoms, with repeats written out. A backreference counts as many as the text has characters. */
  readonly size: number;
  /** The pattern of a group that contains no group. */
  readonly body?: string;
}

const nothing: Part = { ways: 1, choices: 0, size: 0 };

/** Matches the next token: a quantifier (with its least and most), the beginning of a group, `)`, `|`, or an atom. */
const tokens =
  /\{(\d+)(,?)(\d*)\}\??|([*+?])\??|\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?|[)|]|\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|[\s\S]/g;

/** Returns true if a search with the pattern in a text of this length may try too many ways. */
function mayTakeLong(pattern: string, length: number): boolean {
  const open: Part[] = [];
  /** Where the body of the last group begins; undefined after the end of a group. */
  let begin: number | undefined;
  /** The parts before `last` in the innermost open group. */
  let group = nothing;
  let last = nothing;
  let isAnchored = pattern.startsWith("^");
  for (const { 0: token, 1: least, 2: comma, 3: most, 4: sign, index } of pattern.matchAll(tokens)) {
    if (least !== undefined || sign !== undefined) {
      const [from, to] = sign === undefined ? boundsOf(least, comma, most) : (bounds[sign] ?? [0, 1]);
      last = repeated(last, from, to, length);
      continue;
    }
    group = joined(group, last);
    if (group.ways > maxSteps) return true;
    last = nothing;
    if (token.startsWith("(")) {
      open.push(group);
      group = nothing;
      begin = index + token.length;
    } else if (token === ")") {
      last = begin === undefined ? group : { ...group, body: pattern.slice(begin, index) };
      group = open.pop() ?? nothing;
      begin = undefined;
    } else if (token === "|") {
      if (open.length === 0) isAnchored = false;
      group = { ...group, ways: group.ways * 2, choices: group.choices + 1 };
    } else last = { ways: 1, choices: 0, size: /^\\[1-9k]/.test(token) ? Math.max(1, length) : 1 };
  }
  const { ways, size } = joined(group, last);
  return size > maxParts || ways * size * (isAnchored ? 1 : length + 1) > maxSteps;
}

const bounds: Readonly<Record<string, readonly [number, number]>> = {
  "*": [0, Number.POSITIVE_INFINITY],
  "+": [1, Number.POSITIVE_INFINITY],
  "?": [0, 1],
};

function boundsOf(least = "", comma = "", most = ""): readonly [number, number] {
  const from = Number(least);
  return [from, comma === "" ? from : most === "" ? Number.POSITIVE_INFINITY : Number(most)];
}

function joined(one: Part, other: Part): Part {
  return {
    ways: one.ways * other.ways,
    choices: one.choices + other.choices,
    size: one.size + other.size,
  };
}

/**
 * Returns the part repeated `from` to `to` times in a text of `length` characters. A part without choices can end after each
 * repeat, and so can one with a separator: the text decides where each repeat begins. With other choices each repeat has its
 * ways again; all repeats together share the text, which limits the ways too.
 */
function repeated({ ways, choices, size, body }: Part, from: number, to: number, length: number): Part {
  const times = Math.min(to, Math.max(from, length));
  const counts = from === to ? 1 : times - Math.min(from, times) + 1;
  const again = () => Math.min(ways ** times, ways * (1 + 2 * choices) ** (length + Math.min(from, times)));
  const isSure = choices === 1 && body !== undefined && hasSeparator(body);
  return {
    ways: choices === 0 || to <= 1 ? counts * ways : isSure ? length + 1 : counts * again(),
    choices: choices + (from === to ? 0 : 1),
    size: size * Math.max(1, from),
  };
}

/**
 * Returns true if the body of a group begins or ends with a separator: with characters of ASCII that no other of its atoms
 * matches, as in `-[a-z]+`.
 */
function hasSeparator(body: string): boolean {
  const all = body.match(tokens) ?? [];
  const isCount = (token = "") => /^[*+?{]/.test(token);
  const atoms = all.filter((token) => !isCount(token));
  const first = isCount(all[0]) || isCount(all[1]) ? [] : [0];
  const last = isCount(all.at(-1)) ? [] : [atoms.length - 1];
  return [...first, ...last].some((at) => isSeparator(atoms, at));
}

/** Matches an atom that matches only characters of ASCII. */
const asciiAtom = /^(?![.^$|]|\[\^|.*\\[\da-ce-vx-zA-Z])[ -~]+$/;

function isSeparator(atoms: readonly string[], at: number): boolean {
  const atom = atoms[at] ?? "";
  if (!asciiAtom.test(atom)) return false;
  try {
    // Case is ignored, because a group may ignore it.
    const separator = new RegExp(atom, "ui");
    const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
    const characters = ascii.filter((character) => separator.test(character)).join("");
    return atoms.every((other, index) => index === at || !new RegExp(other, "ui").test(characters));
  } catch {
    return false;
  }
}
