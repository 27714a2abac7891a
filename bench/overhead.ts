/** Measures the cost of the harness beside the model: start, turns, deltas, memory, prompt bytes, extra requests. */
import { readFileSync } from "node:fs";
import type { Benchmark, BenchOptions } from "./benchmark.ts";
import { deltaTexts, type Scenario } from "./fake-model/scenario.ts";
import { type Figure, figureOf, goalLine, showFigure, showRatio, table } from "./measure/figures.ts";
import { describeNoise, runInRounds, type Subject } from "./measure/rounds.ts";
import { beside, cpu, firstRequest, gaps, peak, problems, turnGap, wall } from "./measure/run-figures.ts";
import type { Run } from "./measure/run-program.ts";
import { openStage, type Stage } from "./measure/stage.ts";
import { bareNode, floor, floorName } from "./programs/floors.ts";
import { buildLocalHarness, localHarness, localHarnessItself, toolSets } from "./programs/ours.ts";
import { findPeers } from "./programs/peers.ts";
import type { Program, SelfDescription } from "./programs/program.ts";

const wires = ["openai", "ollama"] as const;
const turns = 10;
const deltas = 20_000;
const deltasApart = 1_000;
const defaultRuns = 5;

/** The requests for a server's window and its model's properties. No other may be made beside the conversation. */
const asksWindow = /^(GET \/v1\/models|GET \/api\/ps|POST \/api\/show|GET \/props)(\?|$)/;

/** Goals for the built program; KB are 1,000 bytes, MB 10^6. */
const goals = {
  firstRequestRatio: 1.2,
  turnMs: 5,
  deltaUs: 30,
  peakMb: 100,
  promptBytes: { minimal: 3000, standard: 7000, all: 12_000 },
} as const;

type Results = ReadonlyMap<string, readonly Run[]>;

