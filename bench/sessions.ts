/** Measures sessions on disk: continuing one of 10,000 messages, listing and searching 1,000. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { openKeptSessions } from "localharness";
import type { Benchmark } from "./benchmark.ts";
import { type Figure, figureOf, goalLine, showFigure, showRatio, table } from "./measure/figures.ts";
import { waitForQuiet } from "./measure/machine.ts";
import type { Job } from "./sessions/do-once.ts";
import { makeSession } from "./sessions/make-sessions.ts";

const defaultRuns = 7;
const bigSize = { messages: 10_000, bytes: 60_000_000 };
const smallSize = { messages: 40, bytes: 60_000 };
const smallSessions = 1_000;
const patienceMs = 2_000;

interface Row {
  readonly name: string;
  readonly job: Job;
  readonly state: "big" | "many";
  /** The job with which this job is compared. */
  readonly floor: Job | undefined;
  readonly found: number;
}

const rows: readonly Row[] = [
  { name: "parse each line of 60 MB", job: "floor-lines", state: "big", floor: undefined, found: 0 },
  {
    name: "continue 10,000 messages, 60 MB",
    job: "resume",
    state: "big",
    floor: "floor-lines",
    found: 10_000,
  },
  {
    name: "readdir and stat of 1,000 files",
    job: "floor-stat",
    state: "many",
    floor: undefined,
    found: 1_000,
  },
  { name: "list 1,000 sessions", job: "list", state: "many", floor: "floor-stat", found: 1_000 },
  { name: "search 1,000 sessions, 60 MB", job: "search", state: "many", floor: "floor-stat", found: 10 },
];

interface Measured {
  readonly ms: Figure | undefined;
  readonly peakMb: Figure | undefined;
  readonly problems: string;
}

export const benchmark: Benchmark = {
  question: "What does it cost to continue a long session, and to list and search many?",
  async run({ runs = defaultRuns, print, note }) {
    const root = mkdtempSync(join(tmpdir(), "lh-bench-sessions-"));
    try {
      note("writing the sessions");
      makeAll(root);
      const measured = new Map<Job, Measured>();
      for (const row of rows) {
        note(row.name);
        measured.set(row.job, await measure(row, root, runs));
      }
      const lines = rows.map(({ name, job, floor }) => {
        const of = measured.get(job);
        const base = floor === undefined ? undefined : measured.get(floor);
        return [
          name,
          showFigure(of?.ms),
          showRatio(of?.ms, base?.ms),
          showFigure(of?.peakMb),
          of?.problems ?? "",
        ];
      });
      print(table(["", "ms", "to the floor", "MB more", "problems"], lines));
      print("");
      for (const line of goals(measured)) print(line);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  },
};

function goals(measured: ReadonlyMap<Job, Measured>): readonly string[] {
  const [resume, list] = [measured.get("resume"), measured.get("list")];
  const [ms, mb, listMs] = [resume?.ms?.median ?? 0, resume?.peakMb?.median ?? 0, list?.ms?.median ?? 0];
  return [
    goalLine("10,000 messages, 60 MB < 1,000 ms", `${ms.toFixed(0)} ms`, ms > 0 && ms < 1_000),
    goalLine("and less than 150 MB more", `${mb.toFixed(0)} MB`, mb > 0 && mb < 150),
    goalLine("list of 1,000 sessions < 150 ms", `${listMs.toFixed(0)} ms`, listMs > 0 && listMs < 150),
  ];
}

function makeAll(root: string): void {
  const open = (state: Row["state"]) =>
    openKeptSessions({
      stateFolder: join(root, state),
      workspace: "/bench",
      systemPrompt: "",
      mask: (text) => text,
      secrets: [],
    });
  makeSession(open("big"), "big-1", bigSize, "one");
  const many = open("many");
  for (let index = 0; index < smallSessions; index += 1)
    makeSession(many, `many-${index}`, smallSize, index % 100 === 0 ? "the needle" : "hay");
}

/** Measures a job. Each run is a separate process, to measure its memory alone. The first run is not counted. */
async function measure({ job, state, found }: Row, root: string, runs: number): Promise<Measured> {
  const program = join(import.meta.dirname, "sessions", "do-once.ts");
  const id = state === "big" ? "big-1" : "";
  const results: { ms: number; peakMb: number; found: number }[] = [];
  for (let run = 0; run <= runs; run += 1) {
    await waitForQuiet(patienceMs);
    const { stdout } = await promisify(execFile)(process.execPath, [program, job, join(root, state), id]);
    results.push(JSON.parse(stdout));
  }
  const counted = results.slice(1);
  const wrong = results.filter((one) => found > 0 && one.found !== found);
  return {
    ms: figureOf(counted.map(({ ms }) => ms)),
    peakMb: figureOf(counted.map(({ peakMb }) => peakMb)),
    problems: wrong.length === 0 ? "" : `found ${wrong[0]?.found}, expected ${found}`,
  };
}
