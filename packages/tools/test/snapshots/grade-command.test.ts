/** A command is graded by what undo reverses: all that it changes, what is kept of the workspace, or nothing. */

import { withGrade } from "@localharness/commands/keeping/grade-command";
import { sandboxState } from "@localharness/processes/sandbox/sandbox-status";
import { afterAll, describe, expect, test } from "vitest";
import { type Bench, openBench } from "../bench.ts";

const ends: (() => Promise<void> | void)[] = [];
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

let opened: Promise<Bench> | undefined;
async function project(): Promise<Bench> {
  const bench = await openBench({}, (end) => void ends.push(end));
  bench.write(".gitignore", "*.log\n");
  for (const path of ["a.txt", "notes.log", "src/a.js", "src/b.js", "secret/.env", "run.sh"]) {
    bench.write(path, "x\n");
  }
  return bench;
}

async function gradeOf(command: string, confined: boolean, more: object = {}) {
  opened ??= project();
  const { root, examine } = await opened;
  const { grade: _, ...facts } = await examine("bash", { command, ...more });
  return withGrade(facts, { root, confined, keeping: !("background" in more) }).grade;
}

describe("every file that the command changes is known and kept, also without a sandbox", () => {
  test.each([
    "rm a.txt",
    "rm -r src",
    "sed -i s/x/y/ a.txt",
    "mv src/a.js src/b.js",
    "echo x > a.txt",
    "cd src && rm a.js",
  ])("%s", async (command) => {
    expect(await gradeOf(command, false)).toBe("undoable");
    expect(await gradeOf(command, true)).toBe("undoable");
    opened ??= project();
    expect((await (await opened).examine("bash", { command })).grade).toBe("undoable");
  });
});

describe("the sandbox holds the command to the workspace, whose files are kept", () => {
  test.each([
    "./run.sh",
    "python3 -c 'print(1)'",
    "rm a.txt && ./run.sh",
    "c=rm; $c a.txt",
    "sed -i '1e ./run.sh' a.txt",
    "find src -name a.js | xargs touch",
  ])("%s", async (command) => {
    expect(await gradeOf(command, true)).toBe("kept");
    expect(await gradeOf(command, false)).toBeUndefined();
  });
});

describe("the command only changes the workspace, but perhaps ignored files, also without a sandbox", () => {
  test.each(["mkdir new", "touch new.log", "mv a.txt new.txt", "rm a.txt && mkdir -p s/x"])(
    "%s",
    async (command) => {
      expect(await gradeOf(command, true)).toBe("kept");
      expect(await gradeOf(command, false)).toBe("kept");
    },
  );
});

describe("undo does not reverse what the command does", () => {
  test.each([
    ["an ignored file", "rm notes.log"],
    ["a secret", "rm -r secret"],
    ["unknown files", "rm $x"],
    ["a file elsewhere", "echo x > ../outside/secret.txt"],
    ["a new file in a folder that is never kept", "mkdir -p node_modules/a"],
    ["the history", "git commit -m x"],
  ])("%s: %s", async (_, command) => {
    expect(await gradeOf(command, true)).toBeUndefined();
    expect(await gradeOf(command, false)).toBeUndefined();
  });

  test("a job", async () => expect(await gradeOf("rm a.txt", true, { background: true })).toBeUndefined());
});

test.each([
  ["cat a.txt", undefined],
  ["curl https://example.com/x", "leaves"],
])("%s keeps its grade", async (command, grade) => {
  opened ??= project();
  expect((await (await opened).examine("bash", { command })).grade).toBe(grade);
});

test.skipIf(sandboxState("auto").kind !== "on")("a command in the sandbox is graded as kept", async () => {
  const bench = await openBench({ sandbox: { mode: "require" } });
  bench.write("run.sh", "x\n");
  expect((await bench.examine("bash", { command: "./run.sh" })).grade).toBe("kept");
});

test.each([
  ["undo", { changeLimits: { totalBytes: 0 } }],
  ["the snapshots", { snapshotLimits: { totalBytes: 0 } }],
])("nothing is graded as kept while %s are off", async (_, options) => {
  const bench = await openBench(options);
  bench.write("a.txt", "x\n");
  expect(bench.resources.snapshots.keeping).toBe(false);
  expect((await bench.examine("bash", { command: "rm a.txt" })).grade).toBeUndefined();
});
