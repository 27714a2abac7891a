/** Measures the screen in a real terminal: start, streaming, echo of keys, memory, idle CPU. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type FakeServer, startFakeServer } from "../packages/models/test/fake-server/index.ts";
import type { Benchmark, BenchOptions } from "./benchmark.ts";
import { figureOf, goalLine, medianOf, showFigure, table } from "./measure/figures.ts";
import { buildLocalHarness } from "./programs/ours.ts";
import { columns, openPty, type Pty, type PtyProgram, rows } from "./terminal/pty.ts";
import { terminalPeers } from "./terminal/terminal-peers.ts";

const defaultRuns = 5;
/** 200 tokens per second, like a fast local model. */
const tokenEveryMs = 5;
const tokens = 1_400;
const keys = 80;
const mark = "zqj";

export interface Subject {
  readonly name: string;
  readonly program: PtyProgram;
  prepare?(home: string): void;
}

interface Figures {
  readonly startMs: readonly number[];
  readonly bytesPer1000: number;
  readonly cpuPer1000: number;
  readonly echoMs: readonly number[];
  readonly idleCpuMs: number;
  readonly memoryMb: number;
  readonly bigMemoryMb: number;
  readonly bigCpuMs: number;
  /** False when the big answer was not shown completely within 60 s. */
  readonly bigWhole: boolean;
}

export const benchmark: Benchmark = {
  question: "What does the screen cost: start, bytes and CPU of streaming, echo of keys, memory, idle CPU?",
  async run(options) {
    const command = buildLocalHarness(options.note);
    const server = await startFakeServer({ turns: [] });
    const base = realpathSync(mkdtempSync(join(tmpdir(), "localharness-bench-")));
    try {
      const subjects = [ours(command, server), ...terminalPeers(options.peers, server.baseUrl)];
      const results = new Map<string, Figures>();
      for (const subject of subjects) {
        options.note(`${subject.name}:`);
        results.set(subject.name, await measure(subject, server, join(base, subject.name), options));
      }
      const many = await manyMessages(join(base, "many"));
      print(results, many, options);
    } finally {
      await server.close();
      rmSync(base, { recursive: true, force: true });
    }
  },
};

function ours(command: readonly string[], server: FakeServer): Subject {
  const [file = process.execPath, ...args] = command;
  return {
    name: "localharness",
    program: { file, args: [...args, "--base-url", server.baseUrl, "--model", "fake-model", "--trust"] },
  };
}

async function measure(
  subject: Subject,
  server: FakeServer,
  folder: string,
  options: BenchOptions,
): Promise<Figures> {
  const [home, workspace] = [join(folder, "home"), join(folder, "ws")];
  mkdirSync(home, { recursive: true });
  mkdirSync(workspace, { recursive: true });
  subject.prepare?.(home);
  const open = () => openPty(subject.program, home, workspace);
  const startMs: number[] = [];
  for (let run = 0; run <= (options.runs ?? defaultRuns); run += 1) {
    const pty = open();
    await pty.typeAhead(mark);
    const took = (await pty.saw(mark)) - pty.began;
    options.note(`  start ${took.toFixed(0)} ms`);
    if (run > 0) startMs.push(took);
    await pty.end();
  }
  const streamed = await stream(open, server);
  options.note(`  streamed`);
  const big = await bigAnswer(open, server);
  return { startMs, ...streamed, ...big };
}

/** Measures an answer at 200 tokens per second, then five idle seconds, then another answer while keys are typed. */
async function stream(
  open: () => Pty,
  server: FakeServer,
): Promise<Omit<Figures, "startMs" | "bigMemoryMb" | "bigCpuMs" | "bigWhole">> {
  const answer = (end: string) =>
    `${Array.from({ length: tokens }, (_, index) => word(index)).join("")}\n\n${end}\n`;
  const wire = { deltaChars: 5, everyMs: tokenEveryMs };
  server.use({
    turns: [
      { text: answer("FIRST-END"), ...wire },
      { text: answer("SECOND-END"), ...wire },
    ],
  });
  const pty = open();
  await pty.typeAhead(mark);
  await pty.saw(mark);
  await pty.quiet(700);
  const [bytes, cpu] = [pty.bytes(), pty.cpuMs()];
  pty.type("\r");
  await pty.saw("FIRST-END");
  await pty.quiet(500);
  const bytesPer1000 = ((pty.bytes() - bytes) * 1_000) / tokens;
  const cpuPer1000 = ((pty.cpuMs() - cpu) * 1_000) / tokens;
  const before = pty.cpuMs();
  await sleep(5_000);
  const idleCpuMs = pty.cpuMs() - before;
  pty.type("again\r");
  await sleep(700);
  const echoMs = await echoes(pty);
  await pty.saw("SECOND-END");
  await pty.quiet(500);
  const memoryMb = pty.memoryMb();
  await pty.end();
  return { bytesPer1000, cpuPer1000, echoMs, idleCpuMs, memoryMb };
}

function word(index: number): string {
  return index % 14 === 13
    ? "end.\n"
    : `${((index + 1) * 1_000_003).toString(36).slice(-4).padStart(4, "x")} `;
}

