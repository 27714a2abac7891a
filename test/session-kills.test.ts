/**
 * Kills the program at any step of a session: everything it printed is on disk, the transcript is valid, and `--continue`
 * continues the task. `LOCALHARNESS_KILLS=200` tries more kills.
 */
import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { closeHistory, createTranscript } from "@localharness/engine";
import { emptyView, foldEvents, type SessionEvent } from "@localharness/protocol";
import { openKeptSessions } from "localharness";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type FakeServer,
  type ScriptedTurn,
  startFakeServer,
} from "../packages/models/test/fake-server/index.ts";
import { type Fault, killsIn } from "./faults/disk-faults.ts";
import { countSteps, type Steps, type StepsTaken } from "./faults/kill-at-step.ts";
import { killCount } from "./faults/kill-count.ts";
import { makePlace, type Place, program, run } from "./run-program.ts";

const rounds = killCount(10);

const script: readonly ScriptedTurn[] = [
  { text: "I look first. ", calls: [{ name: "ls", arguments: {} }] },
  {
    reasoning: "It needs two files. ".repeat(10),
    calls: [
      { name: "write_file", arguments: { path: "a.txt", content: "a\n".repeat(200) } },
      { name: "read_file", arguments: { path: "notes.md" } },
      { name: "bash", arguments: { command: "sleep 0.05; echo done" } },
    ],
  },
  {
    text: "Half of it is done. ".repeat(20),
    calls: [{ name: "grep_search", arguments: { pattern: "tea" } }],
  },
  { text: "All of it is done. ".repeat(40) },
];
/** Repeats the script, so that it has an answer whatever number of answers the transcript already has. */
const turns = Array.from({ length: 40 }, (_, index) => script[index % script.length] ?? {});

let server: FakeServer;
beforeAll(async () => {
  server = await startFakeServer({ turns, everyMs: 2 });
});
afterAll(() => server.close());

const args = (...more: string[]) => [
  ...["--output", "stream-json", "--base-url", server.baseUrl, "--model", "fake-model", "--answer", "once"],
  ...more,
];

/** Events that may be missing: they are written together with the next event, after half a second, or not at all. */
const unimportant: readonly string[] = [
  ...[
    "text-delta",
    "reasoning-delta",
    "tool-call-start",
    "tool-call-delta",
    "tool-call-end",
    "tool-progress",
    "model-phase",
  ],
  ...["usage", "agent-usage", "executor-state", "iteration-start", "iteration-end", "turn-start"],
];

const counted = join(import.meta.dirname, "faults", "count-steps.ts");

interface Begun {
  /** The events that the program printed until it ended or was killed. */
  readonly said: readonly SessionEvent[];
  readonly signal: NodeJS.Signals | null;
}

/** Runs the task until it ends or is killed. */
async function begin(place: Place, steps: Omit<Steps, "folder">): Promise<Begun> {
  const { stdout, signal } = await run(args("do the task"), {
    place,
    program: [process.execPath, "--import", counted, program()],
    env: countSteps({ folder: dirname(place.home), ...steps }),
  });
  // The last line may be cut off.
  const lines = stdout.split("\n").slice(0, -1);
  return { said: lines.map((line) => JSON.parse(line)), signal };
}

/** The number of steps by which a kill comes earlier if a run ended before it. */
const earlier = 5;

/**
 * Runs the task until it is killed. A run may take fewer steps than the counted one, because on a busy machine it writes streamed
 * text less often. If it ended before the kill, the task is run again, with an earlier kill.
 */
async function beginKilled(kill: Fault): Promise<{ place: Place; at: number; said: Begun["said"] }> {
  for (let { at } = kill; at > 0; at -= earlier) {
    const place = newPlace();
    const { said, signal } = await begin(place, { kill: { ...kill, at } });
    if (signal === "SIGKILL") return { place, at, said };
    expect(signal).toBe(null);
  }
  throw new Error("the run takes no step at which it could be killed");
}

/** Returns kills at steps after the first output, because only then a session exists. */
async function killsOfTask(): Promise<readonly Fault[]> {
  const place = newPlace();
  const report = join(dirname(place.home), "steps");
  expect((await begin(place, { report })).signal).toBe(null);
  const { operations, beforeFirstWord }: StepsTaken = JSON.parse(readFileSync(report, "utf8"));
  expect(beforeFirstWord).toBeGreaterThan(0);
  const rest = operations.slice(beforeFirstWord);
  expect(rest.length).toBeGreaterThan(2 * rounds);
  return killsIn(rest, rounds).map((kill) => ({ ...kill, at: kill.at + beforeFirstWord }));
}

