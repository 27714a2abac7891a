/** An index at its maximum size. */
import { describe, expect, test } from "vitest";
import { type IndexStore, openStore } from "../../src/store/index-store.ts";
import { never, openWorkspace, type TestWorkspace } from "../workspace.ts";

const state = { size: 1, mtimeMs: 1 };

function write(store: IndexStore, path: string, hash = path): boolean {
  const sections = [{ firstLine: 1, lastLine: 1, words: "alpha" }];
  const facts = { hash, language: "", symbols: [], imports: [], places: "", sections };
  return store.write(path, state, new TextEncoder().encode(JSON.stringify(facts)));
}

/** Opens an index with the file `a.ts`, which is above its maximum size. */
function openFull({ index }: TestWorkspace): IndexStore {
  const store = openStore(index, 1e9);
  expect(write(store, "a.ts")).toBe(true);
  store.close();
  return openStore(index, 1_000);
}

describe("an index of the maximum size", () => {
  test.each<[string, (store: IndexStore) => unknown]>([
    ["at first", () => undefined],
    ["after a refused one", (store) => write(store, "other.ts")],
    ["after a file that is left out", (store) => store.skip("c.ts", state, "it is minified")],
    ["after vectors", (store) => store.beginVectors("model")],
  ])("takes no new file %s", async (_, before) => {
    await using work = openWorkspace();
    const store = openFull(work);
    before(store);
    expect(write(store, "b.ts")).toBe(false);
    expect(store.hashOf("b.ts")).toBeUndefined();
    store.close();
  });

  test("takes the new facts of a file that it has", async () => {
    await using work = openWorkspace();
    const store = openFull(work);
    expect(write(store, "a.ts", "changed")).toBe(true);
    expect(store.hashOf("a.ts")).toBe("changed");
    store.close();
  });

  test("takes no more vectors, keeps those that it has, and says why", async () => {
    await using work = openWorkspace({ "a.ts": "export const a = 1;\n" });
    const embedder = {
      model: "model",
      embed: async (texts: readonly string[]) => ({ ok: true, vectors: texts.map(() => [1, 2]) }) as const,
    };
    const graph = work.open({ embedder });
    await graph.build(never);
    expect(await graph.embed(never)).toMatchObject({ embedded: 1, withVector: 1, problem: undefined });
    work.write("b.ts", "export const b = 2;\n");
    await graph.build(never);
    expect(await work.open({ embedder, maxBytes: 1_000 }).embed(never)).toEqual({
      embedded: 0,
      sections: 2,
      withVector: 1,
      problem: "the index has its maximum size",
    });
  });
});
