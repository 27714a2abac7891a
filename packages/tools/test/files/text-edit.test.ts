/** Checks which failing edits are foreseen, so that nobody is asked about them. */
import { describe, expect, test } from "vitest";
import { type Bench, openBench } from "../bench.ts";

const read = (bench: Bench) => bench.call("read_file", { path: "f" });
const missing = { path: "f", old_string: "gone", new_string: "new" };

test.each<[string, (bench: Bench) => Promise<unknown> | unknown, object, string | undefined]>([
  ["a text that is not in a file that was read", read, missing, "validation_failed"],
  ["a text that is there", read, { ...missing, old_string: "two" }, undefined],
  ["a text that occurs twice", read, { ...missing, old_string: "o" }, "validation_failed"],
  ["a file that was not read", () => undefined, missing, undefined],
  ["a file that does not exist", read, { ...missing, path: "g" }, undefined],
  [
    "a file that changed since it was read",
    async (bench) => {
      await read(bench);
      bench.write("f", "other\n");
    },
    missing,
    "validation_failed",
  ],
])("%s: %#", async (_name, prepare, args, errorType) => {
  const bench = await openBench();
  bench.write("f", "one\ntwo\n");
  await prepare(bench);
  const output = await bench.foresee("edit_file", { ...args });
  expect(output?.ok === false ? output.errorType : undefined).toBe(errorType);
  expect(bench.text("f")).toMatch(/^(?:one\ntwo|other)\n$/);
});

test.each<[string, string, string, string | undefined]>([
  ["a whole file that changed since it was read", "other\n", "new\n", "validation_failed"],
  [
    "a whole file that changed to what the call would write",
    "other\n",
    "other\n",
    "f already has exactly this content; nothing was written.",
  ],
  [
    "a whole file that the call would not change",
    "one\n",
    "one\n",
    "f already has exactly this content; nothing was written.",
  ],
  ["a whole file as it was read", "one\n", "new\n", undefined],
])("%s", async (_title, changed, content, errorType) => {
  const bench = await openBench();
  bench.write("f", "one\n");
  await read(bench);
  bench.write("f", changed);
  const output = await bench.foresee("write_file", { path: "f", content });
  expect(output?.ok === false ? output.errorType : output?.data).toBe(errorType);
  expect(bench.text("f")).toBe(changed);
});

describe("a call that would fail or change nothing, on a file that could be read without a question", () => {
  const edit = (old_string: string, path = "f") => ({ path, old_string, new_string: "new" });
  const cases: readonly (readonly [string, object, string | undefined])[] = [
    ["edit_file", edit("gone"), "validation_failed"],
    ["edit_file", edit("o"), "validation_failed"],
    ["edit_file", edit("one", "missing"), "not_found"],
    ["edit_file", edit("one", "sub"), "io_error"],
    ["edit_file", edit("two"), undefined],
    ["insert_lines", { path: "f", line_start: 9, new_content: "x\n" }, "validation_failed"],
    ["insert_lines", { path: "f", line_start: 1, new_content: "x\n" }, undefined],
    ["replace_lines", { path: "f", line_start: 2, line_end: 9, new_content: "x\n" }, "validation_failed"],
    ["replace_lines", { path: "missing", line_start: 1, line_end: 1, new_content: "x\n" }, "not_found"],
    ["replace_lines", { path: "f", line_start: 1, line_end: 2, new_content: "x\n" }, undefined],
    [
      "write_file",
      { path: "f", content: "one\ntwo\n" },
      "f already has exactly this content; nothing was written.",
    ],
    ["write_file", { path: "sub", content: "x" }, "io_error"],
    ["write_file", { path: "f", content: "x" }, undefined],
    ["write_file", { path: "new", content: "x" }, undefined],
    ["mkdir", { path: "sub" }, "The folder sub/ exists already."],
    ["mkdir", { path: "f" }, "io_error"],
    ["mkdir", { path: "new/deep" }, undefined],
    ["remove", { path: "missing" }, "not_found"],
    ["remove", { path: "sub" }, "validation_failed"],
    ["remove", { path: "sub", recursive: true }, undefined],
    ["remove", { path: "f" }, undefined],
  ];

  test.each(cases)("%s %j: %s", async (tool, args, expected) => {
    const bench = await openBench();
    bench.write("f", "one\ntwo\n");
    bench.write("sub/inside", "x\n");
    const output = await bench.foresee(tool, { ...args }, true);
    expect(output?.ok === false ? output.errorType : output?.data).toBe(expected);
    expect(await bench.foresee(tool, { ...args }, false)).toBeUndefined();
    // What is foreseen is what the call then says.
    if (output !== undefined) expect(await bench.call(tool, { ...args })).toEqual(output);
  });
});

test("lines whose numbers the model does not know any more", async () => {
  const bench = await openBench();
  bench.write("f", "one\ntwo\nthree\n");
  await read(bench);
  await bench.call("insert_lines", { path: "f", line_start: 1, new_content: "zero\n" });
  const args = { path: "f", line_start: 3, line_end: 3, new_content: "x\n" };
  const output = await bench.foresee("replace_lines", args);
  expect(await bench.call("replace_lines", args)).toEqual(output);
});

test("a command with an impossible time limit", async () => {
  const bench = await openBench();
  expect(await bench.foresee("bash", { command: "ls", timeout: -1 })).toMatchObject({ ok: false });
  expect(await bench.foresee("bash", { command: "ls", timeout: 5 })).toBeUndefined();
});
