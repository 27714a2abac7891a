/** Interprets a search pattern as text with `*` wildcards. The caller tries a regular expression only if this finds nothing. */

/** Returns ripgrep's arguments for the pattern as literal text, except for `*`. */
export function literalPattern(pattern: string): readonly string[] {
  if (!pattern.includes("*")) return ["--fixed-strings", `--regexp=${pattern}`];
  const expression = pattern.split("*").map(escapeForExpression).join(".*?");
  return [`--regexp=${expression}`];
}

/** Returns true if the pattern may be meant as a regular expression. */
export function looksLikeExpression(pattern: string): boolean {
  return /[\\^$|()[\]{}+?]|\.\*/.test(pattern);
}

function escapeForExpression(text: string): string {
  return text.replaceAll(/[\\^$.|?*+()[\]{}#&~-]/g, (character) => `\\${character}`);
}
