import { expect, test } from "vitest";
import { splitCommand } from "../../src/shell/split-command.ts";

const words = (command: string) =>
  splitCommand(command).map((simple) => [simple.words.join(" "), simple.after]);

test.each([
  ["ls -la", [["ls -la", ""]]],
  [
    "a && b || c; d | e & f",
    [
      ["a", "&&"],
      ["b", "||"],
      ["c", ";"],
      ["d", "|"],
      ["e", "&"],
      ["f", ""],
    ],
  ],
  ["echo 'a && b' \"c | d\" e\\ f", [["echo a && b c | d e f", ""]]],
  ["A=1 sudo -n env B=2 make test", [["make test", ""]]],
  [
    "if true; then rm x; fi",
    [
      ["true", ";"],
      ["rm x", ";"],
    ],
  ],
  [
    "echo $(rm x) `ls`",
    [
      ["echo", "$("],
      ["rm x", ")"],
      ["ls", "`"],
    ],
  ],
  [
    "make 2>&1 >out.txt | tee log",
    [
      ["make", "|"],
      ["tee log", ""],
    ],
  ],
  [
    "cat <<'EOF'\nshutdown now\nEOF\nls",
    [
      ["cat", ";"],
      ["ls", ""],
    ],
  ],
  [
    "a\nb",
    [
      ["a", ";"],
      ["b", ""],
    ],
  ],
  ["", []],
])("%j", (command, expected) => {
  expect(words(command)).toEqual(expected);
});

test("names the files that output goes to", () => {
  expect(splitCommand("echo x >> /dev/sda 2> err").map((simple) => simple.writesTo)).toEqual([
    ["/dev/sda", "err"],
  ]);
});
