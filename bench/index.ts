/** Measures the index of source code: building it, bringing it up to date, asking it, and what its answers are worth. */
import { execFileSync } from "node:child_process";
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  defaultMaxBytes,
  defaultMaxFiles,
  type Embedder,
  languageOf,
  maxParserMegabytes,
} from "@localharness/graph";
import { createEmbeddingModel, createModelQueue } from "@localharness/models";
import type { Benchmark } from "./benchmark.ts";
import type { BuiltOnce } from "./index/build-once.ts";
import { startEmbeddingServer } from "./index/embedding-server.ts";
import { grepFiles } from "./index/grep-baseline.ts";
import { openMeasured, percentile, withLag } from "./index/measured-graph.ts";
import { questions } from "./index/questions.ts";
import { figureOf, goalLine, showFigure, table } from "./measure/figures.ts";

const root = join(import.meta.dirname, "..");
const never = new AbortController().signal;
const generatedFiles = 10_000;

export const benchmark: Benchmark = {
  question: "What does the index of source code cost, and what does it find?",
  async run({ runs = 3, print, note }) {
    const base = mkdtempSync(join(tmpdir(), "bench-index-work-"));
    try {
      const repository = copyRepository(join(base, "repository"));
      const many = copyManyTimes(repository, join(base, "many"));
      note("building the index of this repository");
      const small = await measure(join(base, "repository"), runs);
      note(`building the index of ${generatedFiles} files`);
      const large = await measure(many, runs);
      print(table(["", "this repository", `${generatedFiles} files`], rowsOf(small, large)));
      print(`\n${goals(large)}`);
      print(
        `- an index has at most ${defaultMaxFiles} files and ${defaultMaxBytes / 1_048_576} MB, a parser thread at most ${maxParserMegabytes} MB of heap\n`,
      );
      await printRecall(join(base, "repository"), print);
    } finally {
      rmSync(base, { recursive: true, force: true });
    }
  },
};

/**
 * Copies the source files that version control has, without this benchmark, whose list of questions would match every
 * question.
 */
function copyRepository(target: string): string {
  const listed = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).split("\n");
  for (const path of listed.filter(
    (one) => languageOf(one) !== undefined && !one.startsWith("bench/index"),
  )) {
    mkdirSync(dirname(join(target, path)), { recursive: true });
    writeFileSync(join(target, path), readFileSync(join(root, path)));
  }
  return target;
}

/** Copies the files of a folder into numbered folders until there are 10,000. */
function copyManyTimes(source: string, target: string): string {
  const paths = execFileSync("find", [".", "-type", "f"], { cwd: source, encoding: "utf8" })
    .trim()
    .split("\n");
  for (let copied = 0; copied < generatedFiles; copied += 1) {
    const copy = Math.floor(copied / paths.length);
    const path = join(target, `copy${copy}`, paths[copied % paths.length] ?? "");
    mkdirSync(dirname(path), { recursive: true });
    cpSync(join(source, paths[copied % paths.length] ?? ""), path);
  }
  return target;
}

interface Measured {
  readonly build: number[];
  readonly sessionBuild: number[];
  readonly nothing: number[];
  readonly oneFile: number[];
  readonly query: number[];
  readonly lagP99: number[];
  readonly lagMost: number[];
  readonly idleMost: number[];
  readonly megabytes: number[];
  readonly peakMb: number[];
}

async function measure(folder: string, runs: number): Promise<Measured> {
  const measured: Measured = {
    build: [],
    sessionBuild: [],
    nothing: [],
    oneFile: [],
    query: [],
    lagP99: [],
    lagMost: [],
    idleMost: [],
    megabytes: [],
    peakMb: [],
  };
  for (let run = 0; run < runs; run += 1) {
    measureCommand(folder, measured);
    await measureSession(folder, measured);
  }
  return measured;
}

