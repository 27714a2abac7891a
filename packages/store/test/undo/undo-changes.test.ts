import { appendFileSync, chmodSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Call, openUndoBench, type UndoBench } from "./undo-bench.ts";

const write = (path: string, content: string): Call => ["write_file", { path, content }];
const edit = (path: string, old_string: string, new_string: string): Call => [
  "edit_file",
  { path, old_string, new_string },
];
const remove = (path: string): Call => ["remove", { path, recursive: true }];

/** Tool calls, with the number of paths that undoing them changes. */
const changes: readonly { title: string; calls: readonly Call[]; changed: number }[] = [
  { title: "a new file", calls: [write("new.txt", "x")], changed: 1 },
  { title: "a new file in new folders", calls: [write("p/q/new.txt", "x")], changed: 3 },
  { title: "a file that is replaced", calls: [write("a.txt", "x\n")], changed: 1 },
  { title: "an edit", calls: [edit("a.txt", "one", "ONE")], changed: 1 },
  {
    title: "lines",
    calls: [
      ["read_file", { path: "a.txt" }],
      ["insert_lines", { path: "a.txt", line_start: 1, new_content: "zero" }],
      ["read_file", { path: "a.txt" }],
      ["replace_lines", { path: "a.txt", line_start: 2, line_end: 2, new_content: "eins" }],
    ],
    changed: 1,
  },
  { title: "folders", calls: [["mkdir", { path: "m/n/o" }]], changed: 3 },
  { title: "a program that is removed", calls: [remove("run.sh")], changed: 1 },
  { title: "a link that is removed", calls: [remove("link")], changed: 1 },
  { title: "a tree that is removed", calls: [remove("src")], changed: 6 },
  { title: "an empty folder that is removed", calls: [remove("empty")], changed: 1 },
  {
    title: "many changes of one file",
    calls: [write("a.txt", "1\n"), edit("a.txt", "1", "2"), remove("a.txt"), write("a.txt", "3")],
    changed: 1,
  },
  {
    title: "a folder that becomes a file",
    calls: [remove("src"), write("src", "now a file")],
    changed: 6,
  },
  {
    title: "a file that becomes a folder",
    calls: [remove("a.txt"), write("a.txt/b.txt", "in it")],
    changed: 2,
  },
  {
    title: "a file through a link",
    calls: [edit("link", "one", "via link")],
    changed: 1,
  },
  { title: "changes that cancel out", calls: [write("n.txt", "x"), remove("n.txt")], changed: 0 },
];

function furnish(bench: UndoBench): void {
  bench.put("a.txt", "one\ntwo\n");
  bench.put("run.sh", "#!/bin/sh\n", 0o755);
  bench.put("src/deep/c.js", "c", 0o600);
  bench.put("src/b.js", "b");
  bench.link("src/to-b", "b.js");
  bench.link("link", "a.txt");
  bench.put("empty/x", "");
  bench.remove("empty/x");
  bench.put("src/deep/er/x", "");
  bench.remove("src/deep/er/x");
  chmodSync(join(bench.root, "src/deep"), 0o700);
}

test("the turns since a message are undone, and no change before them", async () => {
  const bench = await openUndoBench();
  furnish(bench);
  await bench.run("turn-1", [write("a.txt", "1\n")]);
  const before = bench.tree();
  await bench.run("turn-3", [write("a.txt", "3\n"), write("new.txt", "x")]);
  await bench.run("turn-4", [remove("src")]);
  const listed = await bench.undo.preview("s", 9);
  expect(listed.map(({ turn }) => turn)).toEqual(["turn-4", "turn-3", "turn-1"]);
  expect(listed[1]?.paths.toSorted()).toEqual(["a.txt", "new.txt"]);
  await bench.undo.undoTurns("s", ["turn-2", "turn-3", "turn-4", "turn-5"]);
  expect(bench.tree()).toEqual(before);
  expect((await bench.undo.preview("s", 9)).map(({ turn }) => turn)).toEqual(["turn-1"]);
  expect((await bench.undo.undoTurns("s", ["turn-4"])).changed).toBe(0);
  expect(bench.tree()).toEqual(before);
});

