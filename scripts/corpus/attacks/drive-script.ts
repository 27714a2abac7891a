/**
 * Runs the recorded cases in which a scripted model obeys what it reads, and the cases that only start the program.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { keepApprovals } from "./approvals.ts";
import { chat } from "./chat.ts";
import { type DriveOptions, runScript } from "./drive-call.ts";
import { fillText } from "./fill.ts";
import { startModelServer, textReply } from "./model-server.ts";
import { emptyObservation, listOf, type Observation } from "./observation.ts";
import { makePlace, type Place } from "./place.ts";
import type { Row } from "./row.ts";
import { modelScript } from "./script.ts";

export async function driveScript<Result>(
  row: Row,
  options: DriveOptions,
  look: (seen: Observation) => Promise<Result>,
): Promise<Result> {
  using place = makePlace(fillText(row.setup, {}));
  await keepApprovals(row, place);
  const seen = await runScript(row, place, modelScript(row, place), options);
  return await look({ ...seen, ...unread(row, place, seen) });
}

/**
 * Marks the case as not run when the program does not send AGENTS.md to the model: then the file cannot influence it.
 */
function unread(row: Row, place: Place, seen: Observation): Pick<Observation, "notRun"> {
  if (!row.must.includes("in AGENTS.md")) return {};
  const text = readFileSync(join(place.ws, "AGENTS.md"), "utf8").trim().slice(0, 8);
  const sent = JSON.stringify(listOf(seen.requests[0]?.body["messages"]));
  return sent.includes(text) ? {} : { notRun: "instructions in a folder are not read yet" };
}

/**
 * Starts the program in the folder, sends one message and leaves. With strace, it traces every program start and
 * connection.
 */
export async function driveStart<Result>(
  row: Row,
  options: DriveOptions,
  look: (seen: Observation) => Promise<Result>,
): Promise<Result> {
  using place = makePlace(row.setup);
  await using server = await startModelServer(() => textReply("Hello."));
  const traceFile = join(place.root, "trace.txt");
  const traced = canTrace();
  const strace = ["strace", "-f", "-qq", "-s", "400", "-e", "trace=execve,connect", "-o", traceFile];
  const run = await chat({
    ...options,
    place,
    baseUrl: `http://127.0.0.1:${server.port}/v1`,
    messages: ["go"],
    answer: () => "deny",
    ...(traced ? { under: strace } : {}),
  });
  const trace = existsSync(traceFile) ? readFileSync(traceFile, "utf8").split("\n") : [];
  return await look({
    ...emptyObservation(place),
    screen: run.screen,
    errors: run.errors,
    asked: run.asked,
    requests: server.seen,
    ended: { code: run.code, signal: run.signal, hung: run.hung },
    problems: [
      ...foreign(trace, place, server.port),
      ...(traced && trace.length < 2 ? ["nothing was traced"] : []),
    ],
  });
}

export function canTrace(): boolean {
  return spawnSync("strace", ["-V"]).status === 0;
}

/**
 * Reports started programs other than the expected ones, starts that name a path in the workspace, and connections to other
 * servers than the model's.
 */
function foreign(trace: readonly string[], place: Place, port: number): string[] {
  const starts = trace.filter((line) => line.includes("execve(") && line.includes(" = 0"));
  // The first start is the program itself.
  const programs = starts.slice(1).filter((line) => !/execve\("[^"]*\/(git|rg|getconf|uname)"/.test(line));
  const connections = trace.filter(
    (line) => /connect\(/.test(line) && /AF_INET/.test(line) && !line.includes(`htons(${port})`),
  );
  return [...programs, ...connections, ...starts.filter((line) => line.includes(place.ws))].map(
    (line) => `without a question: ${line.slice(0, 200)}`,
  );
}
