/** An undo says before and after it which calls made the changes, which lines they changed, and what cannot be undone. */
import { expect, test } from "vitest";
import { openUndoBench } from "./undo-bench.ts";

async function changed() {
  const bench = await openUndoBench();
  bench.put("a.txt", "one\ntwo\n");
  bench.put("b.txt", "b\n");
  bench.put(".env", "A=1\n");
  await bench.run("turn-1", [["edit_file", { path: "a.txt", old_string: "one", new_string: "eins\nzwei" }]]);
  await bench.run("turn-2", [
    ["bash", { command: "echo x > new.txt; rm b.txt; echo B=2 > .env" }],
    ["write_file", { path: "a.txt", content: "drei\n" }],
  ]);
  return bench;
}

const calls = "bash `echo x > new.txt; rm b.txt; echo B=2 > .env`, write_file a.txt";
const secret = ".env: its old content was not kept, because its name or its content looks like a secret";

test("a preview of two turns says what an undo then does, and changes nothing", async () => {
  const bench = await changed();
  const before = bench.tree();
  const previews = await bench.undo.preview("s", 2);
  expect(bench.tree()).toEqual(before);
  expect(previews).toEqual([
    {
      turn: "turn-2",
      paths: ["new.txt", "b.txt", "a.txt"],
      left: [".env"],
      lines: [
        "turn 2, 3 paths; 1 left alone",
        `  changed by  ${calls}`,
        `  left alone  ${secret}`,
        "  removes     new.txt (+1)",
        "  brings back b.txt (+1)",
        "  puts back   a.txt (+1 -3)",
      ],
    },
    {
      turn: "turn-1",
      paths: ["a.txt"],
      lines: ["turn 1, 1 path", "  changed by  edit_file a.txt", "  puts back   a.txt (+2 -1)"],
    },
  ]);
  const undone = await bench.undo.undo("s", 2);
  expect(undone.changed).toBe(4);
  expect(undone.lines).toEqual([
    "undone: turn 2, 3 paths; 1 left alone",
    `  changed by  ${calls}`,
    `  left alone  ${secret}`,
    "  removed     new.txt (+1)",
    "  brought back b.txt (+1)",
    "  put back    a.txt (+1 -3)",
    "undone: turn 1, 1 path",
    "  changed by  edit_file a.txt",
    "  put back    a.txt (+2 -1)",
  ]);
  expect(await bench.undo.preview("s", 2)).toEqual([]);
  expect((await bench.undo.redo("s")).lines.slice(0, 3)).toEqual([
    "redone: turn 1, 1 path",
    "  changed by  edit_file a.txt",
    "  changed     a.txt",
  ]);
});

test("a preview of named turns stops before another turn", async () => {
  const bench = await changed();
  expect((await bench.undo.preview("s", ["turn-2"])).map(({ turn }) => turn)).toEqual(["turn-2"]);
  expect(await bench.undo.preview("s", ["turn-1"])).toEqual([]);
});

test("a preview without anything to undo is empty, and the undo says that there is nothing", async () => {
  const bench = await openUndoBench();
  expect(await bench.undo.preview("s", 1)).toEqual([]);
  expect((await bench.undo.undo("s")).lines.join()).toMatch(/^there is nothing to undo/);
});

test("words of a call with a key are not in the log", async () => {
  const bench = await openUndoBench({}, ["sk-verysecretvalue"]);
  await bench.run("turn-1", [["bash", { command: "echo sk-verysecretvalue > /dev/null; echo x > a.txt" }]]);
  expect((await bench.undo.undo("s")).lines).toEqual(["undone: turn 1, 1 path", "  removed     a.txt (+1)"]);
});
