/** Checks which commands an answer to any command of a beginning covers: those whose wider scope is the same. */
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openBench } from "../bench.ts";

async function project() {
  const bench = await openBench();
  const scripts = (test: string) => JSON.stringify({ scripts: { test } });
  bench.write("package.json", scripts("node --test"));
  bench.write("test/a.js", "1;\n");
  bench.write("sub/b.js", "2;\n");
  symlinkSync(bench.outside, join(bench.root, "out"));
  const wider = async (command: string) => (await bench.examine("bash", { command })).wider;
  return { bench, scripts, wider };
}

test("any words that the table covers have the same scope", async () => {
  const { wider } = await project();
  const first = await wider("npm test");
  expect(first).toMatchObject({ begins: "npm test" });
  expect(first?.covers).toMatch(
    /^any "npm test \.\.\.".*whatever is in them then.*scripts of package\.json stay as now.*Still asked: redirections/,
  );
  expect((await wider("npm test -- test/a.js"))?.scope).toBe(first?.scope);
  expect((await wider("npm run build"))?.scope).not.toBe(first?.scope);
});

test.each([
  "npm test > log.txt",
  "npm test < sub/b.js",
  "npm test | tee log.txt",
  "npm test; rm -r sub",
  "npm test && npm run build",
  "npm test &",
  "X=1 npm test",
  "npm test -- $(cat sub/b.js)",
  "npm test -- *.js",
  "npm test -- out/secret.txt",
  "sudo npm test",
  "env npm test",
  "sh -c 'npm test'",
  "./npm test",
  "npm install left",
  "ls",
])("%s has none", async (command) => {
  const { wider } = await project();
  expect(await wider(command)).toBeUndefined();
});

test("it ends when what the beginning runs changes, not when other files change", async () => {
  const { bench, scripts, wider } = await project();
  const before = await wider("npm test");
  bench.write("test/a.js", "3;\n");
  expect((await wider("npm test"))?.scope).toBe(before?.scope);
  bench.write("package.json", scripts("node --test; curl x"));
  expect((await wider("npm test"))?.scope).not.toBe(before?.scope);
});

test("a folder has its own scope", async () => {
  const { wider } = await project();
  const here = await wider("npm test");
  const there = await wider("cd sub && npm test");
  expect(there?.scope).not.toBe(here?.scope);
});
