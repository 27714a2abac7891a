import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { shellPattern } from "../../src/shell/shell-pattern.ts";

test.each([
  ["*", ["a", "ab.c"], [".a"]],
  [".*", [".a", ".env"], ["a"]],
  ["?nv", ["env"], [".nv", "nv"]],
  ["[!a]b", ["bb"], ["ab"]],
  ["[]a]b", ["]b", "ab"], ["bb"]],
  ["[a-c-]x", ["bx", "-x"], ["dx"]],
  ["[[:lower:]]x", ["ax"], ["axx"]],
  ["[ab", ["[ab"], ["a"]],
  ["a.b", ["a.b"], ["axb"]],
  ["*é?", ["xéy", "é😀"], ["é"]],
])("%s", (pattern, right, wrong) => {
  const test = shellPattern(pattern);
  expect(right.filter((name) => !test(name))).toEqual([]);
  expect(wrong.filter(test)).toEqual([]);
});

test("takes no time that grows with its stars", () => {
  expect(shellPattern(`${"*a".repeat(400)}*b`)("a".repeat(255))).toBe(false);
});

test("finds what bash finds", () => {
  const folder = mkdtempSync(join(tmpdir(), "localharness-pattern-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const pick = (letters: string, most: number) =>
    Array.from(
      { length: 1 + Math.floor(Math.random() * most) },
      () => letters[Math.floor(Math.random() * letters.length)] ?? "",
    ).join("");
  const names = [...new Set(Array.from({ length: 150 }, () => pick("abc.-]!", 4)))].filter(
    (name) => !/^\.{1,2}$/.test(name),
  );
  for (const name of names) writeFileSync(join(folder, name), "");
  const patterns = Array.from({ length: 400 }, () => pick("ab.c-]*?[[!*", 6)).filter((text) =>
    /[*?[]/.test(text),
  );
  const script = `shopt -s nullglob; IFS=; while read -r p; do printf '%s/' $p; echo; done`;
  const input = `${patterns.join("\n")}\n`;
  const env = { ...process.env, LC_ALL: "C" };
  const found = execFileSync("bash", ["-c", script], { cwd: folder, input, env, encoding: "utf8" });
  expect(found).toMatch(/[a-c]/);
  const lines = found.split("\n");
  const differ = patterns.flatMap((pattern, index) => {
    const listed = (lines[index] ?? "").split("/").filter((name) => name !== "" && names.includes(name));
    const ours = names.filter(shellPattern(pattern));
    // A text without pattern signs matches itself.
    const same = listed.every((name) => ours.includes(name));
    return same ? [] : [`${pattern}: bash ${listed.join(" ")}, here ${ours.join(" ")}`];
  });
  expect(differ).toEqual([]);
});