describe("what the tools changed is undone and redone, to the mode and the link", () => {
  test.each(changes)("$title", async ({ calls, changed }) => {
    const bench = await openUndoBench();
    furnish(bench);
    const before = bench.tree();
    await bench.run("turn-1", calls);
    const after = bench.tree();
    if (changed > 0) expect(after).not.toEqual(before);
    const undone = await bench.undo.undo("s");
    expect(undone.changed, undone.lines.join("\n")).toBe(changed);
    expect(bench.tree()).toEqual(before);
    const redone = await bench.undo.redo("s");
    expect(redone.changed, redone.lines.join("\n")).toBe(changed);
    expect(bench.tree()).toEqual(after);
    await bench.undo.undo("s");
    expect(bench.tree()).toEqual(before);
  });
});

test("undo of more turns than there are says how many there were", async () => {
  const bench = await openUndoBench();
  await bench.run("turn-1", [write("new.txt", "x")]);
  expect((await bench.undo.undo("s", 99)).lines).toContain("no other turns were left: 1 of 99");
});

test("turns are undone from the last to the first, and redone from the first to the last", async () => {
  const bench = await openUndoBench();
  const seen = [bench.tree()];
  for (const turn of [1, 2, 3]) {
    await bench.run(`turn-${turn}`, [write("a.txt", `${turn}`), write(`only-${turn}.txt`, "x")]);
    seen.push(bench.tree());
  }
  const { lines } = await bench.undo.undo("s");
  expect([lines[0], lines.at(-1)]).toEqual([
    "undone: turn 3, 2 paths",
    "2 more turns can be undone, next: turn 2 (a.txt, only-2.txt)",
  ]);
  expect(bench.tree()).toEqual(seen[2]);
  await bench.undo.undo("s", 2);
  expect(bench.tree()).toEqual(seen[0]);
  expect(await bench.undo.undo("s")).toMatchObject({ changed: 0 });
  const moreAfter: Readonly<Record<number, RegExp>> = {
    1: /^2 more turns can be redone, next: turn 2 \(a\.txt, only-2\.txt\)$/,
    2: /^1 more turn can be redone, next: turn 3 \(a\.txt, only-3\.txt\)$/,
  };
  for (const next of [1, 2, 3]) {
    const redone = await bench.undo.redo("s");
    expect(redone.lines.at(-1)).toMatch(moreAfter[next] ?? /^ /);
    expect(bench.tree()).toEqual(seen[next]);
  }
  expect(await bench.undo.redo("s")).toMatchObject({ changed: 0, lines: ["there is nothing to redo"] });
});

test("an edit of text works after an undo and a redo; one by line numbers needs another look", async () => {
  const bench = await openUndoBench();
  bench.put("a.txt", "one\ntwo\n");
  const replaceLine: Call = [
    "replace_lines",
    { path: "a.txt", line_start: 1, line_end: 1, new_content: "x" },
  ];
  await bench.run("turn-1", [["read_file", { path: "a.txt" }], edit("a.txt", "one", "zero\none")]);
  await bench.undo.undo("s");
  await expect(bench.run("turn-2", [replaceLine])).rejects.toThrow("undo or redo changed");
  await bench.run("turn-2", [edit("a.txt", "two", "three")]);
  await bench.undo.undo("s");
  await bench.undo.redo("s");
  await bench.run("turn-3", [edit("a.txt", "three", "four"), ["read_file", { path: "a.txt" }], replaceLine]);
  expect(bench.tree()).toEqual({ "a.txt": "x\nfour\n" });
});

test("what is changed after an undo takes the way to redo away, and is undone first", async () => {
  const bench = await openUndoBench();
  await bench.run("turn-1", [write("a.txt", "1")]);
  await bench.undo.undo("s");
  await bench.run("turn-2", [write("b.txt", "2")]);
  expect(await bench.undo.redo("s")).toMatchObject({ changed: 0 });
  await bench.undo.undo("s");
  expect(bench.tree()).toEqual({});
  expect(await bench.undo.undo("s")).toMatchObject({ changed: 0 });
});

