import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readEntries } from "../../src/git-files/read-config.ts";
import { temporaryFolder } from "../temporary-folder.ts";

test.each<[string, readonly (readonly [string, string])[] | undefined]>([
  ['[core]\n\tFsMonitor = "a b" ; c\n', [["core.fsmonitor", "a b"]]],
  ['[Diff "A.b"] textconv=x', [["diff.A.b.textconv", "x"]]],
  ["[a.B]\nc\n", [["a.b.c", ""]]],
  ["[a]\nb = c\\\nd\n", [["a.b", "cd"]]],
  ["# x\n; y\n\n", []],
  ["[a]\n# note \\\n[diff] external = x", [["diff.external", "x"]]],
  [
    "[a] b = c # x \\\n[diff]\nexternal = x",
    [
      ["a.b", "c"],
      ["diff.external", "x"],
    ],
  ],
  [
    "[a]\nb = c\\\\\n[diff]\nexternal = x",
    [
      ["a.b", "c\\"],
      ["diff.external", "x"],
    ],
  ],
  ['[diff "x\u2028"]\ntextconv = y', [["diff.x\u2028.textconv", "y"]]],
  ["b = c\n", undefined],
  ["[a]\n=x\n", undefined],
  ['[a "b\u0000"]\nc=x\n', undefined],
  ['[a]\nb = "c\n', undefined],
])("reads %j", (text, entries) => {
  expect(readEntries(Buffer.from(text))?.map(({ key, value }) => [key, value])).toEqual(entries);
});

test("a name that is not valid UTF-8 is not mistaken for another", () => {
  expect(readEntries(Buffer.from('[diff "\xff"]\nc=x\n', "latin1"))).toBeUndefined();
});

/** About a third of these pieces git refuses, or reads differently than they look. */
const pieces = [
  ...'[a]|[a "b"]|[a "b\\"c\\\\d\\e"]|[A.B-c]|[a  "x]y"]|k-1 = v|k = a b  c |k="a # b"|k = a;b|k=a\\\\|k = a\\tb\\n|x|# c \\|; c "|k = v # c \\|k = b\\'.split(
    "|",
  ),
  ...'[ a]|[a "]|[a_b]|k = \\x|"|=|\r|\ufeff|k = "v|\u0085'.split("|"),
];

/** Returns the random number generator of Park and Miller. */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

interface GitReading {
  /** False if git refuses the file. */
  readonly accepted: boolean;
  readonly output: string;
}

/** Returns how git reads each of these files. One shell starts git for all of them, which is faster than starting it from here. */
function readByGit(files: readonly Buffer[]): readonly GitReading[] {
  const folder = temporaryFolder();
  for (const [at, bytes] of files.entries()) writeFileSync(join(folder, String(at)), bytes);
  const list = "git config --no-includes --list --null --file $at > $at.out 2>/dev/null || : > $at.refused";
  const loop = `at=0; while [ $at -lt ${files.length} ]; do ${list}; at=$((at + 1)); done`;
  execFileSync("sh", ["-c", loop], { cwd: folder });
  return files.map((_, at) => ({
    accepted: !existsSync(join(folder, `${at}.refused`)),
    output: readFileSync(join(folder, `${at}.out`), "utf8"),
  }));
}

test("random texts are read as git reads them, or not at all", () => {
  const random = seeded(Number(process.env["LOCALHARNESS_SEED"] ?? 11));
  const rounds = Number(process.env["LOCALHARNESS_ROUNDS"] ?? 250);
  const files = Array.from({ length: rounds }, () => {
    const parts = Array.from({ length: 1 + random(5) }, () => pieces[random(pieces.length)] ?? "");
    const between = ["\n", "\r\n", "\n \t", " "][random(4)];
    return Buffer.from((random(3) === 0 ? "" : "[a]\n") + parts.join(between));
  });
  let read = 0;
  for (const [at, { accepted, output }] of readByGit(files).entries()) {
    const bytes = files[at] ?? Buffer.of();
    const entries = readEntries(bytes);
    if (accepted && entries !== undefined) {
      read += entries.length > 0 ? 1 : 0;
      const ours = entries.map(({ key, value }) => `${key}\n${value}`).join("\0");
      // Git prints no LF after a name without a value, and since 2.45 it keeps whitespace in values.
      const alike = (text: string) => text.replace(/\n(?=\0|$)/g, "").replace(/[\t\r]/g, " ");
      expect([bytes.toString(), alike(ours)]).toEqual([bytes.toString(), alike(output.replace(/\0$/, ""))]);
    } else if (!accepted) {
      expect([bytes.toString(), entries]).toEqual([bytes.toString(), undefined]);
    }
  }
  expect(read).toBeGreaterThan(rounds / 8);
});
