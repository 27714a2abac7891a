/**
 * Runs the recorded cases about sessions on disk: damaged files, two programs with one session, a full disk, a killed
 * program.
 */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { JsonObject } from "@localharness/protocol";
import { type ChatRun, chat } from "./chat.ts";
import type { DriveOptions } from "./drive-call.ts";
import { type ModelServer, startModelServer, textReply } from "./model-server.ts";
import { emptyObservation, listOf, type Observation } from "./observation.ts";
import { ownNames } from "./own-names.ts";
import { makePlace, type Place, snapshot } from "./place.ts";
import { beginWatch, environment, probeReport } from "./program.ts";
import type { Row } from "./row.ts";
import { openSessionsOf, translateSessions } from "./session-fixture.ts";

type Look<Result> = (seen: Observation) => Promise<Result>;

/** Resumes a session in a running chat. A refusal must be reported, and the chat must continue. */
export async function driveResume<Result>(
  row: Row,
  options: DriveOptions,
  look: Look<Result>,
): Promise<Result> {
  using place = makePlace(row.setup);
  const [path = ""] = translateSessions(place);
  const [size, before] = [statSync(path).size, snapshot(path)];
  await using server = await startModelServer(() => textReply("Done."));
  const begun = { at: 0 };
  const [, seen] = await resumeAndGo(row, options, place, server, async (pid) => {
    await pid();
    begun.at = performance.now();
  });
  const arrived = server.seen[1]?.arrivedAt;
  const added = readFileSync(path).subarray(size).toString("utf8");
  const kept = messagesOf(server, 1);
  const refused = row.check["ok"] === false;
  const problems = [
    ...(refused && snapshot(path) !== before ? [`${path} was changed`] : []),
    ...(refused && kept.length > 0 ? ["the session was continued"] : []),
    ...(server.seen.length === 2 ? [] : [`the model was asked ${server.seen.length} times`]),
  ];
  const unchanged = [row.check["unchanged"] ?? []].flat().map((one) => ownNames(String(one)));
  const success = kept.length > 0;
  return await look({
    ...seen,
    main: { callId: "", success, errorType: "none", text: "", notes: [] },
    before: new Map(
      unchanged.map((one) => [
        ownNames(one.replace("{{HOME}}", place.home)),
        snapshot(ownNames(one.replace("{{HOME}}", place.home))),
      ]),
    ),
    callMs: arrived === undefined ? undefined : arrived - begun.at,
    probe: probeReport(place),
    found: {
      resumed: kept.length,
      texts: kept.filter((text) => text.length < 20),
      appended: wholeLines(added),
    },
    problems,
  });
}

/**
 * Returns `whole` if the text is not empty, ends with a line break, and has only lines that are JSON or empty. Else returns
 * what is wrong, such as the beginning of the first line that is not JSON.
 */
function wholeLines(text: string): string {
  const lines = text.split("\n");
  if (lines.pop() !== "") return "the file does not end with a line break";
  for (const line of lines) {
    try {
      if (line !== "") JSON.parse(line);
    } catch {
      return line.slice(0, 100);
    }
  }
  return lines.length === 0 ? "nothing was appended" : "whole";
}

/** Returns the messages of the earlier session in a request to the model. */
function messagesOf(server: ModelServer, index: number): readonly string[] {
  const texts = listOf(server.seen[index]?.body["messages"]).flatMap(({ role, content }) =>
    role === "user" || role === "assistant" ? [String(content)] : [],
  );
  return texts.filter((text) => !["hello", "Done.", "go"].includes(text));
}

async function resumeAndGo(
  row: Row,
  options: DriveOptions,
  place: Place,
  server: ModelServer,
  beforeResume: (watch: () => Promise<void>) => Promise<void>,
): Promise<readonly [ChatRun, Observation]> {
  let watch = async (): Promise<void> => undefined;
  const run = await chat({
    ...options,
    place,
    baseUrl: `http://127.0.0.1:${server.port}/v1`,
    messages: ["hello", `/resume ${String(row.arguments?.["session"])}`, "go"],
    answer: () => "deny",
    onStart: (child) => {
      watch = () => beginWatch(child, place);
    },
    beforeMessage: (index) => (index === 1 ? beforeResume(() => watch()) : undefined),
  });
  const { screen, errors, code, signal, hung } = run;
  return [
    run,
    { ...emptyObservation(place), screen, errors, requests: server.seen, ended: { code, signal, hung } },
  ];
}