export const benchmark: Benchmark = {
  question: "What does the harness cost beside the model: start, tool turns, deltas, memory, prompt bytes?",
  async run(options) {
    const command = buildLocalHarness(options.note);
    const peers = findPeers(options.peers);
    const stage = await openStage();
    try {
      const programs: Program[] = wires.flatMap((wire) => [
        floor("cjs+cache", wire),
        floor("es+http", wire),
        floor("es+fetch", wire),
        localHarness(command, wire),
      ]);
      programs.push(...peers.programs);
      if (peers.absent.length > 0) {
        options.print(`Not installed, so not in the tables: ${peers.absent.join(", ")}.\n`);
      }
      await measureSelves(stage, [bareNode, localHarnessItself(command), ...peers.selves], options);
      const start = await measure(stage, programs, { kind: "answer" }, options);
      printStart(start, programs, options);
      const reads = await measure(stage, programs, { kind: "reads", turns }, options);
      printTurns(reads, programs, options);
      const text = await measure(stage, programs, { kind: "deltas", count: deltas, apart: false }, options);
      printDeltas(text, deltas, start, programs, options);
      const apart = await measure(
        stage,
        programs,
        { kind: "deltas", count: deltasApart, apart: true },
        options,
      );
      printDeltas(apart, deltasApart, start, programs, options);
      const prompts = await measurePrompts(stage, command, options);
      options.print("## Goals\n");
      for (const wire of wires) printGoals(wire, { start, reads, text }, options);
      for (const line of promptGoals(prompts)) options.print(line);
      options.print(`\n${describeNoise([...start.values(), ...reads.values(), ...text.values()])}\n`);
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
  options.note(`${scenario.kind}:`);
  const ending = scenario.kind === "deltas" ? [...deltaTexts(scenario.count)].slice(-3).join("").trim() : "";
  const subjects = programs.map((program) =>
    stage.subject(program, scenario, (run) =>
      program.kind === "peer" || readFileSync(run.output, "utf8").includes(ending)
        ? []
        : ["the text is incomplete"],
    ),
  );
  return await rounds(subjects, options);
}

async function rounds(subjects: readonly Subject[], options: BenchOptions): Promise<Results> {
  return await runInRounds(subjects, { runs: options.runs ?? defaultRuns, note: options.note });
}

async function measureSelves(
  stage: Stage,
  selves: readonly SelfDescription[],
  options: BenchOptions,
): Promise<void> {
  options.note("--version and --help:");
  const version = await rounds(
    selves.map((self) => stage.selfSubject(self, "version")),
    options,
  );
  const withHelp = selves.filter((self) => self.help !== undefined);
  const help = await rounds(
    withHelp.map((self) => stage.selfSubject(self, "help")),
    options,
  );
  const base = wall(version.get(bareNode.name));
  const rows = selves.map(({ name }) => {
    const runs = version.get(name);
    const shown = [showFigure(wall(runs)), showRatio(wall(runs), base), showFigure(cpu(runs))];
    return [name, ...shown, showFigure(wall(help.get(name)))];
  });
  options.print("## `--version` and `--help`, milliseconds: median (range)\n");
  options.print(`${table(["program", "--version", "to node", "CPU", "--help"], rows)}\n`);
}

function printStart(results: Results, programs: readonly Program[], options: BenchOptions): void {
  const rows = programs.map(({ name, wire }) => {
    const runs = results.get(name);
    const first = firstRequest(runs);
    const report = runs?.[0]?.report;
    return [
      name,
      showFigure(first),
      showRatio(first, firstRequest(results.get(floorName("es+fetch", wire)))),
      showFigure(wall(runs)),
      showFigure(cpu(runs)),
      showFigure(peak(runs)),
      `${report?.systemBytes ?? "-"}`,
      `${report?.toolsBytes ?? "-"} (${report?.toolNames.length ?? 0})`,
      beside(runs),
      problems(runs),
    ];
  });
  const head = [
    "program",
    "first request ms",
    "to es+fetch",
    "wall ms",
    "CPU ms",
    "peak MB",
    "system B",
    "tools B (n)",
    "beside",
    "problems",
  ];
  options.print("## Start to first request: the model answers at once\n");
  options.print(`${table(head, rows)}\n`);
}

function printTurns(results: Results, programs: readonly Program[], options: BenchOptions): void {
  const rows = programs.map(({ name, wire }) => {
    const runs = results.get(name);
    const report = runs?.[0]?.report;
    return [
      name,
      showFigure(turnGap(runs), 1),
      showRatio(turnGap(runs), turnGap(results.get(floorName("es+fetch", wire)))),
      showFigure(figureOf((runs ?? []).map((run) => Math.max(...gaps(run)))), 1),
      showFigure(figureOf((runs ?? []).map((run) => gaps(run).reduce((sum, gap) => sum + gap, 0)))),
      showFigure(peak(runs)),
      report?.prefixExact ? "exact" : "NOT EXACT",
      `${((report?.prefixKept ?? 0) * 100).toFixed(1)} %`,
      `${(report?.turns.at(-1)?.bodyBytes ?? 0) - (report?.turns[0]?.bodyBytes ?? 0)}`,
      beside(runs),
      problems(runs),
    ];
  });
  const head = [
    "program",
    "ms a turn",
    "to es+fetch",
    "worst turn",
    "all turns",
    "peak MB",
    "prefix",
    "kept",
    "growth B",
    "beside",
    "problems",
  ];
  options.print(
    `## Tool turns: ${turns} turns with one read of a 2 KB file each, milliseconds from answer to next request\n`,
  );
  options.print(`${table(head, rows)}\n`);
}

function printDeltas(
  results: Results,
  count: number,
  start: Results,
  programs: readonly Program[],
  options: BenchOptions,
): void {
  const rows = programs.map(({ name, wire }) => {
    const runs = results.get(name);
    const floor = floorName("es+fetch", wire);
    const cost = perDelta(runs, count, start.get(name));
    const base = perDelta(results.get(floor), count, start.get(floor));
    return [
      name,
      showFigure(wall(runs)),
      showFigure(cost, 1),
      showRatio(cost, base),
      showFigure(peak(runs)),
      problems(runs),
    ];
  });
  const head = ["program", "wall ms", "CPU us a delta", "to es+fetch", "peak MB", "problems"];
  const pace =
    count === deltas
      ? "as fast as the socket takes them"
      : "a millisecond apart, so that each is a separate read";
  options.print(`## Text: ${count} deltas of 5 characters ${pace}, CPU beyond the start
`);
  options.print(`${table(head, rows)}
`);
}

interface PromptSize {
  readonly set: (typeof toolSets)[number];
  readonly system: number;
  readonly tools: number;
}

async function measurePrompts(
  stage: Stage,
  command: readonly string[],
  options: BenchOptions,
): Promise<PromptSize[]> {
  const sizes: (PromptSize & { names: readonly string[] })[] = [];
  for (const set of toolSets) {
    const { report } = await stage.run(localHarness(command, "openai", set), { kind: "answer" });
    const { systemBytes: system = 0, toolsBytes: tools = 0, toolNames: names = [] } = report ?? {};
    sizes.push({ set, system, tools, names });
  }
  const rows = sizes.map(({ set, system, tools, names }) => [
    set,
    `${names.length}`,
    `${system}`,
    `${tools}`,
    `${system + tools}`,
    `${goals.promptBytes[set]}`,
  ]);
  options.print("## Prompt bytes by tool set\n");
  options.print(`${table(["tools", "n", "system B", "schemas B", "sum B", "goal"], rows)}\n`);
  return sizes;
}

function printGoals(
  wire: (typeof wires)[number],
  all: { start: Results; reads: Results; text: Results },
  options: BenchOptions,
): void {
  const name = `localharness, ${wire}`;
  const base = floorName("es+fetch", wire);
  const first = firstRequest(all.start.get(name));
  const floorFirst = firstRequest(all.start.get(base));
  const ratio = first && floorFirst ? first.median / floorFirst.median : undefined;
  const turn = turnGap(all.reads.get(name))?.median;
  const delta = perDelta(all.text.get(name), deltas, all.start.get(name))?.median;
  const peaks = [all.start, all.reads, all.text].map((results) => peak(results.get(name))?.max ?? 0);
  const extra = new Set(
    [...(all.start.get(name) ?? []), ...(all.reads.get(name) ?? [])].flatMap(
      (run) => run.report?.beside ?? [],
    ),
  );
  const exact = (all.reads.get(name) ?? []).every((run) => run.report?.prefixExact === true);
  const within = (value: number | undefined, limit: number) =>
    value === undefined ? undefined : value <= limit;
  const lines = [
    goalLine(
      `first request <= ${goals.firstRequestRatio}x es+fetch`,
      `${ratio?.toFixed(2)}x (${first?.median.toFixed(0)} ms to ${floorFirst?.median.toFixed(0)})`,
      within(ratio, goals.firstRequestRatio),
    ),
    goalLine(`tool turn <= ${goals.turnMs} ms`, `${turn?.toFixed(1)} ms`, within(turn, goals.turnMs)),
    goalLine(
      `text delta <= ${goals.deltaUs} us CPU`,
      `${delta?.toFixed(1)} us`,
      within(delta, goals.deltaUs),
    ),
    goalLine(
      `peak < ${goals.peakMb} MB`,
      `${Math.max(...peaks).toFixed(0)} MB (start ${peaks[0]?.toFixed(0)}, turns ${peaks[1]?.toFixed(0)}, text ${peaks[2]?.toFixed(0)})`,
      within(Math.max(...peaks), goals.peakMb),
    ),
    goalLine(
      "no request beside the conversation but for the window",
      extra.size === 0 ? "none" : [...extra].join(", "),
      [...extra].every((request) => asksWindow.test(request)),
    ),
    goalLine("each prompt is an exact prefix of the next", exact ? "yes" : "no", exact),
  ];
  for (const line of lines) options.print(line.replace(": ", ` (${wire}): `));
}

function promptGoals(sizes: readonly PromptSize[]): string[] {
  return sizes.map(({ set, system, tools }) =>
    goalLine(
      `prompt and schemas of ${set} < ${goals.promptBytes[set]} B`,
      `${system + tools} B`,
      system + tools < goals.promptBytes[set],
    ),
  );
}

function perDelta(
  runs: readonly Run[] | undefined,
  count: number,
  start: readonly Run[] | undefined,
): Figure | undefined {
  const idle = cpu(start);
  if (idle === undefined) return undefined;
  return figureOf((runs ?? []).map((run) => ((run.cpuMs - idle.median) * 1000) / count));
}
