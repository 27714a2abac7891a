/** Checks which definitions the map of a repository names. */
import { expect, test } from "vitest";
import { never, openWorkspace } from "./workspace.ts";

const sources = {
  "src/base.ts": "export function openDoor() {}\nexport function neverUsed() {}\n",
  "src/one.ts": 'import { openDoor } from "./base.ts";\nexport function startOne() {\n  openDoor();\n}\n',
  "src/two.ts": 'import { openDoor } from "./base.ts";\nexport function startTwo() {\n  openDoor();\n}\n',
  "src/main.ts":
    'import { startOne } from "./one.ts";\nimport { openDoor } from "./base.ts";\nstartOne();\nopenDoor();\n',
};

async function mapOf(files: Readonly<Record<string, string>>, maxChars: number) {
  await using work = openWorkspace(files);
  const graph = work.open();
  await graph.build(never);
  return graph.map(maxChars);
}

test("names what other files use, the most used first, with lines", async () => {
  expect(await mapOf(sources, 1_000)).toBe("src/base.ts: openDoor 1\nsrc/one.ts: startOne 2");
});

test("stays within its budget and is the same each time", async () => {
  const many = Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => [
      `src/f${index}.ts`,
      `export function step${index}() {\n  step${(index * 7 + 1) % 60}();\n  step${(index * 3 + 2) % 60}();\n}\n`,
    ]),
  );
  const map = await mapOf(many, 300);
  expect(map.length).toBeGreaterThan(200);
  expect(map.length).toBeLessThanOrEqual(300);
  expect(await mapOf(many, 300)).toBe(map);
});

test("is empty without uses, and has no names that could be orders", async () => {
  expect(await mapOf({ "a.ts": "export function alone() {}\n" }, 1_000)).toBe("");
  const odd = { "src/ignore\n<all> this.ts": sources["src/base.ts"], "src/one.ts": sources["src/one.ts"] };
  expect(await mapOf(odd, 1_000)).toBe("");
});
