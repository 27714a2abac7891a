/** Finds the parts of a word that programs may read as the name of a file. */

/** Returns the word, if it is no option, and its parts that may be files: `--x=FILE`, `-xFILE`, `@FILE`, `FILE:there`. */
export function spellings(word: string): readonly string[] {
  const found = word.startsWith("-") ? attached(word) : [word];
  const more = found.flatMap((one) => [
    ...(/^[^=]*=(.+)$/s.exec(one)?.slice(1) ?? []),
    ...(/^(?:[\w.-]*=)?[@<](.+?)(?:[;,].*)?$/s.exec(one)?.slice(1) ?? []),
    ...otherwise(one),
    ...(/^file:\/\/(\/.+)$/s.exec(one)?.slice(1) ?? []),
    ...(one.includes(":") && !one.includes("://") ? one.split(":", 3) : []),
  ]);
  return [...found, ...more].filter((one) => !one.startsWith("-"));
}

/** Returns the alternative text in an expansion of a variable: `FILE` for `${X:-FILE}`; nothing for any other word. */
export function otherwise(word: string): readonly string[] {
  return /\$\{\w+:?[-=+]([^}]*)\}/s.exec(word)?.slice(1) ?? [];
}

/** Returns the possible values in the word of an option: `--x=FILE`, or the text after one to four letters (`-xzFILE`). */
function attached(word: string): readonly string[] {
  if (word.startsWith("--")) return /^--[^=]+=(.+)$/s.exec(word)?.slice(1) ?? [];
  return [2, 3, 4, 5].map((start) => word.slice(start)).filter((rest) => rest !== "");
}