describe("what a person changed since is left alone, and that is said", () => {
  const cases: readonly {
    title: string;
    calls: readonly Call[];
    person: (bench: UndoBench) => void;
    says: RegExp;
    changed: number;
  }[] = [
    {
      title: "a file with another content",
      calls: [write("a.txt", "agent\n"), write("other.txt", "x")],
      person: (bench) => bench.put("a.txt", "person\n"),
      says: /left alone {2}a\.txt: it was changed since/,
      changed: 1,
    },
    {
      title: "a file that is gone",
      calls: [write("a.txt", "agent\n")],
      person: (bench) => bench.remove("a.txt"),
      says: /left alone {2}a\.txt: it was removed since, by you or by a command/,
      changed: 0,
    },
    {
      title: "a new folder with a file of the person's in it",
      calls: [write("new/a.txt", "agent")],
      person: (bench) => bench.put("new/mine.txt", "mine"),
      says: /left alone {2}new: the folder "new" holds other files/,
      changed: 1,
    },
    {
      title: "a place where something else was put",
      calls: [remove("a.txt")],
      person: (bench) => bench.put("a.txt", "person\n"),
      says: /left alone {2}a\.txt/,
      changed: 0,
    },
    {
      title: "a folder that leads out of the workspace now",
      calls: [write("d/a.txt", "agent")],
      person: (bench) => {
        bench.remove("d");
        bench.link("d", "/tmp");
      },
      says: /left alone {2}d\/a\.txt/,
      changed: 0,
    },
    {
      title: "a folder that leads to another one now",
      calls: [edit("e/a.txt", "one", "two")],
      person: (bench) => {
        bench.put("real/a.txt", "two");
        bench.remove("e");
        bench.link("e", "real");
      },
      says: /left alone {2}e\/a\.txt: a folder on the way/,
      changed: 0,
    },
    {
      title: "a folder on the way that is gone",
      calls: [remove("e/a.txt")],
      person: (bench) => bench.remove("e"),
      says: /brought back e\/\n {2}brought back e\/a\.txt/,
      changed: 2,
    },
    {
      title: "a change of theirs between two of the agent's in one turn",
      calls: [],
      person: () => undefined,
      says: /left alone {2}a\.txt: it was changed since/,
      changed: 0,
    },
  ];
  test.each(cases)("$title", async ({ calls, person, says, changed }) => {
    const bench = await openUndoBench();
    bench.put("a.txt", "one\n");
    bench.put("e/a.txt", "one");
    if (calls.length > 0) await bench.run("turn-1", calls);
    else {
      await bench.run("turn-1", [edit("a.txt", "one", "agent")]);
      bench.put("a.txt", "person\n");
      await bench.run("turn-1", [["read_file", { path: "a.txt" }], edit("a.txt", "person", "both")]);
    }
    person(bench);
    const before = bench.tree();
    const report = await bench.undo.undo("s");
    expect(report.lines.join("\n")).toMatch(says);
    expect(report.changed).toBe(changed);
    if (changed === 0) expect(bench.tree()).toEqual(before);
  });

  test("a mode that they set stays", async () => {
    const bench = await openUndoBench();
    bench.put("a.sh", "one\n");
    await bench.run("turn-1", [edit("a.sh", "one", "two")]);
    chmodSync(join(bench.root, "a.sh"), 0o755);
    await bench.undo.undo("s");
    expect(bench.tree()).toEqual({ "a.sh": "one\n(755)" });
  });

  test("redo leaves alone what they changed after the undo", async () => {
    const bench = await openUndoBench();
    await bench.run("turn-1", [write("a.txt", "agent"), write("b.txt", "agent")]);
    await bench.undo.undo("s");
    bench.put("a.txt", "person");
    const report = await bench.undo.redo("s");
    expect(report.lines.join("\n")).toContain("left alone  a.txt: it was changed since");
    expect(bench.tree()).toEqual({ "a.txt": "person", "b.txt": "agent" });
  });
});

test("all of it is for its owner alone", async () => {
  const bench = await openUndoBench();
  bench.put("a.txt", "one\n");
  await bench.run("turn-1", [edit("a.txt", "one", "two")]);
  expect(statSync(bench.kept).mode & 0o777).toBe(0o700);
  const modes = readdirSync(bench.kept).map((name) => statSync(join(bench.kept, name)).mode & 0o777);
  expect(modes).toEqual([0o600, 0o600]);
});