/** Measures a build as the command does it, with two parser threads, in a separate process. */
function measureCommand(folder: string, measured: Measured): void {
  const script = join(import.meta.dirname, "index", "build-once.ts");
  const output = execFileSync(process.execPath, [script, folder, "2"], { encoding: "utf8" });
  const { ms, peakMb, indexMb }: BuiltOnce = JSON.parse(output);
  measured.build.push(ms);
  measured.peakMb.push(peakMb);
  measured.megabytes.push(indexMb);
}

/** Measures what a session does: a build with one parser thread beside the main thread, then changes and questions. */
async function measureSession(folder: string, measured: Measured): Promise<void> {
  await using opened = await openMeasured(folder, 1);
  const { graph } = opened;
  const idle = await withLag(() => new Promise((resolve) => setTimeout(resolve, 1_000)));
  measured.idleMost.push(percentile(idle.late, 1));
  const built = await withLag(() => graph.build(never));
  measured.sessionBuild.push(built.ms);
  measured.lagP99.push(percentile(built.late, 0.99));
  measured.lagMost.push(percentile(built.late, 1));
  measured.nothing.push((await withLag(() => graph.build(never))).ms);
  const [path = ""] = (await graph.findSymbols("createSession", undefined, 1)).lines.map((line) => line.path);
  for (let change = 0; change < 10; change += 1) {
    appendFileSync(
      join(folder, path),
      `export function added${performance.now().toFixed(0)}x${change}() {}\n`,
    );
    const changed = async () => {
      graph.onFileSeen(path);
      while ((await graph.findSymbols("added", path, 20)).total <= change) await Promise.resolve();
    };
    measured.oneFile.push((await withLag(changed)).ms);
  }
  for (const ask of queriesOf(graph)) {
    const started = performance.now();
    await ask();
    measured.query.push(performance.now() - started);
  }
}

const names = [
  "createSession",
  "openWorkspace",
  "reasonOf",
  "defined",
  "readLines",
  "Tool",
  "plainText",
  "context",
  "path",
  "test",
];

/** Returns 100 calls: 60 searches, 20 for definitions and 20 for references. */
function queriesOf(graph: Awaited<ReturnType<typeof openMeasured>>["graph"]): (() => Promise<unknown>)[] {
  return [
    ...questions.map(
      ({ asks }) =>
        () =>
          graph.search(asks, undefined, 10),
    ),
    ...[...names, ...names].map((name) => () => graph.findSymbols(name, undefined, 20)),
    ...[...names, ...names].map((name) => () => graph.findReferences(name, undefined, 50)),
  ];
}

function rowsOf(small: Measured, large: Measured): readonly (readonly string[])[] {
  const row = (title: string, of: (measured: Measured) => readonly number[], digits = 0) => [
    title,
    showFigure(figureOf(of(small)), digits),
    showFigure(figureOf(of(large)), digits),
  ];
  const sorted = ({ query }: Measured) => query.toSorted((left, right) => left - right);
  return [
    row("cold build by the command, ms", ({ build }) => build),
    row("cold build in a session, ms", ({ sessionBuild }) => sessionBuild),
    row("build without changes, ms", ({ nothing }) => nothing),
    row("one changed file, ms", ({ oneFile }) => oneFile, 1),
    row("a query, ms", ({ query }) => query, 1),
    [
      "a query, 95th percentile, ms",
      ...[small, large].map((one) => percentile(sorted(one), 0.95).toFixed(1)),
    ],
    row("index, MB", ({ megabytes }) => megabytes, 1),
    row("peak memory of the build by the command, MB", ({ peakMb }) => peakMb),
    row("lateness of the main thread, 99th percentile, ms", ({ lagP99 }) => lagP99, 1),
    row("the latest, ms", ({ lagMost }) => lagMost, 1),
    row("the latest without a build, ms", ({ idleMost }) => idleMost, 1),
  ];
}

