/** What a model means by a search pattern: text with `*` wildcards, and only if that finds nothing an expression. */

/** Flags and expression for the pattern as documented: literal but for `*`. */
export function literalPattern(pattern: string): readonly string[] {
  if (!pattern.includes("*")) {
    return ["--fixed-strings", `--regexp=${pattern}`];
  }
  const expression = pattern.split("*").map(escapeForExpression).join(".*?");
  return [`--regexp=${expression}`];
}

/** True when the pattern could be meant as a regular expression. */
export function looksLikeExpression(pattern: string): boolean {
  return /[\\^$|()[\]{}+?]|\.\*/.test(pattern);
}

function escapeForExpression(text: string): string {
  return text.replaceAll(/[\\^$.|?*+()[\]{}#&~-]/g, (character) => `\\${character}`);
}
