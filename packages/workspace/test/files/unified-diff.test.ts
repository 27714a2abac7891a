import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { unifiedDiff } from "../../src/files/unified-diff.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const numbers = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
const changed = numbers.toSpliced(4, 1, "five").toSpliced(20, 2).toSpliced(25, 0, "new", "newer");

function many(name: string): string {
  return Array.from({ length: 700 }, (_, index) => `${name}${index}\n`).join("");
}

const pairs: readonly [string, string, string][] = [
  ["one line changed", "a\nb\nc\n", "a\nB\nc\n"],
  ["several hunks", `${numbers.join("\n")}\n`, `${changed.join("\n")}\n`],
  ["a new file", "", "a\nb\n"],
  ["an emptied file", "a\nb\n", ""],
  ["a final line end that goes", "a\nb\n", "a\nb"],
  ["a final line end that comes", "a\nb", "a\nb\nc\n"],
  ["repeated lines", "x\nx\ny\nx\n", "x\ny\nx\nx\n"],
  ["nothing in common", "a\nb\nc\n", "d\ne\n"],
  ["line ends", "a\r\nb\r\n", "a\nb\n"],
  ["carriage returns inside lines", "a\rb\nc\n", "a\rB\nc\n"],
  ["lines before the first one", "b\n", "a\nb\n"],
  ["lines after the last one", "a\n", "a\nb\n"],
  [
    "too many edits, alike at both ends",
    `s\nt\nu\nv\n${many("a")}w\nx\ny\nz\n`,
    `s\nt\nu\nv\n${many("b")}w\nx\ny\nz\n`,
  ],
  ["too many edits, without a final line end", `${many("a")}z`, `${many("b")}z`],
  ["too many lines that are the same", `${many("a")}x\nx\n`, `${many("b")}x\nx\nx\n`],
];

test.each(pairs)("patch turns the old text into the new one: %s", (_, before, after) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "f"), before);
  const diff = unifiedDiff("f", before, after, 10_000);
  execFileSync("git", ["apply", "--whitespace=nowarn", "--unsafe-paths", "-"], {
    cwd: folder,
    input: fileHeaders(diff, before, after),
  });
  const result = execFileSync("cat", ["f"], { cwd: folder, encoding: "utf8" });
  expect(result).toBe(after);
});

/** Replaces /dev/null in the headers, because git would delete the file that must stay here as an empty one. */
function fileHeaders(diff: string, before: string, after: string): string {
  const old = before === "" ? diff.replace("--- /dev/null", "--- a/f") : diff;
  return after === "" ? old.replace("+++ /dev/null", "+++ b/f") : old;
}

test("shows a change with three lines around it", () => {
  expect(unifiedDiff("src/a.ts", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n")).toBe(
    "--- a/src/a.ts\n+++ b/src/a.ts\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n",
  );
});

test("is empty for equal texts and cut for long ones", () => {
  expect(unifiedDiff("f", "a\n", "a\n")).toBe("");
  const long = unifiedDiff("f", "", "x\n".repeat(1000), 50);
  expect(long.split("\n")).toHaveLength(52);
  expect(long).toContain("[... 953 more lines of the diff]");
});

test("texts that differ in thousands of lines", () => {
  const before = Array.from({ length: 5000 }, (_, index) => `a${index}\n`).join("");
  const after = Array.from({ length: 5000 }, (_, index) => `b${index}\n`).join("");
  const lines = unifiedDiff("f", before, after, 20_000).split("\n");
  expect(lines.filter((line) => /^-a\d/.test(line))).toHaveLength(5000);
  expect(lines.filter((line) => /^\+b\d/.test(line))).toHaveLength(5000);
});

test("a diff with more lines than a call can have arguments is cut like any other", () => {
  expect(unifiedDiff("f", "", "x\n".repeat(150_000), 10)).toMatch(/^--- \/dev\/null\n[\s\S]*149993/);
});
