/** Checks in the whole program that a session outlives a small context window without losing its task. */
import { afterAll, expect, test } from "vitest";
import { makePlace, removePlaces, run } from "./run-program.ts";
import { startWindowServer } from "./window-server.ts";

afterAll(removePlaces);

const files = Object.fromEntries(
  Array.from({ length: 60 }, (_, index) => [
    `part-${index}.txt`,
    `part ${index}: ${"lorem ipsum ".repeat(150)}\n`,
  ]),
);

/** Reads 60 files, of which the third does not exist, and then answers. */
const readAll = (index: number) =>
  index === 60 ? { text: "All read." } : { path: index === 2 ? "missing-part.txt" : `part-${index}.txt` };

async function readIn(window: number, ...more: readonly string[]) {
  const server = await startWindowServer(window, readAll);
  const ran = await run(
    [
      "--base-url",
      server.baseUrl,
      "--model",
      "small",
      "--tools",
      "minimal",
      ...more,
      "-p",
      "Read the parts; keep MARK-71.",
    ],
    { place: makePlace(files) },
  );
  await server.close();
  return { ...ran, server };
}

test("60 results of 1,800 characters are read in a window of 4,096 tokens, and the request and the failure stay", async () => {
  const { code, stdout, stderr, server } = await readIn(4_096);
  expect({ code, stdout: stdout.trim() }).toEqual({ code: 0, stdout: "All read." });
  expect(stderr).toContain("The context window was nearly full:");
  expect(server.prompts).toHaveLength(61);
  const last = server.prompts.at(-1) ?? "";
  for (const needle of ["MARK-71", "missing-part.txt", "not_found", "part 59: lorem"])
    expect(last).toContain(needle);
});

test("between two compactions each prompt begins with the previous prompt", async () => {
  const { server, stderr } = await readIn(4_096);
  const histories = server.prompts.map((body) => JSON.stringify(JSON.parse(body).messages).slice(0, -1));
  const broken = histories.filter(
    (history, index) => index > 0 && !history.startsWith(histories[index - 1] ?? ""),
  );
  const compactions = stderr.match(/The context window was nearly full/g) ?? [];
  expect(compactions.length).toBeGreaterThan(0);
  expect(broken).toHaveLength(compactions.length);
});

test("with --compact off the turn ends with an error that says what to do", async () => {
  const { code, stderr } = await readIn(8_192, "--compact", "off");
  expect(code).toBe(1);
  expect(stderr).toContain("no longer fits into the model's context");
});
