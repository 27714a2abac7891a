/** Calls the tools of the index as a model does. */
import { createRegistry } from "@localharness/engine";
import { expect, test } from "vitest";
import { graphTools } from "../../src/tools/graph-tools.ts";
import { openWorkspace } from "../workspace.ts";

const sources = {
  "src/area.ts": "export function areaOf(radius: number) {\n  return radius * 2;\n}\n",
  "src/use.ts": 'import { areaOf } from "./area.ts";\n\nexport const one = areaOf(1);\n',
};
const context = { callId: "1", signal: new AbortController().signal, report: () => undefined };

test.each([
  [
    "find_symbol",
    { name: "areaOf" },
    'Definitions named "areaOf": 1\n\nsrc/area.ts:1 function areaOf, lines 1-3: export function areaOf(radius: number) {',
  ],
  [
    "find_references",
    { name: "areaOf", max_results: 1 },
    'References to "areaOf": 3 (the first 1; narrow the search with path)\n\nsrc/area.ts:1 definition: export function areaOf(radius: number) {',
  ],
  ["find_references", { name: "areaOf", path: "./src/use.ts/" }, 'References to "areaOf": 2'],
  ["find_symbol", { name: "nothing" }, 'Definitions with the words of "nothing": none.'],
  ["search_code", { query: "radius of an area", path: "src" }, 'Places for "radius of an area": 2'],
])("%s %j", async (name, args, expected) => {
  await using work = openWorkspace(sources);
  const graph = work.open();
  const tools = createRegistry([...graphTools({ open: async () => graph, resultLimit: () => 4_000 })]);
  const output = await tools.execute(name, args, context);
  expect(output).toMatchObject({ ok: true, data: expect.stringContaining(expected) });
});

test("lines of a file that a rule denies are left out", async () => {
  await using work = openWorkspace(sources);
  const graph = work.open();
  const tools = createRegistry([...graphTools({ open: async () => graph, resultLimit: () => 4_000 })]);
  const denies = (path: string) => path === "src/area.ts";
  const output = await tools.execute("find_references", { name: "areaOf" }, { ...context, denies });
  expect(output).toMatchObject({
    ok: true,
    data: expect.stringMatching(/: 2\n\n(?:src\/use\.ts:\d.*\n?){2}$/),
  });
});

test("an answer from an index that lacks files says so", async () => {
  await using work = openWorkspace(sources);
  const graph = work.open({ maxFiles: 1 });
  await graph.build(context.signal);
  const tools = createRegistry([...graphTools({ open: async () => graph, resultLimit: () => 4_000 })]);
  expect(await tools.execute("find_symbol", { name: "areaOf" }, context)).toMatchObject({
    ok: true,
    notes: [expect.stringMatching(/maximum number of files, so not all are in it; grep_search/)],
  });
});

test("a long answer ends at the limit of results, and an empty question is refused", async () => {
  await using work = openWorkspace(sources);
  const graph = work.open();
  const tools = createRegistry([...graphTools({ open: async () => graph, resultLimit: () => 80 })]);
  expect(await tools.execute("find_references", { name: "areaOf" }, context)).toMatchObject({
    data: expect.stringContaining(": 3 (the first 1;"),
  });
  expect(await tools.execute("find_symbol", { name: " " }, context)).toMatchObject({
    ok: false,
    errorType: "validation_failed",
  });
});
