/** Runs the recorded cases about files that several processes write at once, or that a killed process was writing. */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject } from "@localharness/protocol";
import { createTools, openToolResources } from "@localharness/tools";
import { openWorkbench } from "localharness";
import { chat } from "./chat.ts";
import type { DriveOptions } from "./drive-call.ts";
import { runHost } from "./drive-repeat.ts";
import { canTrace } from "./drive-script.ts";
import { jsonRun } from "./json-run.ts";
import { callsReply, put, startModelServer, textReply } from "./model-server.ts";
import { emptyObservation, type Observation } from "./observation.ts";
import { canaries, makePlace, type Place } from "./place.ts";
import { environment } from "./program.ts";
import type { Row } from "./row.ts";
import { RowError } from "./row-error.ts";

type Look<Result> = (seen: Observation) => Promise<Result>;

/** Lets many processes remember answers at once, while the file is read continuously. */
export async function driveRememberers<Result>(
  row: Row,
  options: DriveOptions,
  look: Look<Result>,
): Promise<Result> {
  using place = makePlace(row.setup);
  const folder = join(place.home, ".config", "localharness");
  const { processes = 2, rules_each: rules = 1 } = row.arguments ?? {};
  const counts = { reads: 0, invalidReads: 0 };
  const over = new AbortController();
  const reading = readAllTheTime(join(folder, "policies.json"), counts, over.signal);
  const runs = Array.from({ length: Number(processes) }, (_, number) =>
    runHost(
      "remember-many.ts",
      { ws: place.ws, folder, number, rules: Number(rules) },
      place,
      options.limitMs * 4,
    ),
  );
  const ended = await Promise.all(runs);
  over.abort();
  await reading;
  const bench = await openWorkbench({ values: {}, origins: {}, folder }, place.ws, "all");
  const kept = (await bench.policyStore.load()).rules.length;
  await bench.close();
  const failed = ended
    .filter((run) => run.code !== 0)
    .map((run) => `a process failed: ${run.text.slice(-200)}`);
  return await look({
    ...emptyObservation(place),
    found: { ...counts, rules: kept },
    problems: failed.slice(0, 1),
  });
}

async function readAllTheTime(
  path: string,
  counts: { reads: number; invalidReads: number },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await sleep(2);
    if (!existsSync(path)) continue;
    counts.reads += 1;
    try {
      JSON.parse(readFileSync(path, "utf8"));
    } catch {
      counts.invalidReads += 1;
    }
  }
}

/** Repeatedly kills, each time at another moment, a process that writes a large file. */
export async function driveKilledWriter<Result>(
  row: Row,
  _options: DriveOptions,
  look: Look<Result>,
): Promise<Result> {
  if (row.tool !== "write_file") throw new RowError(`no driver can kill ${row.tool} while it works`);
  using place = makePlace(row.setup);
  const path = join(place.ws, "big.bin");
  const length = await acceptedLength(place, path);
  const job = { ws: place.ws, path: "big.bin", length };
  let mixed = 0;
  let written = 0;
  const times = row.repeat ?? 1;
  let next = startWriter(job, place);
  for (let round = 0; round < times; round += 1) {
    const writer = next;
    await writer.ready;
    // The next writer starts meanwhile.
    if (round + 1 < times) next = startWriter(job, place);
    // The moments range from the first byte of the first write into the second write.
    await killWriter(writer, (round / times) * 220);
    const filling = fillingOf(path, length);
    if (filling === undefined) mixed += 1;
    else if (filling !== oldLetter.charCodeAt(0)) written += 1;
  }
  const resources = await openToolResources({
    workspace: place.ws,
    stateFolder: join(place.home, ".local/state/localharness"),
  });
  await resources.close();
  const temporaryFiles = readdirSync(place.ws).filter((name) => name !== "big.bin").length;
  return await look({
    ...emptyObservation(place),
    found: { mixed, temporaryFiles },
    problems: written > 0 ? [] : ["no write was complete before the end"],
  });
}

/**
 * Fills the file with old text and returns its length: that of the row's file, shortened by a quarter until the tool accepts
 * a write of that length. A refused write could not be interrupted.
 */
async function acceptedLength(place: Place, path: string): Promise<number> {
  const resources = await openToolResources({ workspace: place.ws, stateFolder: join(place.root, "state") });
  const tool = createTools(resources).find((one) => one.name === "write_file");
  const context = { callId: "call", signal: new AbortController().signal, report: () => undefined };
  let length = readFileSync(path).length;
  for (; length > 1024; length = Math.floor(length * 0.75)) {
    writeFileSync(path, oldLetter.repeat(length));
    const written = await tool?.execute({ path: "big.bin", content: "n".repeat(length) }, context);
    writeFileSync(path, oldLetter.repeat(length));
    if (written?.ok === true) break;
  }
  await resources.close();
  return length;
}

const oldLetter = "o";

