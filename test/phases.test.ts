/** Checks that the phases of a model call are events of the whole program, shown on a terminal, and not in session files. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasScript, startScreen } from "./run-in-terminal.ts";
import { makePlace, run } from "./run-program.ts";
import { argumentsFor, serveModel } from "./serve-model.ts";

const server = await serveModel();
const wire = () => argumentsFor(server);

function eventsOf(stdout: string): readonly { readonly type: string; readonly phase?: string }[] {
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

test("stream-json has the phases in order, each with its time; the session's file has none of them", async () => {
  const place = makePlace();
  server.use({ turns: [{ reasoning: "Hm.", text: "Yes." }] });
  const { stdout } = await run(["-p", "--output", "stream-json", ...wire(), "go"], { place });
  const events = eventsOf(stdout);
  const phases = events.filter(({ type }) => type === "model-phase");
  expect(phases.map(({ phase }) => phase)).toEqual(["connecting", "reading", "thinking", "writing"]);
  expect(phases[1]).toMatchObject({ atMs: expect.any(Number), tokens: expect.any(Number) });
  const state = join(place.home, ".local/state/localharness");
  const files = readdirSync(state, { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith(".jsonl"),
  );
  const saved = files.map((path) => readFileSync(join(state, path), "utf8")).join("");
  expect(saved).toContain('"Yes."');
  expect(saved).not.toContain("model-phase");
});

test("the second request of a turn says how long reading takes, from the speed of the first one", async () => {
  const look = { name: "ls", arguments: {} };
  server.use({ turns: [{ calls: [look] }, { text: "Two." }] });
  const { stdout } = await run(["-p", "--output", "stream-json", ...wire(), "one ".repeat(3_000)]);
  const reading = eventsOf(stdout).filter(({ phase }) => phase === "reading");
  expect(reading).toHaveLength(2);
  expect(reading[0]).not.toHaveProperty("expectedMs");
  expect(reading[1]).toHaveProperty("expectedMs");
});

test("without a terminal nothing is shown, unless a phase lasts 10 s", async () => {
  server.use({ turns: [{ text: "Yes." }] });
  const { stdout, stderr } = await run(["-p", ...wire(), "go"]);
  expect(stdout).toBe("Yes.\n");
  expect(stderr).not.toMatch(/(?:reading the prompt|connecting to the server)(?!.*, \d\d+ s)/);
});

describe.skipIf(!hasScript())("in a terminal (needs util-linux script)", () => {
  test("-p says what it waits for, and removes the line before the answer", async () => {
    server.use({ turns: [{ reasoning: "Hm.", text: "Yes, it is." }] });
    const screen = await startScreen(["-p", ...wire(), "go"]);
    await screen.said("code=0");
    const text = screen.text();
    const removed = "\r\u001b[K";
    expect(text).toContain(`${removed}· reading the prompt${removed}· thinking${removed}Yes, it is.`);
    screen.end();
  });
});
