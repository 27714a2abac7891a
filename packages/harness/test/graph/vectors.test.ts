/** Checks the search by meaning with a real embedding server on this machine, and what happens when it misbehaves. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type CodeGraph, openGraph, type SourceFiles } from "@localharness/graph";
import { createEmbeddingModel, createModelQueue } from "@localharness/models";
import { describe, expect, onTestFinished, test } from "vitest";

/** Words of one meaning. The vector of a text counts the words of each meaning. */
const meanings = [
  ["area", "surface", "extent"],
  ["remove", "erase", "drop"],
  ["send", "transmit", "deliver"],
  ["colour", "paint", "tint"],
];

function vectorOf(text: string, size: number): number[] {
  const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
  const counts = meanings.map(
    (meaning) => words.filter((word) => meaning.some((one) => word.startsWith(one))).length,
  );
  return Array.from({ length: size }, (_, index) => counts[index] ?? 0.01);
}

interface Behaviour {
  /** Returns the vectors of the n-th request; undefined to close the connection. */
  readonly answer?:
    | ((texts: readonly string[], request: number) => readonly (readonly unknown[])[] | string | undefined)
    | undefined;
}

/** Starts a server with both APIs. Resolves to its address and the number of texts that it has embedded. */
async function startEmbeddings({ answer }: Behaviour = {}) {
  let requests = 0;
  let texts = 0;
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (part: string) => {
      body += part;
    });
    request.on("end", () => {
      requests += 1;
      const { input } = JSON.parse(body) as { input: readonly string[] };
      texts += input.length;
      const given = answer === undefined ? input.map((text) => vectorOf(text, 8)) : answer(input, requests);
      if (given === undefined) return request.socket.destroy();
      if (typeof given === "string") return response.writeHead(500).end(given);
      const ofOllama = request.url === "/api/embed";
      const data = given.map((embedding, index) => ({ object: "embedding", index, embedding })).reverse();
      response.end(JSON.stringify(ofOllama ? { embeddings: given } : { object: "list", data }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise((resolve) => server.close(resolve));
  onTestFinished(async () => void (await close()));
  return { origin: `http://127.0.0.1:${port}`, texts: () => texts, close };
}

const sources = {
  "src/shape.ts": "export function areaOf(radius: number) {\n  return radius * radius * 3;\n}\n",
  "src/list.ts": "export function removeAll(list: unknown[]) {\n  list.length = 0;\n}\n",
  "src/mail.ts": "export function transmit(text: string) {\n  return text;\n}\n",
};

function openPlace(files: Readonly<Record<string, string>> = sources) {
  const base = mkdtempSync(join(tmpdir(), "vectors-"));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(base, path)), { recursive: true });
    writeFileSync(join(base, path), text);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  const stateOf = (path: string) => {
    const stats = statSync(join(base, path), { throwIfNoEntry: false });
    return stats === undefined ? undefined : { size: stats.size, mtimeMs: stats.mtimeMs };
  };
  const access: SourceFiles = {
    list: async () => ({ paths: Object.keys(files), complete: true }),
    stateOf,
    async read(path) {
      const state = stateOf(path);
      if (state === undefined) return { kind: "absent" };
      return { kind: "text", text: readFileSync(join(base, path), "utf8"), state };
    },
  };
  return {
    write,
    open(baseUrl: string, model = "toy") {
      const options = { model, baseUrl, environment: {}, keys: {}, queue: createModelQueue(1) };
      const graph = openGraph({
        path: join(base, "state", "graph.sqlite"),
        files: access,
        embedder: createEmbeddingModel(options),
      });
      onTestFinished(() => graph.close());
      return graph;
    },
  };
}

const never = new AbortController().signal;
const build = async (graph: CodeGraph) => {
  await graph.build(never);
  return graph.embed(never);
};
const first = async (graph: CodeGraph, words: string) =>
  (await graph.search(words, undefined, 1)).lines.map(({ path }) => path);

describe.each([
  ["Ollama", ""],
  ["OpenAI", "/v1"],
])("with the API of %s", (_name, path) => {
  test("a search finds code by meaning, and still by words", async () => {
    const server = await startEmbeddings();
    const graph = openPlace().open(`${server.origin}${path}`);
    expect(await build(graph)).toMatchObject({ embedded: 3, withVector: 3, sections: 3, problem: undefined });
    expect(await first(graph, "the surface of something")).toEqual(["src/shape.ts"]);
    expect(await first(graph, "erase")).toEqual(["src/list.ts"]);
    expect(await first(graph, "removeAll")).toEqual(["src/list.ts"]);
    expect((await graph.status()).vectors).toMatchObject({ embedded: 3, sections: 3, dimension: 8 });
  });
});

test("without vectors the same words find nothing", async () => {
  const server = await startEmbeddings();
  const graph = openPlace().open(server.origin);
  await graph.build(never);
  expect(await first(graph, "the surface of something")).toEqual([]);
});

test("only sections of changed files are embedded again", async () => {
  const server = await startEmbeddings();
  const place = openPlace();
  const graph = place.open(server.origin);
  await build(graph);
  place.write("src/mail.ts", "export function paintIt(text: string) {\n  return text + text;\n}\n");
  expect(await build(graph)).toMatchObject({ embedded: 1, withVector: 3, sections: 3 });
  expect(server.texts()).toBe(4);
  expect(await first(graph, "tint")).toEqual(["src/mail.ts"]);
});

test("another model makes all vectors new", async () => {
  const server = await startEmbeddings();
  const place = openPlace();
  await build(place.open(server.origin));
  const other = place.open(server.origin, "other");
  expect(await first(other, "the surface of something")).toEqual([]);
  expect(await build(other)).toMatchObject({ embedded: 3, withVector: 3 });
  expect(await first(other, "the surface of something")).toEqual(["src/shape.ts"]);
});

/** More sections than one batch has. */
const many = Object.fromEntries(
  Array.from({ length: 80 }, (_, index) => [
    `src/f${index}.ts`,
    `export function ${index === 70 ? "paint" : "plain"}${index}() {\n  return ${index};\n}\n`,
  ]),
);

test("a server that goes away during the build: what is done stays, and the next build goes on", async () => {
  let isGone = true;
  const server = await startEmbeddings({
    answer: (texts, request) => (isGone && request > 1 ? undefined : texts.map((text) => vectorOf(text, 8))),
  });
  const place = openPlace(many);
  const graph = place.open(server.origin);
  const broken = await build(graph);
  expect(broken).toMatchObject({ embedded: 32, withVector: 32, sections: 80 });
  expect(broken?.problem).toMatch(/127\.0\.0\.1/);
  expect((await graph.search("plain70", undefined, 1)).note).toMatch(
    /^only words were compared, not vectors: /,
  );
  isGone = false;
  expect(await build(graph)).toMatchObject({ embedded: 48, withVector: 80, problem: undefined });
  expect(await first(graph, "tint")).toEqual(["src/f70.ts"]);
});

test("a model that changes its dimension during the build: the vectors go, with words, and the next build makes them", async () => {
  let isWrong = true;
  const server = await startEmbeddings({
    answer: (texts, request) => texts.map((text) => vectorOf(text, isWrong && request > 1 ? 6 : 8)),
  });
  const place = openPlace(many);
  const graph = place.open(server.origin);
  const broken = await build(graph);
  expect(broken).toMatchObject({ withVector: 0, sections: 80 });
  expect(broken?.problem).toMatch(/^toy at .* returns vectors of 6 parts now, other than before/);
  isWrong = false;
  expect(await build(graph)).toMatchObject({ withVector: 80, problem: undefined });
});

test("a model that changes its dimension after the build: the search says so and compares words", async () => {
  let size = 8;
  const server = await startEmbeddings({ answer: (texts) => texts.map((text) => vectorOf(text, size)) });
  const graph = openPlace().open(server.origin);
  await build(graph);
  size = 5;
  const answer = await graph.search("areaOf", undefined, 1);
  expect(answer.lines.map(({ path }) => path)).toEqual(["src/shape.ts"]);
  expect(answer.note).toMatch(/^only words were compared: toy at .* vectors of 5 parts, the index has 8$/);
});

describe("an answer that cannot be used stops the build with a reason", () => {
  test.each<[string, Behaviour["answer"], RegExp]>([
    [
      "too few vectors",
      (texts) => texts.slice(1).map((text) => vectorOf(text, 8)),
      /2 vectors came for 3 texts/,
    ],
    ["vectors without parts", (texts) => texts.map(() => []), /a vector has 0 parts/],
    [
      "vectors of several sizes",
      (texts) => texts.map((text, at) => vectorOf(text, 3 + at)),
      /different sizes/,
    ],
    ["parts that are no numbers", (texts) => texts.map(() => ["one", null]), /not with embeddings/],
    ["huge vectors", (texts) => texts.map(() => new Array(9_000).fill(1)), /a vector has 9000 parts/],
    ["an error", () => '{"error":"model not found"}', /500/],
    ["a closed connection", () => undefined, /127\.0\.0\.1/],
  ])("%s", async (_what, answer, problem) => {
    const server = await startEmbeddings({ answer });
    const graph = openPlace().open(server.origin);
    const report = await build(graph);
    expect(report).toMatchObject({ embedded: 0, withVector: 0 });
    expect(report?.problem).toMatch(problem);
    expect(await first(graph, "areaOf")).toEqual(["src/shape.ts"]);
  });
});

test("a server that is not there costs a build nothing but the vectors", async () => {
  const server = await startEmbeddings();
  await server.close();
  const graph = openPlace().open(server.origin);
  const report = await build(graph);
  expect(report).toMatchObject({ embedded: 0, sections: 3 });
  expect(report?.problem).toMatch(/127\.0\.0\.1/);
});
