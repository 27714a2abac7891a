/**
 * Runs the patterns of a schema. The schema of an MCP server is untrusted, and a regular expression may try so many ways to
 * match that it never ends. So a pattern runs only on text with which it has few ways.
 */

/** The maximum number of ways to match. An engine tries so many in some milliseconds. */
const maxWays = 1e6;
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
  /** The number of atoms, with repeats written out. */
  readonly size: number;
}

const nothing: Part = { ways: 1, choices: 0, size: 0 };
const atom: Part = { ways: 1, choices: 0, size: 1 };

/** Matches the next token: a quantifier (with its least and most), the beginning of a group, `)`, `|`, or an atom. */
const tokens =
  /\{(\d+)(,?)(\d*)\}\??|([*+?])\??|\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?|[)|]|\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|[\s\S]/g;

/** Returns true if a search with the pattern in a text of this length may try too many ways. */
function mayTakeLong(pattern: string, length: number): boolean {
  const open: Part[] = [];
  /** The parts before `last` in the innermost open group. */
  let group = nothing;
  let last = nothing;
  let isAnchored = pattern.startsWith("^");
  for (const [token, least, comma, most, sign] of pattern.matchAll(tokens)) {
    if (least !== undefined || sign !== undefined) {
      const [from, to] = sign === undefined ? boundsOf(least, comma, most) : (bounds[sign] ?? [0, 1]);
      last = repeated(last, from, to, length);
      continue;
    }
    group = joined(group, last);
    last = nothing;
    if (token.startsWith("(")) {
      open.push(group);
      group = nothing;
    } else if (token === ")") {
      last = group;
      group = open.pop() ?? nothing;
    } else if (token === "|") {
      if (open.length === 0) isAnchored = false;
      group = { ...group, ways: group.ways * 2, choices: group.choices + 1 };
    } else last = atom;
  }
  const { ways, size } = joined(group, last);
  return size > maxParts || ways * (isAnchored ? 1 : length + 1) > maxWays;
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
 * repeat. With choices each repeat has its ways again; all repeats together share the text, which limits the ways too.
 */
function repeated({ ways, choices, size }: Part, from: number, to: number, length: number): Part {
  const times = Math.min(to, Math.max(from, length));
  const counts = from === to ? 1 : times - Math.min(from, times) + 1;
  const again = Math.min(ways ** times, ways * (1 + 2 * choices) ** (length + Math.min(from, times)));
  return {
    ways: counts * (choices === 0 || to <= 1 ? ways : again),
    choices: choices + (from === to ? 0 : 1),
    size: size * Math.max(1, from),
  };
}
