/**
 * Checks in the whole program what a model gets of a long file when another request chooses the lines, and of a long output
 * when another request summarises it.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { applyEvent, emptyView, type SessionEvent } from "@localharness/protocol";
import { afterAll, describe, expect, test } from "vitest";
import {
  type BesideAnswer,
  noAnswer,
  type ScriptedAnswer,
  startWindowServer,
} from "../bench/context/window-server.ts";
import { makePlace, type Place, removePlaces, run, start } from "./run-program.ts";

afterAll(removePlaces);

const lines = (name: string) =>
  Array.from({ length: 150 }, (_, index) =>
    index % 30 === 0 ? `function ${name}${index}() {` : `  step(${index});`,
  );
const source = (name: string) => `${lines(name).join("\n")}\n`;
const choice = (start: number, end: number) => JSON.stringify({ ranges: [{ start, end }] });
const isChoice = (body: string) => body.includes("You choose which lines of a file");

interface Reading {
  readonly place: Place;
  /** The answer to the request beside the conversation. */
  readonly answer?: BesideAnswer;
  readonly message?: string;
  readonly mode?: string;
  readonly args?: Readonly<Record<string, string | number>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a server whose model first reads `long.js`. */
function serveReader(answer: BesideAnswer = choice(61, 90), args: Reading["args"] = {}) {
  const call: ScriptedAnswer = { calls: [{ name: "read_file", arguments: { path: "long.js", ...args } }] };
  return startWindowServer({
    window: 16_384,
    count: (body) => Math.ceil(body.length / 4),
    tooLong: "refuse",
    answerOf: (index) => (index === 0 ? call : { text: "Done." }),
    answerBeside: (body) => (isChoice(body) ? answer : undefined),
  });
}

const optionsFor = (origin: string) => [
  "--base-url",
  `${origin}/v1`,
  "--model",
  "small",
  "--tools",
  "minimal",
];

/** Lets the model read `long.js` in a new session. Resolves to the result that it gets and the requests beside. */
async function readLong({
  place,
  answer,
  message = "What does f60 do?",
  mode = "on",
  args,
  env = {},
}: Reading) {
  const server = await serveReader(answer, args);
  const options = [...optionsFor(server.origin), "-p", message];
  const { code, stderr } = await run(options, { place, env: { LOCALHARNESS_CURATOR: mode, ...env } });
  await server.close();
  expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
  const result = JSON.parse(String(JSON.parse(server.prompts[1]?.body ?? "{}").messages.at(-1).content));
  return { data: String(result.data), notes: JSON.stringify(result.notes ?? []), beside: server.beside };
}

const makeLong = () => makePlace({ "long.js": source("f") });

