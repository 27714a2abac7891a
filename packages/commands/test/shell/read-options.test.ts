import { expect, test } from "vitest";
import { readOptions } from "../../src/shell/read-options.ts";

const list = {
  flags: "ab",
  valued: "n",
  long: "--all --when=now",
  longValued: "--max",
  digits: true,
} as const;

test.each<[string, readonly string[], readonly string[]]>([
  ["-a x -b", ["-a", "-b"], ["x"]],
  ["-ab", ["-a", "-b"], []],
  ["-n 5 x", ["-n"], ["x"]],
  ["-an5", ["-a", "-n"], []],
  ["--all --max=5 --max 6", ["--all", "--max", "--max"], []],
  ["-5 x", [], ["x"]],
  ["--when=now x", ["--when"], ["x"]],
  ["-- -z --evil", [], ["-z", "--evil"]],
  ["x -", [], ["x", "-"]],
])("%s", (text, options, operands) => {
  expect(readOptions(text.split(" "), list)).toEqual({ options, operands });
});

test.each([
  "-z",
  "-az",
  "--al",
  "--all=x",
  "--when",
  "--when=",
  "--when=now=now",
  "--maxi=5",
  "--max",
  "-n",
  "-n ../x",
  "--max=/etc",
  "-n -a",
])("%s is not on the list", (text) => {
  expect(readOptions(text.split(" "), list)).toBeUndefined();
});
