/** Checks the recovery ladder in the whole program: each rung is reached, counted, and shown by `models --stats`. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { detect, exampleCall, formats, summarize } from "@localharness/detect";
import type { JsonObject, SessionEvent } from "@localharness/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type FakeServer,
  fakeModelName,
  type ScriptedTurn,
  startFakeServer,
} from "../packages/models/test/fake-server/index.ts";
import { makePlace, type Place, run } from "./run-program.ts";

let server: FakeServer;
const place: Place = makePlace({ "a.txt": "alpha\n", "b.txt": "beta\n" });
beforeAll(async () => {
  server = await startFakeServer({ turns: [] });
});
afterAll(async () => {
  await server.close();
  rmSync(join(place.home, ".."), { recursive: true, force: true });
});

async function turn(turns: readonly ScriptedTurn[]) {
  server.use({ turns });
  const flags = [
    "--provider",
    "custom",
    "--base-url",
    server.baseUrl,
    "--model",
    fakeModelName,
    "--mode",
    "bypass",
  ];
  const { code, stdout } = await run([...flags, "--output", "stream-json", "-p", "Go."], { place });
  const events = stdout
    .trim()
    .split("\n")
    .map((line): SessionEvent => JSON.parse(line));
  return { code, events, last: events.at(-1) };
}

function read(path: string, more: object = {}) {
  return { name: "read_file", arguments: { path, ...more } as JsonObject };
}

function corrections(events: readonly SessionEvent[]): string[] {
  return events.flatMap((event) =>
    event.type === "user-message" && event.from === "harness" ? [event.content] : [],
  );
}

test("every rung is counted per model", async () => {
  const { last } = await turn([
    { calls: [read("a.txt")] },
    { calls: [{ ...read("b.txt"), argumentsText: '{"path": "b.txt",}' }] },
    { calls: [read("a.txt")], writtenAs: "mistral", text: "Once more." },
    { calls: [read("b.txt", { offset: "1" })], writtenAs: "hermes" },
    { calls: [read("a.txt", { offset: "1" })] },
    { calls: [read("a.txt", { offset: "first" })] },
    { calls: [{ name: "raed_nothing", arguments: {} }] },
    { text: '<tool_call>{"name": "read_file", "arguments": {"path": ' },
    { text: "Done." },
  ]);
  expect(last).toMatchObject({ type: "turn-end", reason: "done" });
  const shown = await run(["models", "--stats", "--json"], { place });
  const counts = {
    native: 4,
    repaired: 1,
    fromText: 2,
    fromTextRepaired: 0,
    coerced: 2,
    corrected: 3,
    deadEnds: 0,
    turns: 1,
  };
  expect(JSON.parse(shown.stdout)).toEqual({
    models: [{ provider: "custom", model: fakeModelName, counts }],
  });
  const table = await run(["models", "--stats"], { place });
  expect(table.stdout).toMatch(/^model +calls +native/);
  expect(table.stdout).toMatch(/^custom\/fake-model +7 +4 +1 +2 +2 +3 +0$/m);
});

describe("a call that cannot be read", () => {
  const broken = formats
    .filter((row) => ["hermes", "qwen-coder", "glm", "deepseek", "kimi-k2", "lfm2", "gemma"].includes(row.id))
    .map((row) => ({ id: row.id, text: row.example.slice(0, row.example.indexOf("a.txt") + 2) }));

  test.each(broken)("is corrected by an example in the model's own format: $id", async ({ id, text }) => {
    const { events, last } = await turn([
      { text },
      { ...{ calls: [read("a.txt")] }, writtenAs: id },
      { text: "Done." },
    ]);
    const [note = "", ...others] = corrections(events);
    expect(others).toEqual([]);
    const tools = [
      {
        name: "read_file",
        parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
      },
    ];
    // The note shows a valid call in that format.
    expect(note).toContain(exampleCall(id, tools[0] ?? { name: "" }));
    const shown = summarize(
      detect(exampleCall(id, { name: "read_file", ...tools[0] }), { tools, format: id }),
    );
    expect(shown.calls).toMatchObject([{ name: "read_file", format: id }]);
    expect(events.filter((event) => event.type === "tool-result")).toMatchObject([
      { result: { success: true } },
    ]);
    expect(last).toMatchObject({ type: "turn-end", reason: "done" });
  });

  test("is corrected twice in a turn, then the turn ends and says why", async () => {
    const text = '<tool_call>{"name": "read_file", "arguments": {"path": "a';
    const { code, events, last } = await turn([{ text }, { text }, { text }, { text: "never asked for" }]);
    expect(corrections(events)).toHaveLength(2);
    expect(events.filter((event) => event.type === "iteration-start")).toHaveLength(3);
    expect(last).toMatchObject({ type: "turn-end", reason: "error", code: "unreadable-call" });
    expect(code).toBe(1);
    const stats = JSON.parse(
      readFileSync(join(place.home, ".local/state/localharness/model-stats.json"), "utf8"),
    );
    expect(stats.models).toMatchObject([{ model: fakeModelName, deadEnds: 1 }]);
  });
});

test("without counts the command says so", async () => {
  const { code, stdout } = await run(["models", "--stats"]);
  expect([code, stdout]).toEqual([0, "No tool calls have been counted yet.\n"]);
});
