/** Checks which failing edits are foreseen, so that nobody is asked about them. */
import { expect, test } from "vitest";
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
