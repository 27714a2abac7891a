/** Splits TypeScript source into tokens, as far as signatures and types need it. Doc comments are tokens too. */

export type Token =
  | { readonly kind: "word"; readonly text: string; readonly at: number }
  | { readonly kind: "string"; readonly text: string; readonly at: number }
  | { readonly kind: "number"; readonly text: string; readonly at: number }
  | { readonly kind: "doc"; readonly text: string; readonly at: number }
  | { readonly kind: "mark"; readonly text: string; readonly at: number };

// The pattern has one alternative for each kind, in the order of the groups below. Types have no template literals or
// regular expressions.
const pattern =
  /(\/\*\*[\s\S]*?\*\/)|\/\*[\s\S]*?\*\/|\/\/[^\n]*|([A-Za-z_$][\w$]*)|("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(-?\d+(?:\.\d+)?)|(=>|[^\s])/g;

/** Returns the tokens of the source. Anything unknown is a mark of one character. */
export function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  for (const match of source.matchAll(pattern)) {
    const [, doc, word, string, number, mark] = match;
    const at = match.index;
    if (doc !== undefined) tokens.push({ kind: "doc", text: docText(doc), at });
    else if (word !== undefined) tokens.push({ kind: "word", text: word, at });
    else if (string !== undefined) tokens.push({ kind: "string", text: unquote(string), at });
    else if (number !== undefined) tokens.push({ kind: "number", text: number, at });
    else if (mark !== undefined) tokens.push({ kind: "mark", text: mark, at });
  }
  return tokens;
}

function docText(comment: string): string {
  return comment
    .slice(3, -2)
    .split("\n")
    .map((line) => line.replace(/^\s*\*?\s?/, "").trimEnd())
    .join("\n")
    .trim();
}

function unquote(literal: string): string {
  return literal.slice(1, -1).replace(/\\(.)/g, "$1");
}
