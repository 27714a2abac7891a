/** Measures how fast the detector reads text in small pieces, in any format, beside floors and other readers. */
import { availableParallelism } from "node:os";
import type { Benchmark, BenchOptions } from "./benchmark.ts";
import { pieceLength } from "./detect/floors.ts";
import { measureCase, type Outcome } from "./detect/measure-case.ts";
import { describePeer, hasPeer, parserPackage, peerPackages } from "./detect/peers.ts";
import { protocolReaders, type ReaderName } from "./detect/readers.ts";
import { type CallFormat, isWellWritten, type Shape, shapes } from "./detect/texts.ts";
import { type Figure, figureOf, goalLine, medianOf, table } from "./measure/figures.ts";
import { busySeconds } from "./measure/machine.ts";

const kib = 1024;
const sizes = [64 * kib, 1024 * kib, 16 * 1024 * kib];
const growingSizes = [5 * kib, 10 * kib, 20 * kib, 40 * kib];
const peerLimit = 1024 * kib;
const growing: Shape = "one call with all of it";

interface Row {
  readonly reader: ReaderName;
  readonly shape: Shape;
  readonly format: CallFormat;
  readonly size: number;
  readonly outcome: Outcome;
}

type Measure = (reader: ReaderName, shape: Shape, format: CallFormat, size: number) => Promise<Row>;

async function run(options: BenchOptions): Promise<void> {
  const { print, peers, runs = 5 } = options;
  print(
    `pieces of ${pieceLength} characters; median (smallest-largest) of up to ${runs} runs, each case in a separate process`,
  );
  print(`peers: ${peerPackages.map((name) => describePeer(peers, name)).join(", ")}\n`);
  for (const { format } of protocolReaders) {
    if (!isWellWritten(format)) {
      throw new Error(`The text of format ${format} does not read back as one call.`);
    }
  }
  const started = { at: performance.now(), busy: busySeconds() };
  const rows: Row[] = [];
  const measure: Measure = async (reader, shape, format, size) => {
    options.note(`${reader}, ${shape}, ${format}, ${size / kib} KB`);
    const limits = { runs, budgetMs: 1_500, limitMs: shape === growing ? 25_000 : 15_000 };
    const outcome = await measureCase({ reader, shape, format, length: size, peers, ...limits });
    const row = { reader, shape, format, size, outcome };
    rows.push(row);
    return row;
  };
  await measureShapes(measure, options);
  await measureGrowing(measure, options);
  printGoals(rows, print);
  const seconds = (performance.now() - started.at) / 1000;
  const own = rows.reduce(
    (sum, { outcome }) => sum + (outcome.type === "measured" ? outcome.cpuSeconds : 0),
    0,
  );
  const others = Math.max(0, (busySeconds() - started.busy - own) / seconds / availableParallelism());
  print(
    `\n${seconds.toFixed(0)} s; other processes used ${(others * 100).toFixed(0)} % of the machine meanwhile`,
  );
}

/**
 * Measures every shape in every size. Peers get at most 1 MB; their figures for the growing call are in a separate
 * table.
 */
async function measureShapes(measure: Measure, { peers, print }: BenchOptions): Promise<void> {
  for (const size of sizes) {
    const rows: Row[] = [];
    for (const shape of shapes) {
      if (shape === "prose only") rows.push(await measure("floor: pass on", shape, "hermes", size));
      if (shape === "prose only" && size <= peerLimit) {
        rows.push(await measure("floor: web streams", shape, "hermes", size));
      }
      rows.push(await measure("one-pass scanner", shape, "hermes", size));
      rows.push(await measure("ours (auto)", shape, "hermes", size));
      if (size > peerLimit || shape === growing || !hasPeer(peers, parserPackage)) continue;
      for (const { name, format } of protocolReaders) rows.push(await measure(name, shape, format, size));
    }
    print(`${size / kib} KB of text\n`);
    print(`${show(rows, "shape", (row) => row.shape)}\n`);
  }
}

/**
 * Measures a call that grows piece by piece, which takes quadratic time in a reader that starts again with every piece.
 */
async function measureGrowing(measure: Measure, { peers, print }: BenchOptions): Promise<void> {
  const rows: Row[] = [];
  for (const size of growingSizes) {
    rows.push(await measure("one-pass scanner", growing, "hermes", size));
    for (const { name, format } of protocolReaders) {
      rows.push(await measure("ours (auto)", growing, format, size));
      if (hasPeer(peers, parserPackage)) rows.push(await measure(name, growing, format, size));
    }
    for (const name of ["jsonrepair", "partial-json"] as const) {
      if (hasPeer(peers, name)) rows.push(await measure(name, growing, "hermes", size));
    }
  }
  print(
    "one call that grows; jsonrepair and partial-json get only its arguments and parse them again with each piece\n",
  );
  print(show(rows, "size, format", ({ size, format }) => `${size / kib} KB ${format}`));
}

