/** Compares a name with a pattern as the shell does. The time never exceeds the product of both lengths. */

type Token = "star" | ((character: string) => boolean);

/** Returns a function that returns true if a name matches. Only a dot in the pattern matches a dot at the beginning of a name. */
export function shellPattern(pattern: string): (name: string) => boolean {
  const tokens = tokensOf(pattern);
  const dotted = pattern.startsWith(".");
  return (name) => (dotted || !name.startsWith(".")) && matches(tokens, [...name]);
}

function tokensOf(pattern: string): readonly Token[] {
  // A class such as [:alpha:] contains another bracket.
  const pieces = pattern.match(/\[[!^]?\]?(?:\[[:.=][^\]]*\]|[^\]])*\]|[\s\S]/gu) ?? [];
  return pieces.map((piece) => {
    if (piece === "*") return "star";
    if (piece === "?") return () => true;
    return piece.length > 2 && piece.startsWith("[") ? bracket(piece) : (character) => character === piece;
  });
}

/** Returns a function that tests one character. It accepts every character if the meaning of the brackets is not certain. */
function bracket(piece: string): (character: string) => boolean {
  if (/\[[:.=]|\\/.test(piece)) return () => true;
  const inside = piece.slice(1, -1).replace(/^[!^]/, "");
  const negated = /^\[[!^]/.test(piece);
  const characters = [...inside];
  const ranges: (readonly [string, string])[] = [];
  for (let at = 0; at < characters.length; at += 1) {
    const from = characters[at] ?? "";
    const to = characters[at + 1] === "-" ? characters[at + 2] : undefined;
    ranges.push([from, to ?? from]);
    if (to !== undefined) at += 2;
  }
  const codeOf = (character: string) => character.codePointAt(0) ?? 0;
  return (character) =>
    ranges.some(([from, to]) => codeOf(from) <= codeOf(character) && codeOf(character) <= codeOf(to)) !==
    negated;
}

/** Returns true if the name matches. After a mismatch only the last star takes one more character. */
function matches(tokens: readonly Token[], name: readonly string[]): boolean {
  let token = 0;
  let at = 0;
  let star = -1;
  let resume = 0;
  while (at < name.length) {
    const wanted = tokens[token];
    if (wanted === "star") {
      star = token;
      resume = at;
      token += 1;
    } else if (wanted?.(name[at] ?? "") === true) {
      token += 1;
      at += 1;
    } else if (star === -1) return false;
    else {
      token = star + 1;
      resume += 1;
      at = resume;
    }
  }
  return tokens.slice(token).every((rest) => rest === "star");
}