test("Local Harness: a curator chooses the lines of a long file in isolation, and keeps its choice", async () => {
  const place = makeLong();
  const first = await readLong({ place });
  expect(first.data).toMatch(/^\[lines 1-60 are left out: [^\n]+\]\n61: function f60\(\) \{\n62: /);
  expect(first.data).toMatch(/\n90: [^\n]+\n\[lines 91-150 are left out: [^\n]+\]$/);
  expect(first.notes).toContain("Only the lines that seem to be needed are shown.");
  const [asked] = first.beside.map(({ body }) => JSON.parse(body));
  expect(asked.messages).toHaveLength(2);
  expect(asked.tools).toBeUndefined();
  expect(asked.messages[1].content).toContain("What does f60 do?");

  const again = await readLong({ place });
  expect({ data: again.data, beside: again.beside }).toEqual({ data: first.data, beside: [] });

  const otherNeed = await readLong({ place, message: "Rename f0 to start.", answer: choice(1, 30) });
  expect(otherNeed.beside).toHaveLength(1);
  expect(otherNeed.data).toMatch(/^1: function f0/);

  writeFileSync(join(place.workspace, "long.js"), source("g"));
  const changed = await readLong({ place });
  expect(changed.beside).toHaveLength(1);
  expect(changed.data).toContain("61: function g60");
});

describe("an answer that cannot be used gives the outline", () => {
  test.each([
    ["prose", "I think that lines 61 to 90 matter."],
    ["ranges outside of the file", choice(400, 500)],
    ["a range backwards", choice(90, 61)],
    ["nothing", "{}"],
  ])("%s", async (_what, answer) => {
    const { data, notes } = await readLong({ place: makeLong(), answer });
    expect(notes).toContain("The lines to show could not be chosen.");
    expect(data).toMatch(/\n61: function f60\(\) \{\n\[lines 62-90 are left out/);
  });
});

test.each<[string, BesideAnswer]>([
  ["that the server refuses", false],
  ["that takes longer than `limits.beside_seconds`", noAnswer],
])("a request %s gives the outline", async (_what, answer) => {
  const env = { LOCALHARNESS_BESIDE_SECONDS: "1" };
  const { data, notes, beside } = await readLong({ place: makeLong(), answer, env });
  expect(beside).toHaveLength(1);
  expect(notes).toContain("The lines to show could not be chosen.");
  expect(data).toMatch(/\n61: function f60\(\) \{\n\[lines 62-90 are left out/);
});

test("Ctrl+C during the request ends the turn, and the session goes on with a result for the call", async () => {
  const place = makeLong();
  const server = await serveReader(noAnswer);
  const env = { LOCALHARNESS_CURATOR: "on" };
  const options = [...optionsFor(server.origin), "--output", "stream-json", "-p", "What does f60 do?"];
  const running = await start(options, { place, env, ownGroup: true });
  await running.said("choosing the lines to show");
  await expect.poll(() => server.beside.length).toBe(1);
  running.child.kill("SIGINT");
  const { code, stdout } = await running.ended;
  expect(code).toBe(130);
  const events: SessionEvent[] = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const view = events.reduce(applyEvent, emptyView);
  expect(view.lastEnd).toMatchObject({ reason: "interrupted" });
  const after = await run([...optionsFor(server.origin), "--continue", "-p", "Go on."], { place, env });
  await server.close();
  expect(after).toMatchObject({ code: 0, stdout: "Done.\n" });
  const { messages } = JSON.parse(server.prompts[1]?.body ?? "{}");
  const [asked, called, result, more] = messages.slice(1);
  expect(asked.content).toContain("What does f60 do?");
  expect(called.tool_calls[0].function.name).toBe("read_file");
  expect(JSON.parse(result.content).data).toMatch(/\n61: function f60\(\) \{\n\[lines 62-90 are left out/);
  expect(more.content).toContain("Go on.");
});

test("a file that a message names with @ is shown in outline, without a request", async () => {
  const server = await startWindowServer({
    window: 16_384,
    count: (body) => Math.ceil(body.length / 4),
    tooLong: "refuse",
    answerOf: () => ({ text: "Done." }),
    answerBeside: (body) => (isChoice(body) ? choice(61, 90) : undefined),
  });
  const options = [...optionsFor(server.origin), "-p", "What does f60 do? @long.js"];
  const env = { LOCALHARNESS_CURATOR: "on" };
  expect(await run(options, { place: makeLong(), env })).toMatchObject({ code: 0 });
  await server.close();
  expect(server.beside).toEqual([]);
  const text = JSON.stringify(JSON.parse(server.prompts[0]?.body ?? "{}").messages);
  expect(text).toContain("61: function f60() {\\n[lines 62-90 are left out: read_file with");
});

describe("a file is shown as without a curator", () => {
  test.each<[string, Partial<Reading>, number]>([
    ["if the answer names the whole file", { answer: choice(1, 150) }, 1],
    ["if the call names a range", { args: { offset: 1, limit: 150 } }, 0],
    ["in mode auto, if it fits into a result", { mode: "auto" }, 0],
    ["in mode off", { mode: "off" }, 0],
  ])("%s", async (_what, reading, requests) => {
    const { data, beside } = await readLong({ place: makeLong(), ...reading });
    expect(data).toContain("1: function f0");
    expect(data).toContain("150:   step(149);");
    expect(data).not.toContain("left out");
    expect(beside).toHaveLength(requests);
  });
});

const key = "sk-test-0123456789abcdef";

/** Lets the model run a command with a long output. Resolves to the result that it gets and the requests beside. */
async function runLong(isOn: boolean, answer: string | false) {
  const lines = 'for i in $(seq 3000); do echo "test $i passed"; done';
  const command = `${lines}; echo "key ${key}"; ${lines}; exit 3`;
  const server = await startWindowServer({
    window: 65_536,
    count: (body) => Math.ceil(body.length / 4),
    tooLong: "refuse",
    answerOf: (index) =>
      index === 0 ? { calls: [{ name: "bash", arguments: { command } }] } : { text: "Done." },
    answerBeside: (body) => (body.includes("You summarise the output of a command") ? answer : undefined),
  });
  const place = makePlace();
  const where = ["--base-url", `${server.origin}/v1`, "--model", "small"];
  const options = [...where, "--mode", "bypass", "--sandbox", "off", "-p", "Do the tests pass?"];
  const env = { LOCALHARNESS_OUTPUT_SUMMARIES: String(isOn), XAI_API_KEY: key };
  const { code, stderr } = await run(options, { place, env });
  await server.close();
  expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
  const result = JSON.parse(String(JSON.parse(server.prompts[1]?.body ?? "{}").messages.at(-1).content));
  return { data: String(result.data), beside: server.beside.map(({ body }) => body) };
}

describe("a long output of a command", () => {
  test("ends with a summary, which a request in isolation makes without known keys", async () => {
    const { data, beside } = await runLong(true, "All 6000 tests passed.");
    expect(data).toMatch(/^test 1 passed\n/);
    expect(data).toMatch(
      /\ntest 3000 passed\n\[summary of the whole output by a model:\]\nAll 6000 tests passed\.\n\[\d+ bytes; the whole output is in .*\]\nexit code: 3$/,
    );
    expect(beside).toHaveLength(1);
    expect(beside[0]).toContain("Do the tests pass?");
    expect(beside[0]).toContain("test 2999 passed");
    expect(beside[0]).not.toContain(key);
  });

  test.each<[string, boolean, string | false, number]>([
    ["if the server refuses the request", true, false, 1],
    ["if the answer is empty", true, " ", 1],
    ["if the setting is off", false, "unused", 0],
  ])("has no summary %s", async (_what, isOn, answer, requests) => {
    const { data, beside } = await runLong(isOn, answer);
    expect(data).toMatch(/\ntest 3000 passed\n\[\d+ bytes; the whole output is in .*\]\nexit code: 3$/);
    expect(data).not.toContain("summary");
    expect(beside).toHaveLength(requests);
  });
});
