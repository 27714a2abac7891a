/** Runs the recorded cases that send bytes to the sockets of `localharness serve`. */
import type { JsonObject } from "@localharness/protocol";
import type { DriveOptions } from "./drive-call.ts";
import { fillText, wireBytes } from "./fill.ts";
import { startModelServer } from "./model-server.ts";
import { emptyObservation, type Observation } from "./observation.ts";
import { makePlace, type Place } from "./place.ts";
import { beginWatch, endWatch, probeReport } from "./program.ts";
import { closeCode, isComplete, openRaw, type RawSocket, readReply } from "./raw-socket.ts";
import type { Row } from "./row.ts";
import { RowError } from "./row-error.ts";
import { listeningAddresses, type ServedProgram, startServed } from "./served.ts";
import { type Flood, floodReply, slowReader } from "./slow-reader.ts";

const answerMs = 15_000;

export async function driveNetwork<Result>(
  row: Row,
  options: DriveOptions,
  look: (seen: Observation) => Promise<Result>,
): Promise<Result> {
  using bare = makePlace(row.setup);
  const flood: Flood = { letters: 1, isStopped: false };
  await using model = await startModelServer(() => floodReply(flood));
  const served = await startServed(bare, `http://127.0.0.1:${model.port}/v1`, options);
  const place: Place = {
    ...bare,
    values: { ...bare.values, PORT: String(served.port), TOKEN: served.token },
  };
  let found: Observation["found"] = {};
  let callMs: number | undefined;
  const problems: string[] = [];
  let ended: Observation["ended"] | undefined;
  try {
    const before = await stateOf(served);
    await beginWatch(served.child, place);
    const from = performance.now();
    const sent = await send(row, place, { ...served, flood });
    callMs = sent.answeredMs;
    const watched = await closedIn(row, sent.raw, from);
    const health = await healthOf(served);
    endWatch(served.child);
    if (sent.found["slowIsKept"] === true) {
      problems.push(
        `the client that reads nothing was kept, the other one got ${Math.round(Number(sent.found["otherMegabytes"]))} MB`,
      );
    }
    if (sent.found["othersGot"] === false) problems.push("the other client did not get the end of the turn");
    if (health !== 200) problems.push(`/health answered ${health} afterwards`);
    found = {
      ...replyOf(sent.raw),
      ...watched,
      ...sent.found,
      listening: [...listeningAddresses(served.child.pid ?? 0)],
      sideEffect: (await stateOf(served)) !== before,
    };
    sent.raw.socket.destroy();
  } finally {
    ended = await served.end();
  }
  const { output, errors } = served.printed();
  // The link is for the person's own terminal.
  const screen = output.replaceAll(served.link, "");
  const seen = { ...emptyObservation(place), screen, errors, ended, callMs, found, problems };
  return await look({ ...seen, probe: probeReport(place) });
}

interface Sent {
  readonly raw: RawSocket;
  readonly answeredMs: number | undefined;
  readonly found: JsonObject;
}

const knownSteps = [
  "send_all",
  "expect",
  "send_hex",
  "then_send",
  "hold_ms",
  "stop_reading",
  "flood_session_events_mb",
];

/** Sends the bytes of the row, and waits for the answer. */
async function send(
  row: Row,
  place: Place,
  served: ServedProgram & { readonly flood: Flood },
): Promise<Sent> {
  const raw = await openRaw(served.port);
  const all = () => Buffer.concat([...wireBytes(row.wire ?? "", place.values)]);
  const from = performance.now();
  const steps = row.steps ?? [{ send_all: true }];
  let found: JsonObject = {};
  for (const step of steps) {
    for (const name of Object.keys(step))
      if (!knownSteps.includes(name)) throw new RowError(`unknown step ${name}`);
    if (step["send_all"] === true) raw.socket.write(all());
    if (typeof step["then_send"] === "string") raw.socket.write(fillText(step["then_send"], place.values));
    if (typeof step["send_hex"] === "string") raw.socket.write(Buffer.from(step["send_hex"], "hex"));
    if (typeof step["hold_ms"] === "number") await raw.until(() => false, step["hold_ms"]);
    if (step["stop_reading"] === true) raw.socket.pause();
    if (typeof step["expect"] === "string") await expectStatus(raw, step["expect"]);
    const megabytes = step["flood_session_events_mb"];
    if (typeof megabytes === "number") found = await slowReader(served, served.flood, megabytes);
  }
  const isUpgrade = "ws_close_in" in row.check;
  const answered = isUpgrade
    ? await raw.until((bytes) => closeCode(readReply(bytes)?.body ?? Buffer.of()) !== undefined, answerMs)
    : ("max_rss_delta_mb" in row.check && row.family === "ws_frames") ||
      (await raw.until(isComplete, answerMs));
  return { raw, answeredMs: answered ? performance.now() - from : undefined, found };
}

async function expectStatus(raw: RawSocket, status: string): Promise<void> {
  await raw.until((bytes) => readReply(bytes) !== undefined, answerMs);
  const came = readReply(raw.received())?.status;
  if (String(came) !== status) throw new Error(`expected the status ${status}, got ${came}`);
}

function replyOf(raw: RawSocket): JsonObject {
  const reply = readReply(raw.received());
  if (reply === undefined) return {};
  const code = reply.status === 101 ? closeCode(reply.body) : undefined;
  return {
    status: reply.status,
    headers: [...reply.headers.keys()],
    body: reply.body.toString("latin1").slice(0, 100_000),
    ...(code === undefined ? {} : { closeCode: code }),
  };
}

/** Waits for the end of the connection if the row is about it. */
async function closedIn({ check }: Row, raw: RawSocket, from: number): Promise<JsonObject> {
  const limit = check["closed_within_ms"];
  if (check["closed"] !== undefined || limit !== undefined) {
    await raw.until(() => raw.closedAt() !== undefined, typeof limit === "number" ? limit + 2_000 : answerMs);
  }
  const at = raw.closedAt();
  return { closed: at !== undefined, ...(at === undefined ? {} : { closedMs: at - from }) };
}

async function healthOf({ port }: ServedProgram): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(answerMs) });
  return response.status;
}

/** Returns the open and the saved sessions as text to compare. */
async function stateOf(served: ServedProgram): Promise<string> {
  const { open, saved } = (await served.api("GET", "/api/sessions")) as {
    open: JsonObject[];
    saved: JsonObject[];
  };
  return JSON.stringify([
    open.map(({ id }) => id ?? ""),
    saved.map(({ id, name }) => [id ?? "", name ?? ""]),
  ]);
}
