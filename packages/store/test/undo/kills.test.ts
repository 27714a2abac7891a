/** Kills a process while it undoes and redoes: each file is old or new, and the next process continues. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { sweepTemporaryFiles } from "@localharness/workspace/files/write-journal";
import { expect, test } from "vitest";
import { killsIn } from "../../../../test/faults/disk-faults.ts";
import { countSteps, type Steps, type StepsTaken } from "../../../../test/faults/kill-at-step.ts";
import { killCount } from "../../../../test/faults/kill-count.ts";
import { openUndoBench, type UndoBench } from "./undo-bench.ts";

const kills = killCount(10);
const program = join(import.meta.dirname, "undo-and-redo.ts");

/** Undoes and redoes the turn in a separate process. */
async function undoAndRedo({ root, state }: UndoBench, steps: Steps): Promise<NodeJS.Signals | null> {
  const env = { ...process.env, ...countSteps(steps) };
  const child = spawn(process.execPath, [program, root, state, steps.kill === undefined ? "1" : "2"], {
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [, signal] = await once(child, "close");
  return signal;
}

test("after a kill at any step each file is old or new, and undo and redo lead to the whole of both", async () => {
  const bench = await openUndoBench();
  const names = Array.from({ length: 12 }, (_, index) => `d${index % 3}/f${index}.txt`);
  const old = (name: string) => `old ${name}\n`.repeat(2000);
  for (const name of names.slice(0, 8)) bench.put(name, old(name));
  const before = bench.tree();
  await bench.run(
    "turn-1",
    names.map((path, index) =>
      index < 4 ? ["remove", { path }] : ["write_file", { path, content: `new ${path}\n`.repeat(3000) }],
    ),
  );
  const after = bench.tree();
  const folder = dirname(bench.root);
  const report = join(folder, "steps");
  await undoAndRedo(bench, { folder, report });
  const { operations }: StepsTaken = JSON.parse(readFileSync(report, "utf8"));
  expect(operations.length).toBeGreaterThan(100);
  const wrong: string[] = [];
  for (const kill of killsIn(operations, kills)) {
    const round = `step ${kill.at} ${kill.kind}:`;
    if ((await undoAndRedo(bench, { folder, kill })) !== "SIGKILL") wrong.push(`${round} not killed`);
    sweepTemporaryFiles(bench.state);
    for (const [path, content] of Object.entries(bench.tree()))
      if (content !== before[path] && content !== after[path]) wrong.push(`${round} ${path} is neither`);
    while ((await bench.undo.undo("s")).changed > 0);
    if (JSON.stringify(bench.tree()) !== JSON.stringify(before)) wrong.push(`${round} undo is not whole`);
    while ((await bench.undo.redo("s")).changed > 0);
    if (JSON.stringify(bench.tree()) !== JSON.stringify(after)) wrong.push(`${round} redo is not whole`);
  }
  expect(wrong).toEqual([]);
});