test("sessions side by side do not undo each other's changes", async () => {
  const bench = await openUndoBench();
  await Promise.all(
    ["s", "t"].map((session) => bench.run("turn-1", [write(`${session}.txt`, session)], session)),
  );
  await bench.run("turn-2", [write("shared.txt", "of s")]);
  await bench.run("turn-2", [["read_file", { path: "shared.txt" }], write("shared.txt", "of t")], "t");
  expect((await bench.undo.undo("s")).lines.join("\n")).toContain("left alone  shared.txt");
  await bench.undo.undo("s");
  expect(bench.tree()).toEqual({ "shared.txt": "of t", "t.txt": "t" });
  const both = await Promise.all([bench.undo.undo("t"), bench.undo.undo("t")]);
  expect(both.map(({ changed }) => changed).toSorted()).toEqual([1, 1]);
  expect(bench.tree()).toEqual({ "shared.txt": "of s" });
});

test("the session that changed something last is found, and one by the beginning of its id", async () => {
  const bench = await openUndoBench();
  expect(await bench.undo.findSession()).toBeUndefined();
  await bench.run("turn-1", [write("a.txt", "x")], "abc-1");
  await bench.run("turn-1", [write("b.txt", "x")], "xyz-1");
  await bench.run("turn-1", [write("c.txt", "x")], "xyz-2");
  expect(await bench.undo.findSession("ab")).toBe("abc-1");
  await expect(bench.undo.findSession("xyz")).rejects.toThrow("several sessions");
  expect(await bench.undo.findSession("nothing")).toBeUndefined();
});

test("the model is not told of an undo that was redone before it knew", async () => {
  const bench = await openUndoBench();
  bench.put("a.txt", "one\n");
  await bench.run("turn-1", [edit("a.txt", "one", "two")]);
  await bench.undo.undo("s");
  expect((await bench.undo.redo("s")).lines.join("\n")).toMatch(/^redone: .*\n.*\n {2}changed {5}a\.txt/);
  expect(await bench.undo.news("s")).toEqual([]);
  await bench.undo.undo("s");
  expect(await bench.undo.news("s")).toHaveLength(1);
  await bench.undo.redo("s");
  expect((await bench.undo.news("s"))[0]).toContain('The person did again "a.txt".');
});

test("the model is not told of an undo and its redo that list files in different orders", async () => {
  const bench = await openUndoBench();
  bench.put("old.txt", "x");
  await bench.run("turn-1", [write("new.txt", "x"), remove("old.txt")]);
  await bench.undo.undo("s");
  await bench.undo.redo("s");
  expect(bench.tree()).toEqual({ "new.txt": "x" });
  expect(await bench.undo.news("s")).toEqual([]);
});

test("the model is told once, what and in whose name", async () => {
  const bench = await openUndoBench();
  expect(await bench.undo.news("s")).toEqual([]);
  await bench.run("turn-1", [write("a.txt", "x")]);
  expect(await bench.undo.news("s")).toEqual([]);
  await bench.undo.undo("s");
  const [news] = await bench.undo.news("s");
  expect(news).toContain('The person undid "a.txt".');
  expect(await bench.undo.news("s")).toEqual([]);
});

test("a log with torn and foreign lines is used as far as it can be read", async () => {
  const bench = await openUndoBench();
  await bench.run("turn-1", [write("a.txt", "x")]);
  const log = join(bench.kept, "changes.jsonl");
  appendFileSync(log, '{"v":1,"type":"change","turn":"turn-1","path":"../../etc/x","before":{"kind":"ab');
  await bench.run("turn-1", [write("b.txt", "x")]);
  const outside = { kind: "file", hash: "0".repeat(64), size: 1, mode: 0o644 };
  for (const line of [
    '{"v":2,"type":"change"}',
    "[]",
    "\0\0\0",
    JSON.stringify({
      v: 1,
      type: "change",
      turn: "turn-1",
      path: "/etc/passwd",
      before: outside,
      after: { kind: "absent" },
    }),
    JSON.stringify({
      v: 1,
      type: "change",
      turn: "turn-1",
      path: "../x",
      before: { kind: "link", target: "/" },
      after: { kind: "absent" },
    }),
  ])
    appendFileSync(log, `${line}\n`);
  const report = await bench.undo.undo("s");
  expect(report.changed).toBe(2);
  expect(bench.tree()).toEqual({});
  rmSync(log);
});