const newPlace = () => makePlace({ "notes.md": "tea\n" });

/** Returns the saved events of the only session of a place. */
async function keptEvents({ home, workspace }: Place): Promise<readonly SessionEvent[]> {
  const stateFolder = join(home, ".local", "state", "localharness");
  const parts = { stateFolder, workspace: realpathSync(workspace), systemPrompt: "" };
  const sessions = openKeptSessions({ ...parts, mask: (text) => text, secrets: [] });
  const [name = "", ...others] = readdirSync(sessions.folder).filter((one) => one.endsWith(".jsonl"));
  expect(others).toEqual([]);
  const events = await sessions.readEvents(name.slice(0, -".jsonl".length));
  sessions.close();
  return events;
}

/** Describes what is wrong with a session after a kill. */
async function problemsOf(place: Place, said: readonly SessionEvent[]): Promise<readonly string[]> {
  const found: string[] = [];
  const events = await keptEvents(place);
  const kept = new Map(events.map((event) => [event.seq, JSON.stringify(event)]));
  for (const event of said) {
    if (unimportant.includes(event.type)) continue;
    const there = kept.get(event.seq);
    if (there === undefined) found.push(`${event.type} ${event.seq} was said and is not there`);
    else expect(JSON.parse(there)).toEqual(event);
  }
  found.push(...invalidities(closeHistory(events)));
  return found;
}

/** Describes calls without exactly one result in order, and turns left open. */
function invalidities(events: readonly SessionEvent[]): readonly string[] {
  const view = foldEvents(emptyView, events);
  const transcript = createTranscript();
  try {
    for (const message of view.messages) transcript.append(message);
  } catch (error) {
    return [String(error)];
  }
  return [
    ...(transcript.openCalls.length > 0 ? [`${transcript.openCalls.length} calls have no result`] : []),
    ...(view.turn.running ? ["a turn is still running"] : []),
    ...(view.running.length > 0 ? ["a call is still running"] : []),
  ];
}

/** Runs one kill and continues the session. Describes what is wrong. */
async function round(
  kill: Fault,
): Promise<{ readonly said: readonly SessionEvent[]; readonly wrong: string }> {
  const { place, at, said } = await beginKilled(kill);
  const found = [...(await problemsOf(place, said))];
  const again = await run(args("--continue", "go on"), { place });
  if (again.code !== 0) found.push(`--continue ended with ${again.code}: ${again.stderr.slice(-300)}`);
  if (!again.stdout.includes('"session-resumed"')) found.push("--continue did not go on with the session");
  const events = await keptEvents(place);
  found.push(...invalidities(events));
  const asked = events.flatMap((event) =>
    event.type === "user-message" && event.from === "person" ? [event.content] : [],
  );
  if (asked.join() !== "do the task,go on") found.push(`the person said: ${asked.join()}`);
  if (events.at(-1)?.type !== "turn-end") found.push(`it ends with ${events.at(-1)?.type}`);
  const where = `killed at step ${at} after ${said.at(-1)?.type}`;
  return { said, wrong: found.length === 0 ? "" : `${where}: ${found.join("; ")}` };
}

test("no printed event is lost, and the task continues", async () => {
  const done: Awaited<ReturnType<typeof round>>[] = [];
  // Two at a time, because a round mostly waits.
  const left = (await killsOfTask()).values();
  const worker = async () => {
    for (const kill of left) done.push(await round(kill));
  };
  await Promise.all([worker(), worker()]);
  if (process.env["LOCALHARNESS_KILLS"] !== undefined) {
    const events = done.reduce((sum, { said }) => sum + said.length, 0);
    const last = new Set(done.map(({ said }) => said.at(-1)?.type));
    console.log(`${done.length} kills, ${events} events said, last said: ${[...last].join(" ")}`);
  }
  expect(done).toHaveLength(rounds);
  expect(done.filter(({ wrong }) => wrong !== "").map(({ wrong }) => wrong)).toEqual([]);
}, 1_800_000);
