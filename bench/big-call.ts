/** Measures one huge tool call: a file write whose arguments stream in small pieces, native and as Hermes text. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Benchmark, BenchOptions } from "./benchmark.ts";
import { bigCallPath, bigContent, type Scenario } from "./fake-model/scenario.ts";
import { type Figure, figureOf, goalLine, showFigure, showRatio, table } from "./measure/figures.ts";
import { describeNoise, runInRounds } from "./measure/rounds.ts";
import { cpu, peak, problems, wall } from "./measure/run-figures.ts";
import type { Run } from "./measure/run-program.ts";
import { openStage, type Stage } from "./measure/stage.ts";
import { floor, floorName } from "./programs/floors.ts";
import { buildLocalHarness, localHarness } from "./programs/ours.ts";
import { findPeers } from "./programs/peers.ts";
import type { Program } from "./programs/program.ts";

const wires = ["openai", "ollama"] as const;
const writtenAs = ["native", "hermes"] as const;
const sizes = [100_000, 1_000_000] as const;
const defaultRuns = 3;

/**
 * The highest ratio of our wall time, and of our processor time, to that of the floor `es+fetch`
 * (`programs/floors.ts`).
 */
const goalRatio = 2;
/**
 * The highest factor by which ten times the bytes may increase the processor time, without the time of a bare start.
 */
const goalGrowth = 15;

type BigCall = Extract<Scenario, { kind: "big-call" }>;
type Results = ReadonlyMap<string, readonly Run[]>;

export const benchmark: Benchmark = {
  question: "What does one tool call of 100 KB and 1 MB cost when it streams in 5-character pieces?",
  async run(options) {
    const command = buildLocalHarness(options.note);
    const peers = findPeers(options.peers);
    const stage = await openStage();
    const goals: string[] = [];
    const all: Run[][] = [];
    try {
      for (const wire of wires) {
        const programs = [floor("cjs+cache", wire), floor("es+fetch", wire), localHarness(command, wire)];
        const start = await measure(stage, programs, { kind: "answer" }, options);
        for (const as of writtenAs) {
          const results = new Map<number, Results>();
          for (const bytes of sizes) {
            results.set(bytes, await measure(stage, programs, { kind: "big-call", bytes, as }, options));
          }
          printCase(wire, as, programs, start, results, options);
          goals.push(...goalLines(wire, as, start, results));
          all.push(
            ...[...results.values()].flatMap((bySize) => [...bySize.values()].map((runs) => [...runs])),
          );
        }
      }
      await printPeers(stage, peers.programs, options);
      options.print(`## Goals\n\n${goals.join("\n")}\n\n${describeNoise(all)}\n`);
    } finally {
      stage.close();
    }
  },
};

async function measure(
  stage: Stage,
  programs: readonly Program[],
  scenario: Scenario,
  options: BenchOptions,
): Promise<Results> {
  options.note(
    `${programs[0]?.wire} ${scenario.kind === "big-call" ? `${scenario.as} ${scenario.bytes}` : "start"}:`,
  );
  const check = scenario.kind === "big-call" ? () => checkWritten(stage, scenario) : undefined;
  const subjects = programs.map((program) => stage.subject(program, scenario, check));
  return await runInRounds(subjects, { runs: options.runs ?? defaultRuns, note: options.note });
}

function checkWritten(stage: Stage, scenario: BigCall): string[] {
  try {
    const written = readFileSync(join(stage.workspace, bigCallPath), "utf8");
    return written === bigContent(scenario.bytes) ? [] : ["the file does not have the content of the call"];
  } catch {
    return ["the file was not written"];
  }
}

function printCase(
  wire: string,
  as: string,
  programs: readonly Program[],
  start: Results,
  results: ReadonlyMap<number, Results>,
  options: BenchOptions,
): void {
  const base = floorName("es+fetch", wire as "openai");
  const rows = programs.flatMap(({ name }) =>
    sizes.map((bytes) => {
      const runs = results.get(bytes)?.get(name);
      const floorRuns = results.get(bytes)?.get(base);
      return [
        name,
        `${bytes / 1000} KB`,
        showFigure(wall(runs)),
        showRatio(wall(runs), wall(floorRuns)),
        showFigure(cpu(runs)),
        showRatio(cpu(runs), cpu(floorRuns)),
        showFigure(beyondStart(runs, start.get(name))),
        showFigure(peak(runs)),
        problems(runs),
      ];
    }),
  );
  const whole =
    as === "native" && wire === "ollama"
      ? "whole: this wire has no argument deltas"
      : "in 5-character pieces";
  const head = [
    "program",
    "size",
    "wall ms",
    "to es+fetch",
    "CPU ms",
    "to es+fetch",
    "CPU beyond start",
    "peak MB",
    "problems",
  ];
  options.print(`## ${wire}, ${as === "native" ? "native call" : "call as Hermes text"}, ${whole}\n`);
  options.print(`${table(head, rows)}\n`);
}

function goalLines(
  wire: (typeof wires)[number],
  as: string,
  start: Results,
  results: ReadonlyMap<number, Results>,
): string[] {
  const name = `localharness, ${wire}`;
  const base = floorName("es+fetch", wire);
  const lines = sizes.map((bytes) => {
    const [ours, floors] = [results.get(bytes)?.get(name), results.get(bytes)?.get(base)];
    const ratios = [ratio(wall(ours), wall(floors)), ratio(cpu(ours), cpu(floors))];
    const clean = problems(ours) === "";
    const shown = `wall ${ratios[0]?.toFixed(2)}x, CPU ${ratios[1]?.toFixed(2)}x${clean ? "" : ` (${problems(ours)})`}`;
    return goalLine(
      `${wire} ${as} ${bytes / 1000} KB within ${goalRatio}x of es+fetch`,
      shown,
      clean && ratios.every((value) => value <= goalRatio),
    );
  });
  const [small, large] = sizes.map(
    (bytes) => beyondStart(results.get(bytes)?.get(name), start.get(name))?.median ?? Number.NaN,
  );
  const growth = (large ?? Number.NaN) / Math.max(small ?? Number.NaN, 10);
  lines.push(
    goalLine(
      `${wire} ${as} linear: 10x the bytes <= ${goalGrowth}x the CPU beyond start`,
      `${growth.toFixed(1)}x`,
      growth <= goalGrowth,
    ),
  );
  return lines;
}

/** Runs each peer once with 100 KB, because some need minutes for it. */
async function printPeers(stage: Stage, programs: readonly Program[], options: BenchOptions): Promise<void> {
  if (programs.length === 0) return;
  const scenario: BigCall = { kind: "big-call", bytes: sizes[0], as: "native" };
  const rows: string[][] = [];
  for (const program of programs) {
    options.note(`${program.name}, 100 KB`);
    const run = await stage.run(program, scenario);
    const found = [...run.problems, ...checkWritten(stage, scenario)].join("; ");
    rows.push([program.name, run.wallMs.toFixed(0), run.cpuMs.toFixed(0), run.peakMb.toFixed(0), found]);
  }
  options.print("## Peers, native call of 100 KB, one run\n");
  options.print(`${table(["program", "wall ms", "CPU ms", "peak MB", "problems"], rows)}\n`);
}

function beyondStart(
  runs: readonly Run[] | undefined,
  start: readonly Run[] | undefined,
): Figure | undefined {
  const idle = cpu(start)?.median ?? Number.NaN;
  return figureOf((runs ?? []).map((run) => run.cpuMs - idle));
}

function ratio(figure: Figure | undefined, base: Figure | undefined): number {
  return (figure?.median ?? Number.NaN) / (base?.median ?? Number.NaN);
}
