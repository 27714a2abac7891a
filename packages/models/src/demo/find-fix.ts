/** Finds a mistake that the demo can correct with fixed rules: a few kinds of TODO, and common misspellings. */

export interface Fix {
  readonly before: string;
  readonly after: string;
}

/** Returns the first fix for the lines of a file; undefined if there is none. */
export function findFix(lines: readonly string[]): Fix | undefined {
  for (const [place, line] of lines.entries()) {
    const todo = line.match(/\bTODO\b:?\s*(.*)$/)?.[1];
    if (todo === undefined) continue;
    const fix = fixPlural(line, todo, lines[place + 1]) ?? fixReplacement(line, todo, lines);
    if (fix !== undefined) return fix;
  }
  return fixSpelling(lines);
}

/** Returns the fix for `TODO: say "1 minute", not "1 minutes"` before a line with `${count} minutes`. */
function fixPlural(line: string, todo: string, next: string | undefined): Fix | undefined {
  const word = todo.match(/"1 (\w+)", not "1 \1s"/)?.[1];
  if (word === undefined || next === undefined) return undefined;
  const used = next.match(new RegExp(`\\$\\{([^}]+)\\} ${word}s`));
  const count = used?.[1]?.trim();
  if (used === null || count === undefined) return undefined;
  const both = `\${${count}} ${word}\${${count} === 1 ? "" : "s"}`;
  return { before: `${line}\n${next}`, after: next.replace(used[0], () => both) };
}

/** Returns the fix for `TODO: replace "a" with "b"` and `TODO: "a" -> "b"`. */
function fixReplacement(line: string, todo: string, lines: readonly string[]): Fix | undefined {
  const [, from, to] = todo.match(/["'`]([^"'`]+)["'`]\s*(?:with|by|->|=>|to)\s*["'`]([^"'`]+)["'`]/) ?? [];
  if (from === undefined || to === undefined) return undefined;
  const target = lines.find((one) => one !== line && one.includes(from));
  return target === undefined ? undefined : { before: target, after: target.replaceAll(from, () => to) };
}

const misspelt: Readonly<Record<string, string>> = {
  teh: "the",
  recieve: "receive",
  adress: "address",
  seperate: "separate",
  occured: "occurred",
  definately: "definitely",
  wich: "which",
  lenght: "length",
  untill: "until",
};

function fixSpelling(lines: readonly string[]): Fix | undefined {
  const wrong = new RegExp(`\\b(${Object.keys(misspelt).join("|")})\\b`, "g");
  const line = lines.find((one) => one.match(wrong) !== null);
  if (line === undefined) return undefined;
  return { before: line, after: line.replace(wrong, (word) => misspelt[word] ?? word) };
}
