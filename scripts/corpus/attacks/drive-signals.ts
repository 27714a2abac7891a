/** Runs the recorded cases in which the program is interrupted or killed while a command runs. */
import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { isJsonObject } from "@localharness/protocol";
import { type ChatRun, chat } from "./chat.ts";
import type { DriveOptions } from "./drive-call.ts";
import { callsReply, type SeenRequest, startModelServer, textReply } from "./model-server.ts";
import { emptyObservation, type Observation, resultsOf } from "./observation.ts";
import { makePlace, type Place } from "./place.ts";
import { leftRunning, startsRunning } from "./processes.ts";
import type { Row } from "./row.ts";

/** One way to end the program: the signals to send, one after the other. */
interface Ending {
  readonly name: string;
  readonly signals: readonly NodeJS.Signals[];
  /** True for every ending: the signals go to the program alone, not to its process group as from a terminal. */
  readonly alone: boolean;
  /** Milliseconds within which the command must have ended. */
  readonly goneMs: number;
  /** The messages to type; more than one when the chat continues after the signal. */
  readonly messages: readonly string[];
}

const endings: Readonly<Record<string, readonly Ending[]>> = {
  SIGINT: [
    { name: "Ctrl-C", signals: ["SIGINT"], alone: true, goneMs: 2_000, messages: ["go", "again"] },
    { name: "Ctrl-C twice", signals: ["SIGINT", "SIGINT"], alone: true, goneMs: 3_000, messages: ["go"] },
  ],
  "SIGHUP,SIGKILL": [
    { name: "SIGHUP", signals: ["SIGHUP", "SIGHUP"], alone: true, goneMs: 2_000, messages: ["go"] },
    { name: "SIGTERM", signals: ["SIGTERM", "SIGTERM"], alone: true, goneMs: 2_000, messages: ["go"] },
    { name: "SIGKILL", signals: ["SIGKILL"], alone: true, goneMs: 5_000, messages: ["go"] },
  ],
};

export async function driveSignals<Result>(
  row: Row,
  options: DriveOptions,
  look: (seen: Observation) => Promise<Result>,
): Promise<Result> {
  using place = makePlace(row.setup);
  const problems: string[] = [];
  let screen = "";
  for (const ending of endings[row.signal ?? ""] ?? []) {
    const ended = await endDuringCall(row, place, options, ending);
    screen += ended.run.screen;
    problems.push(...ended.problems.map((problem) => `${ending.name}: ${problem}`));
  }
  if (screen === "") problems.push(`unknown signal ${row.signal}`);
  return await look({ ...emptyObservation(place), screen, problems, found: { watched: true } });
}

async function endDuringCall(row: Row, place: Place, options: DriveOptions, ending: Ending) {
  const command = `echo begun; ${String(row.arguments?.["command"])}`;
  const pattern = new RegExp(
    isJsonObject(row.check["procs_gone"] ?? null) ? String(row.arguments?.["command"]) : "",
  );
  const call = { name: "bash", argumentsText: JSON.stringify({ command }) };
  await using server = await startModelServer((_request, count) =>
    count === 0 ? callsReply([call]) : textReply("Done."),
  );
  const problems: string[] = [];
  let ended: Promise<void> | undefined;
  const run = await chat({
    ...options,
    place,
    baseUrl: `http://127.0.0.1:${server.port}/v1`,
    messages: ending.messages,
    answer: () => "once",
    onStart: (child) => {
      ended = endWhenRunning(child, place, pattern, ending, problems);
    },
  });
  await ended;
  if (ending.messages.length > 1) problems.push(...afterInterrupt(run, server.seen));
  return { run, problems };
}

async function endWhenRunning(
  child: ChildProcess,
  place: Place,
  pattern: RegExp,
  ending: Ending,
  problems: string[],
): Promise<void> {
  // The pattern is anchored, so that the shell, which has the command in its arguments, does not match.
  if (!(await startsRunning(place.root, new RegExp(`^${pattern.source}$`), 10_000))) {
    problems.push("the command never ran");
    return;
  }
  await sleep(100);
  const pressed = performance.now();
  for (const [index, signal] of ending.signals.entries()) {
    // Two presses at the same time would count as one.
    if (index > 0) await sleep(150);
    if (child.exitCode === null && child.pid !== undefined) process.kill(child.pid, signal);
  }
  const alive = await leftRunning(place.root, pattern, ending.goneMs - (performance.now() - pressed));
  if (alive.length > 0) problems.push(`still alive after ${ending.goneMs} ms: ${alive.join(", ")}`);
}

/** Checks that after one press the chat continues, and the model gets a cancelled result with the output so far. */
function afterInterrupt(run: ChatRun, seen: readonly SeenRequest[]): string[] {
  const [result] = resultsOf(seen);
  const problems: string[] = [];
  if (run.code !== 0) problems.push(`expected the chat to continue, it ended with ${run.signal ?? run.code}`);
  if (result?.errorType !== "cancelled") problems.push(`expected a cancelled call, got ${result?.errorType}`);
  if (result?.text.includes("begun") === false) problems.push("the output of the command is lost");
  return problems;
}
