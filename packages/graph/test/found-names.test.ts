/** Finds names that are no ordinary words, and rows that come after many others. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRegistry } from "@localharness/engine";
import { describe, expect, test } from "vitest";
import type { FileFacts, FoundSymbol } from "../src/parse/facts.ts";
import { type IndexStore, openStore } from "../src/store/index-store.ts";
import { graphTools } from "../src/tools/graph-tools.ts";
import { noise } from "./noise.ts";
import { never, openWorkspace } from "./workspace.ts";

const long = "long".repeat(100);
const sources = {
  "a.sh": "my-func() { echo $my_var; }\nmy-func\nlog.info() { :; }\nlog.info\n",
  "a.php": '<?php\nfunction greet($who_is) { return "Hi $first_name$last_name" . $who_is; }\n',
  "a.rb": "def valid?\n  x = 1\nend\nvalid?\n",
  "a.ts": `class A { #count = 1; get() { return this.#count; } }\nexport const ${long} = 1;\nlet é = 2;\n`,
  "b.ts": `function areaOf() {}\nareaOf();\nuse(${long}, é);\n`,
};

const names = [
  ["my-func", 1, 2],
  ["log.info", 1, 2],
  ["my_var", 0, 1],
  ["who_is", 0, 1],
  ["last_name", 0, 1],
  ["valid?", 1, 2],
  ["x", 0, 1],
  ["é", 1, 2],
  ["#count", 1, 2],
  ["A.#count", 1, 2],
  [long, 1, 2],
  ["areaOf()", 1, 2],
  ["b::areaOf", 0, 2],
] as const;

test("finds names with signs, of one letter, in a text with signs, and very long ones", async () => {
  await using work = openWorkspace(sources);
  const graph = work.open();
  await graph.build(never);
  const found = [];
  for (const [name] of names) {
    const symbols = await graph.findSymbols(name, undefined, 9);
    const references = await graph.findReferences(name, undefined, 9);
    found.push([name, symbols.by === "name" ? symbols.total : 0, references.total]);
  }
  expect(found).toEqual(names);
});

const context = { callId: "1", signal: never, report: () => undefined };

test("a damaged index is built again before the answer of a tool", async () => {
  await using work = openWorkspace(sources);
  const first = work.open();
  await first.build(never);
  await first.close();
  writeFileSync(work.index, noise(readFileSync(work.index)));
  const graph = work.open();
  const tools = createRegistry([...graphTools({ open: async () => graph, resultLimit: () => 4_000 })]);
  expect(await tools.execute("find_references", { name: "areaOf" }, context)).toMatchObject({
    data: expect.stringContaining('References to "areaOf": 2'),
    notes: [],
  });
});

test("lines of denied files take no room in an answer", async () => {
  await using work = openWorkspace({ ...sources, "0.ts": "areaOf();\n".repeat(80) });
  const graph = work.open();
  const tools = createRegistry([...graphTools({ open: async () => graph, resultLimit: () => 4_000 })]);
  const denies = (path: string) => path === "0.ts";
  for (const [name, args] of [
    ["find_references", { name: "areaOf", max_results: 2 }],
    ["search_code", { query: "areaOf", max_results: 1 }],
  ] as const) {
    expect(await tools.execute(name, args, { ...context, denies })).toMatchObject({
      data: expect.stringContaining("\nb.ts:"),
    });
  }
});

test("nothing found in an index that lacks files comes with a note", async () => {
  await using work = openWorkspace({ ...sources, "min.js": `${"const a=1;".repeat(3_000)}\n` });
  const graph = work.open();
  const tools = createRegistry([...graphTools({ open: async () => graph, resultLimit: () => 4_000 })]);
  expect(await tools.execute("find_symbol", { name: "nowhere" }, context)).toMatchObject({
    notes: ["not in the index: 1 file that could not be parsed; grep_search searches all files"],
  });
});

describe("limits count what is left after the path", () => {
  const symbol = (name: string, container: string): FoundSymbol => ({
    name,
    kind: "method",
    container,
    line: 1,
    endLine: 1,
    signature: "",
  });

  /** Adds a file with one section and one definition of `run`. */
  function add(store: IndexStore, path: string, words: string, container = "Class"): void {
    const facts: FileFacts = {
      hash: path,
      language: "typescript",
      symbols: [symbol("run", container)],
      imports: [],
      places: path.startsWith("many/") ? "\nrunId\tr1\n" : "\nid\tr1\n",
      sections: [{ firstLine: 1, lastLine: 1, words }],
    };
    store.write(path, { size: 1, mtimeMs: 1 }, new TextEncoder().encode(JSON.stringify(facts)));
  }

  test("for definitions, references, words and vectors", async () => {
    await using work = openWorkspace();
    const store = openStore(join(work.index), 1e9);
    store.beginVectors("model");
    for (let at = 0; at < 520; at += 1) add(store, `many/${at}.ts`, "run id run run");
    add(store, "one/a.ts", "run id with many other words beside it", "Last");
    expect(store.findSymbols("run", "one", 20).rows).toHaveLength(1);
    expect(store.findSymbols("last.run", undefined, 20).rows).toHaveLength(1);
    expect(store.findReferences("id", undefined)).toMatchObject({
      complete: true,
      rows: [{ path: "one/a.ts" }],
    });
    expect(store.search("run", "one", 5)).toHaveLength(1);
    const rows = store.withoutVector(2_000, 0);
    const bytes = (path: string) => Uint8Array.from(path.startsWith("many/") ? [9, 9] : [1, 1]);
    store.putVectors(
      2,
      rows.map(({ section, hash, path }) => ({ section, hash, bytes: bytes(path) })),
    );
    const asked = { model: "model", bytes: Uint8Array.of(1, 1) };
    expect(store.search("nothing", "one", 5, asked)).toMatchObject([{ path: "one/a.ts" }]);
    for (let at = 0; at < 200; at += 1) store.remove(`many/${at}.ts`);
    expect(store.search("nothing", undefined, 600, asked)).toHaveLength(321);
    store.close();
  });

  test("for sections of a file of which only three are shown", async () => {
    await using work = openWorkspace();
    const store = openStore(join(work.index), 1e9);
    const sections = Array.from({ length: 500 }, (_, at) => ({
      firstLine: at,
      lastLine: at,
      words: "alpha",
    }));
    const facts = { hash: "1", language: "", symbols: [], imports: [], places: "", sections };
    const bytes = () => new TextEncoder().encode(JSON.stringify(facts));
    store.write("a.ts", { size: 1, mtimeMs: 1 }, bytes());
    add(store, "b.ts", "alpha beside other words of a longer section");
    expect(store.search("alpha", undefined, 9).map(({ path }) => path)).toContain("b.ts");
    expect(store.search("alpha", "a.ts", 9)).toHaveLength(9);
    store.close();
  });
});
