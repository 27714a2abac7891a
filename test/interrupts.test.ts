/** Checks Ctrl-C at any moment: text is kept, running commands end, every call has a result. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { applyEvent, emptyView, type SessionEvent, type View } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import type { Scenario } from "../packages/models/test/fake-server/index.ts";
import { hangMs } from "./measures.ts";
import { type Ended, makePlace, type Run, start } from "./run-program.ts";
import { serveModel } from "./serve-model.ts";

const server = await serveModel();

const json = () => [
  "--output",
  "stream-json",
  "--base-url",
  server.baseUrl,
  "--model",
  "fake-model",
  "--answer",
  "once",
  "go",
];

function viewOf(ended: Ended): View {
  const events: SessionEvent[] = ended.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  return events.reduce(applyEvent, emptyView);
}

/** Sends a signal to the program and everything in its process group, as a terminal does. */
function signalGroup(run: Run, signal: NodeJS.Signals): void {
  process.kill(-(run.child.pid ?? 0), signal);
}

/** Returns the processes whose command line contains the text. */
function alive(text: string): string[] {
  return readdirSync("/proc").filter((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return false;
    try {
      return readFileSync(`/proc/${name}/cmdline`, "utf8").includes(text);
    } catch {
      return false;
    }
  });
}

const slowText: Scenario = { turns: [{ text: "word ".repeat(4_000), everyMs: 10 }] };

describe("the first Ctrl-C", () => {
  test("while the model answers keeps its text", async () => {
    server.use(slowText);
    const run = await start(json(), { ownGroup: true });
    await run.said("word");
    const pressed = performance.now();
    signalGroup(run, "SIGINT");
    const ended = await run.ended;
    expect(performance.now() - pressed).toBeLessThan(hangMs);
    expect(ended.code).toBe(130);
    const view = viewOf(ended);
    expect(view.lastEnd).toMatchObject({ reason: "interrupted" });
    expect(view.messages.at(-1)).toMatchObject({
      role: "assistant",
      partial: "interrupted",
      content: expect.stringContaining("word"),
    });
    await expect.poll(() => server.chats[0]?.abandoned).toBe(true);
  });

  test("while commands run ends them and their children, and gives each call a result", async () => {
    const mark = `3${Date.now() % 1_000_000}`;
    const command = `trap '' TERM; (setsid sleep ${mark} &) ; sleep ${mark}`;
    const calls = [
      { name: "bash", arguments: { command } },
      { name: "write_file", arguments: { path: "never.txt", content: "x" } },
    ];
    server.use({ turns: [{ text: "I run it.", calls }, { text: "not reached" }] });
    const place = makePlace();
    const run = await start(json(), { place, ownGroup: true });
    await run.said('"type":"tool-start"');
    while (alive(`sleep\0${mark}`).length < 2) await sleep(10);
    const pressed = performance.now();
    signalGroup(run, "SIGINT");
    const ended = await run.ended;
    expect(performance.now() - pressed).toBeLessThan(hangMs);
    expect(alive(`sleep\0${mark}`)).toEqual([]);
    expect(ended.code).toBe(130);
    const results = viewOf(ended).messages.filter((message) => message.role === "tool");
    expect(results.map((message) => JSON.parse(message.content).error_type)).toEqual([
      "cancelled",
      "cancelled",
    ]);
    expect(existsSync(join(place.workspace, "never.txt"))).toBe(false);
    expect(server.chats).toHaveLength(1);
  });

  test("while the program waits for a retry ends the wait", async () => {
    const refusal = { kind: "status", status: 503, headers: { "retry-after": "30" } } as const;
    server.use({ turns: [{ text: "x", faults: [refusal, refusal, refusal] }] });
    const run = await start(json(), { ownGroup: true });
    await run.said("model-retry");
    signalGroup(run, "SIGINT");
    const ended = await run.ended;
    expect(ended.code).toBe(130);
    expect(viewOf(ended).lastEnd).toMatchObject({ reason: "interrupted" });
  });

  test.each(["SIGTERM", "SIGHUP"] as const)("and %s are the same", async (signal) => {
    server.use(slowText);
    const run = await start(json(), { ownGroup: true });
    await run.said("word");
    signalGroup(run, signal);
    expect((await run.ended).code).toBe(130);
  });
});

describe("the second Ctrl-C", () => {
  test("leaves at once, also when a command ignores signals", async () => {
    const mark = `4${Date.now() % 1_000_000}`;
    server.use({
      turns: [
        { calls: [{ name: "bash", arguments: { command: `trap '' TERM; sleep ${mark}; sleep ${mark}` } }] },
      ],
    });
    const run = await start([...json(), "--sandbox", "off"], { ownGroup: true });
    while (alive(`sleep\0${mark}`).length < 1) await sleep(10);
    const pressed = performance.now();
    signalGroup(run, "SIGINT");
    await sleep(250);
    signalGroup(run, "SIGINT");
    expect((await run.ended).code).toBe(130);
    expect(performance.now() - pressed).toBeLessThan(hangMs);
    expect(alive(`sleep\0${mark}`)).toEqual([]);
  });
});

test("the turn ends quietly when the reader of the events is gone", async () => {
  server.use(slowText);
  const run = await start(json());
  await run.said("word");
  run.child.stdout?.destroy();
  const ended = await run.ended;
  expect(ended.code).toBe(1);
  expect(ended.stderr).not.toMatch(/EPIPE|at /);
});

test.each(["text", "json"])(
  "when the reader of the %s is gone at the end, only the exit code says so",
  async (output) => {
    server.use({
      turns: [{ text: "I look.", calls: [{ name: "ls", arguments: {} }] }, { text: "word ".repeat(40_000) }],
    });
    const run = await start([
      "-p",
      "--output",
      output,
      "--base-url",
      server.baseUrl,
      "--model",
      "fake-model",
      "go",
    ]);
    await run.said("✓ ls");
    run.child.stdout?.destroy();
    const ended = await run.ended;
    expect(ended.code).toBe(1);
    expect(ended.stderr).not.toMatch(/EPIPE|at /);
  },
);