interface Writer {
  readonly child: ChildProcess;
  /** Resolves when the process waits for the order to begin. */
  readonly ready: Promise<unknown>;
}

function startWriter(job: JsonObject, place: Place): Writer {
  const host = join(import.meta.dirname, "hosts", "write-large.ts");
  const child = spawn(process.execPath, [host, JSON.stringify(job)], {
    cwd: place.ws,
    env: environment(place),
    stdio: ["pipe", "pipe", "ignore"],
  });
  return { child, ready: new Promise((resolve) => child.stdout.once("data", resolve)) };
}

async function killWriter({ child }: Writer, afterMs: number): Promise<void> {
  child.stdin?.write("go\n");
  await sleep(afterMs);
  const ended = new Promise((resolve) => child.once("close", resolve));
  child.kill("SIGKILL");
  await ended;
}

/** Returns the byte of which the whole file consists; undefined when the file is mixed or has another length. */
function fillingOf(path: string, length: number): number | undefined {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(length + 1);
    const count = readSync(file, bytes, 0, length + 1, 0);
    const first = bytes[0] ?? 0;
    const whole = count === length && bytes.subarray(0, length).equals(Buffer.alloc(length, first));
    return whole ? first : undefined;
  } finally {
    closeSync(file);
  }
}

/** Remembers an answer under strace: the file must be synced, then renamed, then its folder synced. */
export async function driveTracedAnswer<Result>(
  row: Row,
  options: DriveOptions,
  look: Look<Result>,
): Promise<Result> {
  using place = makePlace(row.setup);
  if (!canTrace()) return await look({ ...emptyObservation(place), notRun: "strace is not installed" });
  const call = { name: "bash", argumentsText: '{"command":"touch hello"}' };
  await using server = await startModelServer((_request, count) =>
    count === 0 ? callsReply([call]) : textReply("Done."),
  );
  const traceFile = join(place.root, "trace.txt");
  const strace = [
    "strace",
    "-f",
    "-y",
    "-qq",
    "-e",
    "trace=fsync,fdatasync,rename,renameat,renameat2",
    "-o",
    traceFile,
  ];
  const run = await chat({
    ...options,
    place,
    baseUrl: `http://127.0.0.1:${server.port}/v1`,
    messages: ["go"],
    answer: () => "remember",
    under: strace,
  });
  const order = orderOf(readFileSync(traceFile, "utf8").split("\n"));
  return await look({ ...emptyObservation(place), screen: run.screen, errors: run.errors, found: { order } });
}

/** Returns `ok`, or the system calls in their order. */
function orderOf(trace: readonly string[]): string {
  const steps = trace
    .filter((line) => line.includes("localharness") && / = 0/.test(line))
    .map((line) =>
      /rename/.test(line) ? (line.includes("policies.json") ? "rename" : "other") : syncOf(line),
    )
    .filter((step) => step !== "other");
  return /sync-file rename sync-folder/.test(steps.join(" ")) ? "ok" : steps.join(" ");
}

function syncOf(line: string): string {
  const path = /<([^>]*)>/.exec(line)?.[1] ?? "";
  if (path.endsWith("/localharness")) return "sync-folder";
  return path.includes("/.config/localharness/") ? "sync-file" : "other";
}

/** Sends text with every kind of line break through the events of a session: each event must stay one line. */
export async function driveEvents<Result>(
  row: Row,
  options: DriveOptions,
  look: Look<Result>,
): Promise<Result> {
  using place = makePlace(row.setup);
  const call = { name: row.tool, argumentsText: JSON.stringify(row.arguments ?? {}) };
  await using server = await startModelServer((_request, count) =>
    count === 0 ? callsReply([call]) : textReply("Done."),
  );
  const baseUrl = `http://127.0.0.1:${server.port}/v1`;
  return await look(await jsonRun({ ...options, place, baseUrl }, server.seen));
}

/** Uses a server that repeats the key in its error message: the key must not leak anywhere. */
export async function driveRefusedKey<Result>(
  row: Row,
  options: DriveOptions,
  look: Look<Result>,
): Promise<Result> {
  using place = makePlace(row.setup);
  const body = JSON.stringify({ error: { message: `Incorrect API key provided: ${canaries.apiKey}` } });
  const head = `HTTP/1.1 401 Unauthorized\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  await using server = await startModelServer(() => async (socket) => {
    await put(socket, [head, body]);
    socket.end();
  });
  const run = await chat({
    ...options,
    place,
    baseUrl: `http://127.0.0.1:${server.port}/v1`,
    messages: ["go"],
    answer: () => "deny",
  });
  const sent = server.received().includes(canaries.apiKey);
  return await look({
    ...emptyObservation(place),
    screen: run.screen,
    errors: run.errors,
    requests: server.seen,
    ended: { code: run.code, signal: run.signal, hung: run.hung },
    problems: sent ? [] : ["the key was not used, so nothing could leak"],
  });
}