/** Returns for each key the milliseconds until the output shows it. */
async function echoes(pty: Pty): Promise<readonly number[]> {
  const times: number[] = [];
  for (let key = 1; key <= keys; key += 1) {
    const from = pty.bytes();
    const began = performance.now();
    pty.type("ж");
    times.push((await pty.saw("ж".repeat(key), from, 5_000)) - began);
    await sleep(35 + (key % 7) * 3);
  }
  return times;
}

/** Measures one answer of 1 MB, sent as fast as possible. */
async function bigAnswer(
  open: () => Pty,
  server: FakeServer,
): Promise<Pick<Figures, "bigMemoryMb" | "bigCpuMs" | "bigWhole">> {
  const paragraph = "A line of an answer with **bold** text, `code` and a link, again and again.\n";
  const text = `${`${paragraph.repeat(6)}\n`.repeat(Math.ceil(1_000_000 / (paragraph.length * 6)))}\nBIG-END\n`;
  server.use({ turns: [{ text, deltaChars: 100 }] });
  const pty = open();
  await pty.typeAhead(mark);
  await pty.saw(mark);
  await pty.quiet(700);
  const cpu = pty.cpuMs();
  pty.type("\r");
  // Some harnesses need more than 60 s; the figures are then those after 60 s.
  const whole = await pty.saw("BIG-END", 0, 60_000).then(
    () => true,
    () => false,
  );
  if (whole) await pty.quiet(1_000);
  const figures = { bigMemoryMb: pty.memoryMb(), bigCpuMs: pty.cpuMs() - cpu, bigWhole: whole };
  await pty.end();
  return figures;
}

interface Many {
  readonly playMs: number;
  readonly memoryMb: number;
  readonly echoMs: number;
  readonly idleCpuMs: number;
}

async function manyMessages(folder: string): Promise<Many> {
  mkdirSync(folder, { recursive: true });
  const script = join(import.meta.dirname, "terminal", "many-messages.ts");
  const pty = openPty({ file: process.execPath, args: [script, "10000"] }, folder, dirname(script));
  await pty.typeAhead(mark);
  await pty.saw(mark);
  const began = performance.now();
  pty.type("\r");
  const playMs = (await pty.saw("All messages are there.", 0, 120_000)) - began;
  await pty.quiet(500);
  const typed = performance.now();
  pty.type("ж");
  const echoMs = (await pty.saw("ж")) - typed;
  await pty.quiet(500);
  const before = pty.cpuMs();
  await sleep(3_000);
  const figures = { playMs, memoryMb: pty.memoryMb(), echoMs, idleCpuMs: pty.cpuMs() - before };
  await pty.end();
  return figures;
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function print(results: ReadonlyMap<string, Figures>, many: Many, { print: out }: BenchOptions): void {
  const head = [
    "program",
    "start ms",
    "bytes/1000 tok",
    "CPU ms/1000 tok",
    "echo p50 ms",
    "p99",
    "idle CPU ms in 5 s",
    "MB",
    "MB after 1 MB",
    "its CPU ms",
  ];
  const body = [...results].map(([name, one]) => [
    name,
    showFigure(figureOf(one.startMs)),
    one.bytesPer1000.toFixed(0),
    one.cpuPer1000.toFixed(0),
    medianOf(one.echoMs).toFixed(1),
    percentile(one.echoMs, 0.99).toFixed(1),
    String(one.idleCpuMs),
    one.memoryMb.toFixed(0),
    one.bigMemoryMb.toFixed(0),
    `${one.bigCpuMs.toFixed(0)}${one.bigWhole ? "" : ", not shown in 60 s"}`,
  ]);
  out(
    `A terminal of ${columns} columns and ${rows} rows; the model writes 200 tokens of five characters a second.\n`,
  );
  out(`${table(head, body)}\n`);
  const { playMs, memoryMb, echoMs, idleCpuMs } = many;
  out(
    `The screen alone with 10,000 messages: shown in ${playMs.toFixed(0)} ms, then ${memoryMb.toFixed(0)} MB, a key is echoed in ${echoMs.toFixed(1)} ms, idle CPU ${idleCpuMs} ms in 3 s.\n`,
  );
  const own = results.get("localharness");
  const pi = results.get("pi");
  if (own === undefined) return;
  const start = medianOf(own.startMs);
  const half = pi === undefined ? undefined : medianOf(pi.startMs) / 2;
  const p99 = percentile(own.echoMs, 0.99);
  out("## Goals\n");
  out(
    goalLine(
      "first prompt in half of pi's time",
      `${start.toFixed(0)} ms, half of pi's is ${half?.toFixed(0) ?? "-"} ms`,
      half === undefined ? undefined : start <= half,
    ),
  );
  out(goalLine("echo below 16 ms at the 99th percentile", `${p99.toFixed(1)} ms`, p99 < 16));
  out(goalLine("idle CPU 0", `${own.idleCpuMs} ms in 5 s`, own.idleCpuMs === 0));
  out("");
}
