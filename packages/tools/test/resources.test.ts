import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sweepTemporaryFiles } from "../src/files/write-journal.ts";
import { openToolResources } from "../src/resources.ts";
import { temporaryFolder } from "./bench.ts";
import { blockProblem } from "./fixtures/written-block.ts";

const kills = 200;
const sideBySide = 3;
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

/** Starts a writing session and kills it at a random moment; then starts as the next one would, and looks at the files. */
async function killOnce(place: Place, run: number, tally: Tally): Promise<void> {
  const { root, state, env } = place;
  const child = spawn(process.execPath, [script, root, state, String(run)], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = new Promise((resolve) => child.once("exit", resolve));
  await Promise.race([new Promise((resolve) => child.stdout.once("data", resolve)), exited]);
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 25));
  child.kill("SIGKILL");
  await exited;
  tally.leftBehind += writtenFiles(root).filter((name) => name.endsWith(".lhtmp")).length;
  const next = await openToolResources({ workspace: root, stateFolder: state });
  await next.close();
  for (const name of writtenFiles(root)) {
    const problem = name.endsWith(".lhtmp") ? "stays" : blockProblem(readFileSync(join(root, name), "utf8"));
    tally.filesSeen += 1;
    if (problem !== undefined) {
      tally.problems.push(`${name}: ${problem}`);
    }
  }
}

/** Compiled code is kept between the runs; only one that ends by itself writes it down. */
function warmedUp(): NodeJS.ProcessEnv {
  const folder = temporaryFolder();
  const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, "compiled") };
  execFileSync(process.execPath, [script, folder, join(folder, "state"), "0", "4"], { env });
  return env;
}

test(`killed at ${kills} random moments: no file is mixed, short or empty, no temporary file stays after the next start`, async () => {
  const tally: Tally = { problems: [], leftBehind: 0, filesSeen: 0 };
  const env = warmedUp();
  let started = 0;
  const worker = async () => {
    const folder = temporaryFolder();
    const place = { root: join(folder, "ws"), state: join(folder, "state"), env };
    mkdirSync(place.root);
    while (started < kills) {
      started += 1;
      await killOnce(place, started, tally);
    }
    expect(sweepTemporaryFiles(place.state)).toEqual([]);
  };
  await Promise.all(Array.from({ length: sideBySide }, worker));
  expect(tally.problems).toEqual([]);
  // Kills that never hit a write would prove nothing.
  expect(tally.leftBehind).toBeGreaterThan(20);
  expect(tally.filesSeen).toBeGreaterThan(kills);
});
