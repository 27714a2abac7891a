/** A process is killed while it undoes and redoes: each file is old or new, and the next one goes on. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { sweepTemporaryFiles } from "@localharness/tools";
import { expect, test } from "vitest";
import { openUndoBench } from "./undo-bench.ts";

const rounds = Number(process.env["KILLS"] ?? 6);
const program = join(import.meta.dirname, "undo-forever.ts");

test("after a kill at any time each file is old or new, and undo and redo lead to the whole of both", async () => {
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
  const wrong: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const child = spawn(process.execPath, [program, bench.root, bench.state], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const closed = once(child, "close");
    await once(child.stdout, "data");
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 150));
    child.kill("SIGKILL");
    await closed;
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