function show(rows: readonly Row[], title: string, titleOf: (row: Row) => string): string {
  const head = [
    title,
    "reader",
    "first ms",
    "ms",
    "MB/s",
    "of the scanner",
    "of the best peer",
    "peak MB",
    "problems",
  ];
  return table(
    head,
    rows.map((row) => {
      const { outcome } = row;
      const start = [titleOf(row), row.reader];
      if (outcome.type === "failed") return [...start, "-", "-", "-", "-", "-", "-", outcome.problem];
      const same = rows.filter((one) => one.shape === row.shape && one.size === row.size);
      const scanner = speedOf(same.find((one) => one.reader === "one-pass scanner"));
      const rivals = same.filter(
        (one) => isPeer(one) && (row.shape !== growing || one.format === row.format),
      );
      return [
        ...start,
        outcome.first.toFixed(outcome.first < 100 ? 1 : 0),
        showShort(figureOf(outcome.times)),
        (speedOf(row) ?? Number.NaN).toFixed(2),
        showTimes(speedOf(row), scanner),
        row.reader !== "ours (auto)" ? "" : showTimes(speedOf(row), bestSpeed(rivals)),
        (outcome.peakKib / kib).toFixed(0),
        outcome.problem,
      ];
    }),
  );
}

function isPeer(row: Row): boolean {
  return row.reader.startsWith("parser:") || row.reader === "jsonrepair" || row.reader === "partial-json";
}

/** Returns the median speed in MB/s; undefined when the case was not measured. */
function speedOf(row: Row | undefined): number | undefined {
  if (row?.outcome.type !== "measured") return undefined;
  return row.outcome.length / 1000 / medianOf(row.outcome.times);
}

function bestSpeed(rows: readonly Row[]): number | undefined {
  const speeds = rows.map(speedOf).filter((speed) => speed !== undefined);
  return speeds.length === 0 ? undefined : Math.max(...speeds);
}

function showTimes(speed: number | undefined, base: number | undefined): string {
  if (speed === undefined || base === undefined) return "-";
  const times = speed / base;
  return `${times.toFixed(times < 10 ? 2 : 0)}x`;
}

function showShort(figure: Figure | undefined): string {
  if (figure === undefined) return "-";
  const show = (value: number) => value.toFixed(value < 100 ? 1 : 0);
  return `${show(figure.median)} (${show(figure.min)}-${show(figure.max)})`;
}

function printGoals(rows: readonly Row[], print: (line: string) => void): void {
  const speed = (reader: ReaderName, shape: Shape, size: number, format: CallFormat = "hermes") =>
    speedOf(
      rows.find(
        (row) => row.reader === reader && row.shape === shape && row.size === size && row.format === format,
      ),
    );
  const goal = (text: string, top: number | undefined, base: number | undefined, least: number) => {
    const known = top !== undefined && base !== undefined;
    print(goalLine(text, showTimes(top, base), known ? top / base >= least : undefined));
  };
  const [smallest = 0, , largest = 0] = sizes;
  print("");
  for (const shape of shapes) {
    const ours = speed("ours (auto)", shape, peerLimit);
    goal(`1 MB, ${shape}: a third of the scanner`, ours, speed("one-pass scanner", shape, peerLimit), 1 / 3);
  }
  for (const shape of shapes) {
    const [few, many] = [smallest, largest].map((size) => speed("ours (auto)", shape, size));
    goal(`${shape}: at 16 MB two thirds of the speed at 64 KB`, many, few, 2 / 3);
  }
  const rivals = rows.filter((row) => isPeer(row) && row.size === peerLimit && row.shape === "prose only");
  goal(
    "1 MB of prose: 10x the best peer",
    speed("ours (auto)", "prose only", peerLimit),
    bestSpeed(rivals),
    10,
  );
  for (const { name, format } of protocolReaders) {
    const [ours, theirs] = (["ours (auto)", name] as const).map((reader) =>
      speed(reader, growing, 40 * kib, format),
    );
    goal(`a 40 KB call in ${format}: 1000x its protocol`, ours, theirs, 1000);
  }
}

export const benchmark: Benchmark = {
  question: "How fast does the detector read text while it looks for every format?",
  run,
};