function goals(large: Measured): string {
  const median = (values: readonly number[]) => figureOf(values)?.median ?? Number.NaN;
  const query = percentile(
    large.query.toSorted((left, right) => left - right),
    0.95,
  );
  const line = (goal: string, value: number, most: number) =>
    goalLine(`${goal} < ${most} ms`, `${value.toFixed(1)} ms`, value < most);
  return [
    line(`${generatedFiles} files`, median(large.build), 60_000),
    line("one changed file", median(large.oneFile), 100),
    line("95th percentile of queries", query, 50),
    line("99th percentile of the main thread's lateness", median(large.lagP99), 5),
  ].join("\n");
}

/** Prints how many of the questions have an answer among the first ten places, and what vectors cost. */
async function printRecall(folder: string, print: (line: string) => void): Promise<void> {
  const words = await recallOf(folder);
  await using server = await startEmbeddingServer();
  const { LOCALHARNESS_EMBEDDING_MODEL: model = "trigrams", LOCALHARNESS_EMBEDDING_URL: baseUrl } =
    process.env;
  const place = { model, baseUrl: baseUrl ?? server.origin, environment: {}, keys: {} };
  const vectors = await recallOf(folder, createEmbeddingModel({ ...place, queue: createModelQueue(1) }));
  const grep = questions.filter(({ asks, answers }) =>
    grepFiles(folder, asks).some((path) => answers.includes(path)),
  ).length;
  print(
    `recall@10 over ${questions.length} questions: index ${words.found}, with vectors (${model}) ${vectors.found}, ripgrep ${grep}`,
  );
  print(
    `vectors: ${vectors.sections} sections in ${vectors.ms.toFixed(0)} ms, of which ${vectors.embedMs.toFixed(0)} ms were the embedding model's`,
  );
  print(
    `a query, 95th percentile: ${words.query.toFixed(1)} ms, with vectors ${vectors.query.toFixed(1)} ms, ${vectors.ownQuery.toFixed(1)} ms without the embedding model`,
  );
  for (const asks of words.missed) print(`  not found: ${asks}`);
}

interface Recall {
  readonly found: number;
  readonly missed: readonly string[];
  /** The 95th percentile of the time of a query, in milliseconds. */
  readonly query: number;
  /** The 95th percentile without the time of the embedding model, in milliseconds. */
  readonly ownQuery: number;
  /** The number of sections that were embedded. */
  readonly sections: number;
  /** The time of embedding all sections, in milliseconds. */
  readonly ms: number;
  /** The part of `ms` that the embedding model took. */
  readonly embedMs: number;
}

/** Returns a copy of the embedding model, and a function that returns the milliseconds that its answers took so far. */
function timed(embedder: Embedder | undefined): [Embedder | undefined, () => number] {
  let spent = 0;
  if (embedder === undefined) return [undefined, () => spent];
  const embed: Embedder["embed"] = async (texts, signal) => {
    const began = performance.now();
    const answer = await embedder.embed(texts, signal);
    spent += performance.now() - began;
    return answer;
  };
  return [{ ...embedder, embed }, () => spent];
}

async function recallOf(folder: string, model?: Embedder): Promise<Recall> {
  const [embedder, spent] = timed(model);
  await using opened = await openMeasured(folder, 2, embedder);
  await opened.graph.build(never);
  const started = performance.now();
  const report = await opened.graph.embed(never);
  const ms = performance.now() - started;
  const embedMs = spent();
  const missed: string[] = [];
  const times: number[] = [];
  const own: number[] = [];
  for (const { asks, answers } of questions) {
    const before = spent();
    const began = performance.now();
    const { lines } = await opened.graph.search(asks, undefined, 10);
    const ms = performance.now() - began;
    times.push(ms);
    own.push(ms - (spent() - before));
    if (!lines.some(({ path }) => answers.includes(path))) missed.push(asks);
  }
  const p95 = (values: readonly number[]) =>
    percentile(
      values.toSorted((left, right) => left - right),
      0.95,
    );
  const costs = { query: p95(times), ownQuery: p95(own), sections: report?.embedded ?? 0, ms, embedMs };
  return { found: questions.length - missed.length, missed, ...costs };
}