/** Resumes the same session in two programs at once. */
export async function driveResumeTwice<Result>(
  row: Row,
  options: DriveOptions,
  look: Look<Result>,
): Promise<Result> {
  using place = makePlace(row.setup);
  translateSessions(place);
  await using server = await startModelServer(() => textReply("Done."));
  const both = Array.from({ length: 2 }, () =>
    resumeAndGo(row, options, place, server, () => Promise.resolve()),
  );
  const [[, seen]] = (await Promise.all(both)) as [Awaited<(typeof both)[0]>];
  const { folder } = openSessionsOf(place);
  const broken = readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n"))
    .filter((line) => line !== "" && wholeLines(`${line}\n`) !== "whole");
  const resumed = server.seen.filter((_, index) => messagesOf(server, index).length === 5).length;
  const problems = resumed === 2 ? [] : [`${resumed} of 2 programs got the whole session`];
  return await look({ ...seen, found: { broken: broken.length }, problems });
}

/** Repeatedly kills, at a random moment, a process that appends records. */
export async function driveKilledAppends<Result>(
  row: Row,
  _options: DriveOptions,
  look: Look<Result>,
): Promise<Result> {
  using place = makePlace(row.setup);
  const sessions = openSessionsOf(place);
  let lost = 0;
  let said = 0;
  const problems = new Set<string>();
  for (let round = 0; round < (row.repeat ?? 1); round += 1) {
    const id = `round-${round}`;
    const acknowledged = await appendAndKill(place, id, Number(row.arguments?.["records"] ?? 200));
    said += acknowledged.length;
    try {
      const earlier = await sessions.openSession(id);
      earlier.writer.close();
      if (earlier.id !== id) problems.add(`the session continued in a branch: ${earlier.remarks.join()}`);
      const kept = new Set(
        earlier.events.map((event) => (event.type === "user-message" ? event.content : "")),
      );
      lost += acknowledged.filter((one) => !kept.has(one)).length;
    } catch (error) {
      if (acknowledged.length > 0) problems.add(String(error));
    }
  }
  if (said === 0) problems.add("no record was acknowledged before the end");
  return await look({
    ...emptyObservation(place),
    found: { acknowledgedLost: lost },
    problems: [...problems],
  });
}

async function appendAndKill(place: Place, id: string, records: number): Promise<readonly string[]> {
  return await runAndKill(place, "append-records.ts", { home: place.home, ws: place.ws, id, records });
}

/**
 * Starts a script of the folder `hosts` and kills it within 20 ms after its first output. Resolves to the whole lines that
 * it has printed.
 */
export async function runAndKill(place: Place, name: string, job: JsonObject): Promise<readonly string[]> {
  const host = join(import.meta.dirname, "hosts", name);
  const child = spawn(process.execPath, [host, JSON.stringify(job)], {
    stdio: ["ignore", "pipe", "ignore"],
    env: environment(place),
  });
  let text = "";
  const ready = new Promise<void>((resolve) => {
    child.stdout.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
      resolve();
    });
    child.once("close", () => resolve());
  });
  const closed = new Promise((resolve) => child.once("close", resolve));
  await ready;
  await sleep(Math.random() * 20);
  child.kill("SIGKILL");
  await closed;
  return text.split("\n").slice(0, -1);
}

/** Runs a chat whose session files are on a full disk, or that starts with umask 000. */
export async function driveKeptChat<Result>(
  row: Row,
  options: DriveOptions,
  look: Look<Result>,
): Promise<Result> {
  using place = makePlace(row.setup.replace("umask 000", ":"));
  await using server = await startModelServer(() => textReply("Done."));
  const full = pathToFileURL(join(import.meta.dirname, "full-disk.mjs"));
  const run = await chat({
    ...options,
    place,
    baseUrl: `http://127.0.0.1:${server.port}/v1`,
    messages: ["hello", "go"],
    answer: () => "deny",
    ...(row.fault === undefined ? {} : { env: { NODE_OPTIONS: `--import ${full}` } }),
    ...(row.setup.includes("umask 000") ? { under: ["bash", "-c", 'umask 000; exec "$@"', "bash"] } : {}),
  });
  const { screen, errors, code, signal, hung } = run;
  const told = screen.match(/session is not being saved/g)?.length ?? 0;
  const problems = [
    ...(server.seen.length === 2 ? [] : [`the model was asked ${server.seen.length} times`]),
    ...(row.fault === undefined || told === 1 ? [] : [`the person was told ${told} times`]),
  ];
  return await look({ ...emptyObservation(place), screen, errors, ended: { code, signal, hung }, problems });
}
