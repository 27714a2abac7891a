/** The end of a command, read from its result. */
import { readCommandEnd } from "@localharness/protocol";
import { expect, test } from "vitest";

const part = "[1288895 bytes; the whole output is in .x/1: read_file reads it by offset and limit]";

test.each<[string, object]>([
  ["one\nexit code: 0", { line: "exit code: 0", failed: false, output: "one\n" }],
  ["exit code: 0", { line: "exit code: 0", failed: false, output: "" }],
  ["one\nexit code: 137 (SIGKILL)", { line: "exit code: 137 (SIGKILL)", failed: true, output: "one\n" }],
  ["one\nkilled by SIGTERM", { line: "killed by SIGTERM", failed: true, output: "one\n" }],
  ["job-1 runs in the background.", { line: "", failed: false, output: "job-1 runs in the background." }],
  ["exit code: 1\nmore", { line: "", failed: false, output: "exit code: 1\nmore" }],
  [
    `one\n${part}\nexit code: 0`,
    { line: "exit code: 0", failed: false, output: `one\n${part}\n`, wholeBytes: 1288895 },
  ],
  [
    "[9 bytes; the end]\nexit code: 0",
    { line: "exit code: 0", failed: false, output: "[9 bytes; the end]\n" },
  ],
])("%j", (data, end) => {
  expect(readCommandEnd(data)).toEqual(end);
});
