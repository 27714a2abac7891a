/** Measures what it costs to keep the files of a workspace before commands. */
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openToolResources, type ToolResources } from "@localharness/tools";
import type { Benchmark } from "./benchmark.ts";
import { figureOf, goalLine, medianOf, showFigure, table } from "./measure/figures.ts";

const files = 10_000;
const filesInFolder = 10;
const goalMs = 100;
const defaultRuns = 15;

type Case = "nothing changed" | "one file changed" | "100 files changed";

export const benchmark: Benchmark = {
  question: `What does it cost to keep ${files} files before a command and to record its changes?`,
  async run({ runs = defaultRuns, print, note }) {
    const folder = mkdtempSync(join(tmpdir(), "bench-keep-"));
    try {
      note(`making a repository of ${files} files`);
      const root = makeRepository(join(folder, "ws"));
      const state = join(folder, "state");
      const first = await withResources(root, state, (resources) => timed(() => aCommand(resources, 0)));
      const size = sizeOf(join(state, "snapshots"));
      const again = await withResources(root, state, (resources) => timed(() => aCommand(resources, 0)));
      const cases = await withResources(root, state, async (resources) => {
        await aCommand(resources, 0);
        const measured = new Map<Case, Cost[]>();
        for (let run = 0; run < runs; run += 1) {
          for (const [name, changed] of [
            ["nothing changed", 0],
            ["one file changed", 1],
            ["100 files changed", 100],
          ] as const) {
            const cost = await timed(() => aCommand(resources, changed, root));
            measured.set(name, [...(measured.get(name) ?? []), cost]);
          }
        }
        return measured;
      });
      const rows = [
        rowOf(
          "lstat of each file, twice",
          Array.from({ length: runs }, () => lookTwice(root)),
        ),
        rowOf("the first command ever", [first]),
        rowOf("the first command of another session", [again]),
        ...[...cases].map(([name, all]) => rowOf(`a later command, ${name}`, all)),
      ];
      print(table([`${files} files, ${Math.round(size / 1024)} KB kept`, "ms", "ms of processor"], rows));
      const middle = medianOf((cases.get("nothing changed") ?? []).map(({ processor }) => processor));
      print(
        `\n${goalLine(`a later command costs at most ${goalMs} ms of processor`, `${Math.round(middle)} ms`, middle <= goalMs)}`,
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

function rowOf(name: string, costs: readonly Cost[]): readonly string[] {
  const shown = (of: (cost: Cost) => number) => showFigure(figureOf(costs.map(of)));
  return [name, shown(({ wall }) => wall), shown(({ processor }) => processor)];
}

/** Does the least that two looks need. */
function lookTwice(root: string): Cost {
  const began = startCost();
  for (let file = 0; file < 2 * files; file += 1) lstatSync(pathOf(root, file % files));
  return began();
}

/** Returns a function that returns the cost since now. */
function startCost(): () => Cost {
  const began = performance.now();
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return { wall: performance.now() - began, processor: (user + system) / 1000 };
  };
}

/** Does what the tool `bash` does before and after a command that changes so many files. */
async function aCommand(resources: ToolResources, changed: number, root = ""): Promise<void> {
  const turn = { sessionId: "bench", turnId: "turn-1" };
  const context = { callId: "call", signal: new AbortController().signal, report: () => undefined, turn };
  const kept = await resources.snapshots.before(context, []);
  for (let file = 0; file < changed; file += 1) appendFileSync(pathOf(root, file), "x\n");
  await kept?.record();
}

interface Cost {
  readonly wall: number;
  /** The processor time, which is the wall time on a machine that does nothing else. */
  readonly processor: number;
}

async function timed(work: () => Promise<void>): Promise<Cost> {
  const cost = startCost();
  await work();
  return cost();
}

async function withResources<T>(
  workspace: string,
  stateFolder: string,
  work: (resources: ToolResources) => Promise<T>,
): Promise<T> {
  const resources = await openToolResources({ workspace, stateFolder });
  try {
    return await work(resources);
  } finally {
    await resources.close();
  }
}

function makeRepository(root: string): string {
  for (let file = 0; file < files; file += 1) {
    const path = pathOf(root, file);
    if (file % filesInFolder === 0) mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, `export const value${file} = ${file};\n`.repeat(60));
  }
  writeFileSync(join(root, ".gitignore"), "*.log\nnode_modules/\n/dist\n");
  execFileSync("git", ["init", "-q", root]);
  execFileSync("git", ["-C", root, "add", "-A"]);
  return root;
}

function pathOf(root: string, file: number): string {
  const folder = Math.floor(file / filesInFolder);
  return join(root, `part${folder % 40}`, `folder${folder}`, `file${file}.ts`);
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { name }) => sum + statSync(join(folder, name)).size, 0);
}
