/**
 * Finds source files as a model would with text search alone: searches at most 24 words of a question, without stop words,
 * and ranks the files by how many of the words they contain.
 */
import { execFileSync } from "node:child_process";
import { searchedWords } from "@localharness/graph";
import { rgPath } from "@vscode/ripgrep";

/**
 * Returns at most ten files, the best first: the files with most words of the question; with equally many, the file with
 * most lines that contain a word.
 */
export function grepFiles(root: string, asks: string): readonly string[] {
  const found = new Map<string, { words: number; lines: number }>();
  for (const word of searchedWords(asks)) {
    for (const line of search(root, word)) {
      const end = line.lastIndexOf(":");
      const path = line.slice(0, end).replace(/^\.\//, "");
      const one = found.get(path) ?? { words: 0, lines: 0 };
      found.set(path, { words: one.words + 1, lines: one.lines + Number(line.slice(end + 1)) });
    }
  }
  const ranked = [...found].sort(
    ([, left], [, right]) => right.words - left.words || right.lines - left.lines,
  );
  return ranked.slice(0, 10).map(([path]) => path);
}

function search(root: string, word: string): readonly string[] {
  const args = [
    "--no-config",
    "--ignore-case",
    "--count",
    "--type-add",
    "code:*.{ts,tsx,js,mjs,cjs,sh}",
    "--type",
    "code",
  ];
  try {
    const output = execFileSync(rgPath, [...args, "--", word, "./"], { cwd: root, encoding: "utf8" });
    return output.split("\n").filter((line) => line !== "");
  } catch {
    return [];
  }
}
