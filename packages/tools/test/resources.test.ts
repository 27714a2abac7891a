import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { sweepTemporaryFiles } from "@localharness/workspace/files/write-journal";
import { expect, test } from "vitest";
import { type Fault, killsIn, type Operation } from "../../../test/faults/disk-faults.ts";
import { countSteps, type StepsTaken } from "../../../test/faults/kill-at-step.ts";
import { killCount } from "../../../test/faults/kill-count.ts";
import { blockProblem } from "../../workspace/test/fixtures/written-block.ts";
import { temporaryFolder } from "../../workspace/test/temporary-folder.ts";
import { openToolResources } from "../src/resources/resources.ts";

const kills = killCount(60);
const sideBySide = 3;
/** Each round writes a file and then edits it. */
const rounds = 8;
const script = join(import.meta.dirname, "fixtures/writing-session.ts");

interface Tally {
  problems: string[];
  leftBehind: number;
  filesSeen: number;
}

interface Place {
  readonly root: string;
  readonly state: string;
  readonly env: NodeJS.ProcessEnv;
}

function writtenFiles(root: string): string[] {
  const names = existsSync(root) ? readdirSync(root, { recursive: true, encoding: "utf8" }) : [];
  return names.filter((name) => name.includes("file-"));
}

const session = (place: Place, run: number, rounds: number) => [
  script,
  place.root,
  place.state,
  String(run),
  String(rounds),
];

/** Returns the disk operations of a whole session. Also fills the compile cache for the other runs. */
function stepsTaken(): { readonly operations: readonly Operation[]; readonly cache: string } {
  const folder = temporaryFolder();
  const cache = join(folder, "compiled");
  const place = { root: join(folder, "ws"), state: join(folder, "state") };
  mkdirSync(place.root);
  const report = join(folder, "steps");
  const env = { ...process.env, NODE_COMPILE_CACHE: cache, ...countSteps({ folder, report }) };
  execFileSync(process.execPath, session({ ...place, env }, 0, rounds), { env });
  return { operations: (JSON.parse(readFileSync(report, "utf8")) as StepsTaken).operations, cache };
}

/** Runs a writing session that is killed at a step; then starts like the next session and checks the files. */
async function killOnce({ root, state, env }: Place, run: number, kill: Fault, tally: Tally): Promise<void> {
  const steps = countSteps({ folder: dirname(root), kill });
  const child = spawn(process.execPath, session({ root, state, env }, run, 2 * rounds), {
    env: { ...env, ...steps },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [, signal] = await once(child, "exit");
  if (signal !== "SIGKILL") tally.problems.push(`it was not killed at step ${kill.at}`);
  tally.leftBehind += writtenFiles(root).filter((name) => name.endsWith(".lhtmp")).length;
  const next = await openToolResources({ workspace: root, stateFolder: state });
  await next.close();
  for (const name of writtenFiles(root)) {
    const problem = name.endsWith(".lhtmp") ? "stays" : blockProblem(readFileSync(join(root, name), "utf8"));
    tally.filesSeen += 1;
    if (problem !== undefined) {
      tally.problems.push(`step ${kill.at}: ${name}: ${problem}`);
    }
  }
}

test(`killed at ${kills} steps: no file is mixed, short or empty, no temporary file stays after the next start`, async () => {
  const tally: Tally = { problems: [], leftBehind: 0, filesSeen: 0 };
  const { operations, cache } = stepsTaken();
  expect(operations.length).toBeGreaterThan(kills);
  const left = killsIn(operations, kills).entries();
  const worker = async () => {
    const folder = temporaryFolder();
    const env = { ...process.env, NODE_COMPILE_CACHE: cache };
    const place = { root: join(folder, "ws"), state: join(folder, "state"), env };
    mkdirSync(place.root);
    for (const [run, kill] of left) await killOnce(place, run, kill, tally);
    expect(sweepTemporaryFiles(place.state)).toEqual([]);
  };
  await Promise.all(Array.from({ length: sideBySide }, worker));
  expect(tally.problems).toEqual([]);
  // The test proves nothing if no kill hits a write.
  expect(tally.leftBehind).toBeGreaterThan(kills / 10);
  expect(tally.filesSeen).toBeGreaterThan(kills);
});
