/** Asks parser threads that wait and that never end. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { createParser } from "../src/threads/parser.ts";

const file = join(import.meta.dirname, "waiting-thread.ts");

test("a parse that waits for longer than the limit is not skipped", async () => {
  const parser = createParser(file, 400);
  const answer = await parser.parse({ path: "wait.ts", text: "", known: undefined });
  expect(answer).toEqual({ kind: "skipped", reason: "answered" });
  await parser.close();
});

test("a parse that uses more processor time than the limit is skipped, and the next one runs", async () => {
  const parser = createParser(file, 400);
  const [spun, next] = await Promise.all(
    ["spin.ts", "a.ts"].map((path) => parser.parse({ path, text: "", known: undefined })),
  );
  expect(spun).toEqual({ kind: "skipped", reason: "parsing took more than 0.4 s of processor time" });
  expect(next).toEqual({ kind: "skipped", reason: "answered" });
  await parser.close();
});
