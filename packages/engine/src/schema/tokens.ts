/** Splits TypeScript source into the tokens of signatures and types. Doc comments are tokens too, other comments are not. */

export type Token =
  | { readonly kind: "word"; readonly text: string; readonly at: number }
  | { readonly kind: "string"; readonly text: string; readonly at: number }
  | { readonly kind: "number"; readonly text: string; readonly at: number }
  | { readonly kind: "doc"; readonly text: string; readonly at: number }
  | { readonly kind: "mark"; readonly text: string; readonly at: number };

// The groups of the pattern match a doc comment, a word, a string, a number and a mark, in this order. Other comments match
// without a group. Template literals and regular expressions are not read, because types have none.
const pattern =
  /(\/\*\*[\s\S]*?\*\/)|\/\*[\s\S]*?\*\/|\/\/[^\n]*|([A-Za-z_$][\w$]*)|("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(-?\d+(?:\.\d+)?)|(=>|[^\s])/g;

/** Returns the tokens of the source. A character that begins no other token is a mark, and so is `=>`. */
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
