/** Offers the index to real tools over a temporary folder. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createRegistry, type ToolOutput } from "@localharness/engine";
import { openGraph } from "@localharness/graph";
import { createTools, openToolResources } from "@localharness/tools";
import { expect, test } from "vitest";
import type { ConfigValues } from "../../src/config/fields.ts";
import { graphFile } from "../../src/graph/graph-place.ts";
import { chosenTools, graphToolNames, offerGraph } from "../../src/graph/offer-graph.ts";
import { sourceFiles } from "../../src/graph/source-files.ts";
import { createModelQueues } from "../../src/models/model-queues.ts";

const sources = {
  "src/area.ts": "export function areaOf(radius: number) {\n  return radius * 2;\n}\n",
  "src/use.ts": 'import { areaOf } from "./area.ts";\n\nexport const one = areaOf(1);\n',
  ".ssh/keys.py": "def secret_key(): pass\n",
  ".claude/hook.py": "def protected_hook(): pass\n",
  "build/out.js": "function ignored() {}\n",
  ".gitignore": "build/\n",
};

async function openBench() {
  const base = mkdtempSync(join(tmpdir(), "offer-graph-"));
  const root = join(base, "work");
  for (const [path, text] of Object.entries(sources)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  writeFileSync(join(base, "outside.py"), "def outside(): pass\n");
  symlinkSync(join(base, "outside.py"), join(root, "link.py"));
  const state = join(base, "state");
  const resources = await openToolResources({ workspace: root, stateFolder: state });
  const path = graphFile(state, resources.workspace.root);
  return {
    root,
    path,
    open: () => openGraph({ path, files: sourceFiles(resources) }),
    build: async () => {
      const graph = openGraph({ path, files: sourceFiles(resources) });
      await graph.build(new AbortController().signal);
      await graph.close();
    },
    async offer(values: Pick<ConfigValues, "index" | "index_see_also">) {
      const offered = await offerGraph(
        resources,
        state,
        { values, origins: {}, folder: undefined },
        { queues: createModelQueues(undefined), environment: {} },
      );
      const tools = createRegistry([...offered.watch(createTools(resources)), ...offered.tools]);
      const call = (name: string, args: Record<string, string>): Promise<ToolOutput> => {
        const paths = args["path"] === undefined ? [] : [{ path: args["path"], access: "read" as const }];
        const context = { callId: "1", signal: new AbortController().signal, report: () => undefined };
        return tools.execute(name, args, { ...context, examined: { paths } });
      };
      return { offered, call, list: () => tools.list() };
    },
    async [Symbol.asyncDispose]() {
      await resources.close();
      rmSync(base, { recursive: true, force: true });
    },
  };
}

const names = graphToolNames;

test.each([
  ["off", true, []],
  ["auto", false, []],
  ["auto", true, names],
  [undefined, true, names],
  ["on", false, names],
] as const)("with index = %s and an index: %s the tools are %j", async (index, built, expected) => {
  await using bench = await openBench();
  if (built) await bench.build();
  const { offered } = await bench.offer(index === undefined ? {} : { index });
  expect(offered.tools.map(({ name }) => name)).toEqual(expected);
});

test("the set standard and lists of names have the tools of the index only if they are on offer", async () => {
  await using bench = await openBench();
  const chosen = async (index: "off" | "on", choice: string | readonly string[]) =>
    chosenTools((await bench.offer({ index })).list(), choice).map(({ name }) => name);
  expect(await chosen("on", "standard")).toEqual([...(await chosen("off", "standard")), ...names]);
  expect(await chosen("on", "minimal")).toEqual(await chosen("off", "minimal"));
  expect(await chosen("on", "all")).toEqual(expect.arrayContaining([...names]));
  expect(await chosen("on", ["ls", "find_symbol"])).toEqual(["ls", "find_symbol"]);
  expect(await chosen("off", ["ls", "find_symbol"])).toEqual(["ls"]);
  await expect(chosen("off", ["find_nothing"])).rejects.toThrow(/find_nothing/);
});

test("reading a file through the tools puts its symbols in the index", async () => {
  await using bench = await openBench();
  const { offered, call } = await bench.offer({ index: "on" });
  expect(await call("read_file", { path: "src/area.ts" })).toMatchObject({ ok: true });
  const graph = bench.open();
  await expect.poll(async () => (await graph.findSymbols("areaOf", undefined, 9)).total).toBe(1);
  await call("write_file", { path: "src/area.ts", content: "export function surfaceOf() {}\n" });
  await expect.poll(async () => (await graph.findSymbols("surfaceOf", undefined, 9)).by).toBe("name");
  await graph.close();
  await offered.close();
});

test("with index_see_also a read names the definitions that the file uses", async () => {
  await using bench = await openBench();
  await bench.build();
  const { offered, call } = await bench.offer({ index_see_also: true });
  const output = await call("read_file", { path: "src/use.ts" });
  expect(output.notes).toEqual(["see also: areaOf -> src/area.ts:1"]);
  const plain = await bench.offer({});
  expect((await plain.call("read_file", { path: "src/use.ts" })).notes).toEqual([]);
  await offered.close();
  await plain.offered.close();
});

test.each([
  ["areaOf", true],
  ["secret_key", false],
  ["protected_hook", false],
  ["outside", false],
  ["ignored", false],
])("whether %s is in the index: %s", async (name, isThere) => {
  await using bench = await openBench();
  const { offered, call } = await bench.offer({ index: "on" });
  const output = await call("find_symbol", { name });
  expect(output).toMatchObject({ ok: true });
  expect(output.ok && output.data.startsWith(`Definitions named "${name}": 1`)).toBe(isThere);
  await offered.close();
});
