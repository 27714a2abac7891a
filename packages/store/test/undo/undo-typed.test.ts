/** Commands that the person types are undone like those of the model; jobs, and long commands, are only named. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "@localharness/engine";
import { expect, test } from "vitest";
import { openUndoBench, type UndoBench } from "./undo-bench.ts";

const bash = (command: string) => ["bash", { command }] as const;

async function furnished(): Promise<UndoBench> {
  const bench = await openUndoBench();
  bench.put("a.txt", "one\n");
  bench.put("b.txt", "two\n");
  return bench;
}

test("a typed command is undone and redone as an entry of its own", async () => {
  const bench = await furnished();
  await bench.run("turn-1", [bash("echo x >> a.txt")]);
  const before = bench.tree();
  expect(await bench.type("rm b.txt; echo new > made.txt; echo said")).toBe("said\n");
  const after = bench.tree();
  const [preview] = await bench.undo.preview("s", 1);
  expect(preview?.lines[0]).toBe("your command, 2 paths");
  expect(preview?.lines[1]).toBe("  changed by  !command `rm b.txt; echo new > made.txt; echo said`");
  await bench.undo.undo("s");
  expect(bench.tree()).toEqual(before);
  await bench.undo.redo("s");
  expect(bench.tree()).toEqual(after);
});

test("a typed command that only looks keeps and records nothing", async () => {
  const bench = await furnished();
  expect(await bench.type("cat a.txt | head -1")).toBe("one\n");
  expect(await bench.undo.preview("s", 1)).toEqual([]);
});

test("going back to before a message also undoes commands that were typed after it, and none from before", async () => {
  const bench = await furnished();
  await bench.run("turn-1", [bash("echo 1 > one")]);
  await bench.type("echo typed > early");
  const before = bench.tree();
  await bench.run("turn-2", [bash("echo 2 > two")]);
  await bench.type("echo typed > between");
  await bench.run("turn-3", [bash("echo 3 > three")]);
  await bench.type("echo typed > late");
  expect((await bench.undo.preview("s", ["turn-2", "turn-3"])).flatMap(({ paths }) => paths)).toEqual([
    ...["late", "three"],
    ...["between", "two"],
  ]);
  await bench.undo.undoTurns("s", ["turn-2", "turn-3"]);
  expect(bench.tree()).toEqual(before);
});

test("a tool's edit beside a typed command belongs to the tool alone, and other changes to the command", async () => {
  const bench = await furnished();
  const typed = bench.type("echo x > begun; until [ -e go ]; do sleep 0.01; done; echo y > made");
  await expect.poll(() => bench.tree()["begun"]).toBe("x\n");
  await bench.run("turn-1", [["write_file", { path: "a.txt", content: "tool\n" }], bash("echo z > byBash")]);
  bench.put("go", "");
  await typed;
  const previews = await bench.undo.preview("s", 9);
  const pathsOf = (turn: string) =>
    previews.flatMap((one) => (one.turn.startsWith(turn) ? one.paths : [])).toSorted();
  expect(pathsOf("turn-1")).toEqual(["a.txt", "byBash"]);
  expect(pathsOf("typed-")).toEqual(["begun", "go", "made"]);
  expect(previews.flatMap(({ lines }) => lines).join("\n")).toMatch(/ran at the same time/);
});

test("a job's changes are named when it has ended, but for those of tools, and stay", async () => {
  const bench = await furnished();
  const command = "until [ -e go ]; do sleep 0.01; done; echo y > made; rm b.txt";
  await bench.run("turn-1", [["bash", { command, background: true }]]);
  await bench.run("turn-2", [["write_file", { path: "a.txt", content: "tool\n" }]]);
  writeFileSync(join(bench.root, "go"), "");
  await bench.resources.jobs.whenEnded("job-1");
  const lines = async () => (await bench.undo.preview("s", 9)).flatMap((one) => one.lines).join("\n");
  await expect.poll(lines).toMatch(/while job-1 ran, it or you changed 3 paths: b\.txt, go, made/);
  expect((await bench.undo.preview("s", 1)).map(({ turn }) => turn)).toEqual(["turn-2"]);
  const report = await bench.undo.undo("s", 2);
  expect(report.lines.join("\n")).toContain("not kept    what job-1 changes in the background");
  expect(bench.tree()).toMatchObject({ "a.txt": "one\n", made: "y\n" });
});

test("a command that was typed long ago is only named, because the person may have worked meanwhile", async () => {
  let now = 0;
  const clock = { ...systemClock, monotonic: () => (now += 700_000) };
  const bench = await openUndoBench({}, [], undefined, { clock });
  await bench.type("echo x > made");
  const report = await bench.undo.undo("s");
  expect(report.changed).toBe(0);
  expect(report.lines.join("\n")).toMatch(
    /what !command `echo x > made`, or you meanwhile, changed in 12 minutes/,
  );
  expect(bench.tree()["made"]).toBe("x\n");
});

test("what the person changes after a command that never ran is the person's", async () => {
  const bench = await furnished();
  const turn = { sessionId: "s", turnId: "turn-1" };
  (await bench.resources.snapshots.before({ turn }, []))?.end();
  bench.put("a.txt", "mine\n");
  await bench.run("turn-2", [bash("echo y > made")]);
  expect((await bench.undo.preview("s", 9)).flatMap(({ paths }) => paths)).toEqual(["made"]);
});
