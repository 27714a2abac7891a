/** Runs `localharness index` of the built program, which loads its compressed grammars. */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makePlace, run, start } from "./run-program.ts";
import { argumentsFor, serveModel } from "./serve-model.ts";

const server = await serveModel();

const files = {
  "a.ts": "export function areaOf() {}\n",
  "b.py": "def area_of():\n    return total()\n",
  "c.cs": "class Area { void Total() { } }\n",
  "d.min.js": `${"const a=1;".repeat(3_000)}\n`,
};

test("builds, shows, asks and removes the index of a folder", async () => {
  const place = makePlace(files);
  const index = (...args: string[]) => run(["index", ...args], { place });
  expect(await index("status")).toMatchObject({ code: 1, stdout: expect.stringContaining("index build") });
  const built = await index("build");
  expect(built).toMatchObject({ code: 0, stderr: "" });
  expect(built.stdout).toMatch(/^3 files indexed in .*; the index has 3 files, 4 symbols, /);
  expect(built.stdout).toContain("left out: 1\n  d.min.js: it has a line of 30000 characters");
  expect((await index("query", "areaOf")).stdout).toBe(
    "a.ts:1 function areaOf: export function areaOf() {}\n",
  );
  writeFileSync(join(place.workspace, "a.ts"), `\n${readFileSync(join(place.workspace, "a.ts"), "utf8")}`);
  expect((await index("query", "areaOf")).stdout).toContain("a.ts:2 function areaOf");
  expect(JSON.parse((await index("status", "--json")).stdout)).toMatchObject({ files: 3, skippedFiles: 1 });
  expect((await index("drop")).stdout).toBe("the index of this folder is removed\n");
  expect(await index("query", "areaOf")).toMatchObject({ code: 1 });
  expect(await index("query")).toMatchObject({ code: 2 });
});

test("a model gets the tools once the folder has an index, and their lines", async () => {
  const place = makePlace(files);
  const ask = async () => {
    server.use({
      turns: [{ calls: [{ name: "find_symbol", arguments: { name: "area_of" } }] }, { text: "Done." }],
    });
    await run(["-p", ...argumentsFor(server), "--sandbox", "off", "go"], { place });
    return JSON.stringify(server.chats);
  };
  expect(await ask()).not.toContain("b.py:1 function");
  await run(["index", "build"], { place });
  expect(await ask()).toContain("b.py:1 function area_of, lines 1-2: def area_of():");
});

const key = "sk-embedding-0123456789";

/** Serves embeddings to whoever has the key. Other requests are refused with words that repeat what was sent. */
async function serveEmbeddings() {
  const seen: (string | undefined)[] = [];
  const embeddings = createServer((request, response) => {
    const { authorization } = request.headers;
    seen.push(authorization);
    let body = "";
    request.setEncoding("utf8").on("data", (part: string) => {
      body += part;
    });
    request.on("end", () => {
      if (authorization !== `Bearer ${key}`) {
        response.writeHead(401).end(JSON.stringify({ error: { message: `wrong key: ${authorization}` } }));
        return;
      }
      const { input } = JSON.parse(body) as { input: readonly string[] };
      response.end(JSON.stringify({ data: input.map((_, index) => ({ index, embedding: [1, 2, 3] })) }));
    });
  });
  await new Promise<void>((resolve) => embeddings.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void embeddings.close());
  const { port } = embeddings.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, seen };
}

test("an embedding server gets its key from the environment, in a build and in a session, and nobody else does", async () => {
  const place = makePlace(files);
  const { url, seen } = await serveEmbeddings();
  const where = { LOCALHARNESS_EMBEDDING_MODEL: "toy", LOCALHARNESS_EMBEDDING_URL: url };
  const wrong = "sk-wrong-0123456789";
  const refused = await run(["index", "build"], {
    place,
    env: { ...where, LOCALHARNESS_EMBEDDING_API_KEY: wrong },
  });
  expect(refused).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /not all have one: .*answered 401\. Check the key in LOCALHARNESS_EMBEDDING_API_KEY/,
    ),
  });
  expect(refused.stdout + refused.stderr).not.toContain(wrong);

  const env = { ...where, LOCALHARNESS_EMBEDDING_API_KEY: key };
  const built = await run(["index", "build"], { place, env });
  expect(built.stdout).toContain("3 of 3 have a vector");
  const asked = seen.length;
  server.use({
    turns: [{ calls: [{ name: "search_code", arguments: { query: "area" } }] }, { text: "Done." }],
  });
  const ended = await run(["-p", ...argumentsFor(server), "--sandbox", "off", "go"], { place, env });
  expect(ended.code).toBe(0);
  expect(seen.slice(asked)).toEqual([`Bearer ${key}`]);
  const said = [built.stdout, built.stderr, ended.stdout, ended.stderr, JSON.stringify(server.chats)];
  expect([...said, ...textsIn(place.home)].filter((text) => text.includes(key))).toEqual([]);
});

test("Ctrl+C while sections are embedded ends the build with exit code 130", async () => {
  const asked = Promise.withResolvers<void>();
  const silent = createServer(() => asked.resolve());
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    silent.closeAllConnections();
    silent.close();
  });
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/v1`;
  const env = { LOCALHARNESS_EMBEDDING_MODEL: "toy", LOCALHARNESS_EMBEDDING_URL: url };
  const building = await start(["index", "build"], { place: makePlace(files), env });
  await asked.promise;
  building.child.kill("SIGINT");
  const { code, stdout } = await building.ended;
  expect(stdout).toMatch(/3 files indexed.*\n[\s\S]*0 of 3 have a vector\nnot all have one: /);
  expect(code).toBe(130);
});

function textsIn(folder: string): readonly string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => join(folder, path));
  return paths.filter((path) => statSync(path).isFile()).map((path) => readFileSync(path, "latin1"));
}
