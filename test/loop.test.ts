/** Checks the unattended loop as a whole program: a new session for each story until all pass or nothing progresses. */
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Scenario } from "../packages/models/test/fake-server/index.ts";
import { makePlace, program, run, start } from "./run-program.ts";
import { argumentsFor, serveModel } from "./serve-model.ts";

const server = await serveModel();

const tasks = JSON.stringify(
  {
    branchName: "tea",
    userStories: [
      { id: "US-1", title: "Green tea", priority: 2, passes: false },
      { id: "US-2", title: "Black tea", priority: 1, passes: false },
    ],
  },
  null,
  2,
);

/** A command that marks the last story of the file that does not pass yet: US-2 first. */
const markNext = `node -e '
const fs = require("fs"), t = JSON.parse(fs.readFileSync("prd.json", "utf8"));
const open = t.userStories.filter((s) => !s.passes).sort((a, b) => a.priority - b.priority)[0];
open.passes = true;
fs.writeFileSync("prd.json", JSON.stringify(t));'`;

const works: Scenario["turns"] = [
  { text: "I do it.", calls: [{ name: "bash", arguments: { command: markNext } }] },
  { text: "Story done." },
];

function loop(turns: Scenario["turns"], ...args: string[]) {
  server.use({ turns });
  const place = makePlace({ "prd.json": tasks });
  const wire = argumentsFor(server);
  return { place, args: ["loop", "prd.json", ...wire, ...args] };
}

test("Ralph: the loop works story by story in fresh conversations until all pass", async () => {
  const { place, args } = loop(works, "--mode", "bypass");
  const ended = await run(args, { place });
  expect(ended.code, ended.stderr).toBe(0);
  expect(ended.stderr).toMatch(
    /turn 1: story US-2 Black tea \(0 of 2 pass\)[\s\S]*turn 2: story US-1 Green tea \(1 of 2 pass\)/,
  );
  expect(ended.stderr).toMatch(
    /loop: all stories pass\nloop: 2 of 2 stories pass after 2 turns\n {2}✓ US-1 Green tea\n {2}✓ US-2 Black tea\n$/,
  );
  expect(ended.stdout).toBe("I do it.\nStory done.\nI do it.\nStory done.\n");
  // Four requests: each session begins with two messages.
  const lengths = server.chats.map(({ body }) =>
    Array.isArray(body?.["messages"]) ? body["messages"].length : 0,
  );
  expect(lengths).toEqual([2, 4, 2, 4]);
});

const ends: [string, Scenario["turns"], string[], number, RegExp][] = [
  [
    "nothing changes",
    [{ text: "I think about it." }],
    [],
    3,
    /no progress in 2 turns[\s\S]*0 of 2 stories pass after 2 turns/,
  ],
  ["all it asks for is denied", works, [], 4, /2 calls were denied/],
  [
    "the turns are used up",
    works,
    ["--mode", "bypass", "--max-turns", "1"],
    3,
    /limit of 1 turn\b[\s\S]*1 of 2 stories pass/,
  ],
  [
    "the model fails",
    [{ faults: [{ kind: "status", status: 401, body: { error: "no" } }] }],
    [],
    1,
    /loop: .*401/,
  ],
];
test.each(ends)("the loop ends when %s", async (_why, turns, args, code, said) => {
  const options = loop(turns, ...args);
  const ended = await run(options.args, { place: options.place });
  expect(ended.code, ended.stderr).toBe(code);
  expect(ended.stderr).toMatch(said);
});

test("Ctrl-C ends the loop with its summary", async () => {
  const { place, args } = loop([{ text: "word ".repeat(1_000), everyMs: 10 }]);
  const running = await start(args, { place, ownGroup: true });
  await running.said("word");
  process.kill(-(running.child.pid ?? 0), "SIGINT");
  const ended = await running.ended;
  expect(ended.code).toBe(130);
  expect(ended.stderr).toMatch(/loop: interrupted\nloop: 0 of 2 stories pass after 1 turn\n/);
});

test("a signal between two turns ends the loop before the next", async () => {
  const { place, args } = loop([{ text: "not asked" }]);
  // The search for changes reads all of these files, so the pause between two turns is long.
  for (let file = 0; file < 5_000; file += 1) writeFileSync(join(place.workspace, `${file}`), "");
  const asked = server.chats.length;
  // The process sends the signal to itself when it prints the line: from outside it could come too late.
  const script = `
    const write = process.stderr.write.bind(process.stderr);
    process.stderr.write = (text, ...more) => {
      if (String(text).includes("turn 1: story")) process.kill(process.pid, "SIGTERM");
      return write(text, ...more);
    };`;
  const early = `data:text/javascript,${encodeURIComponent(script)}`;
  const ended = await run(args, { place, program: [process.execPath, "--import", early, program()] });
  expect(ended.code).toBe(130);
  expect(ended.stderr).toMatch(/loop: interrupted\n/);
  expect(server.chats.length).toBe(asked);
});

test("a task file named through a symbolic link is found inside the workspace", async () => {
  const { place, args } = loop([{ text: "Not done." }], "--max-turns", "1");
  symlinkSync(place.workspace, join(place.home, "link"));
  const [, , ...others] = args;
  const link = join(place.home, "link");
  const ended = await run(["loop", join(link, "prd.json"), ...others, "-w", link], { place });
  expect(ended.stderr).toMatch(/limit of 1 turn\b/);
  expect(ended.code).toBe(3);
});

test("each session of the loop is closed at the end of its turn", async () => {
  const { place, args } = loop([], "--mode", "bypass", "--max-turns", "4", "--sandbox", "off");
  const command = `find ${place.home} -name '*.jsonl.lock' | wc -l >> open`;
  server.use({ turns: [{ calls: [{ name: "bash", arguments: { command } }] }, { text: "Done." }] });
  const ended = await run(args, { place });
  expect(ended.code, ended.stderr).toBe(3);
  expect(readFileSync(join(place.workspace, "open"), "utf8")).toBe("1\n1\n1\n1\n");
});

test.each(["text", "json", "stream-json"])(
  "a reader of the %s that is gone makes the exit code an error; streamed output ends the loop",
  async (output) => {
    const { place, args } = loop(works, "--mode", "bypass", "--output", output);
    const running = await start(args, { place });
    running.child.stdout?.destroy();
    const { code, stderr } = await running.ended;
    expect(code, stderr).toBe(1);
    expect(stderr).not.toMatch(/EPIPE|at /);
    if (output !== "json") expect(stderr).toMatch(/loop: interrupted\n.* after 1 turn\n/);
  },
);

test("a task file outside the workspace is refused", async () => {
  const { place, args } = loop(works);
  const inner = makePlace();
  const ended = await run([...args, "--workspace", inner.workspace], { place });
  expect(ended).toMatchObject({ code: 2, stderr: expect.stringMatching(/is outside the workspace/) });
  expect(readFileSync(join(place.workspace, "prd.json"), "utf8")).toBe(tasks);
});

test("with --output stream-json every event of every turn is a line", async () => {
  const { place, args } = loop(works, "--mode", "bypass", "--output", "stream-json");
  const ended = await run(args, { place });
  const events = ended.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(events.filter((event) => event.type === "turn-end")).toHaveLength(2);
  expect(new Set(events.map((event) => event.sessionId)).size).toBe(2);
});
