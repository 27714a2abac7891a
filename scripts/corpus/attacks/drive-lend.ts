/** Runs the recorded cases about a folder that is lent: a hostile borrower, and broken frames over a raw socket. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { sendCode } from "@localharness/harness/lend/pairing";
import { type Link, openLinkTo } from "@localharness/mcp/elsewhere";
import { openSocket } from "@localharness/models/socket-door";
import { isJsonObject, type JsonObject } from "@localharness/protocol";
import type { DriveOptions } from "./drive-call.ts";
import { fillText, fillValue } from "./fill.ts";
import { emptyObservation, type Observation, type SeenResult } from "./observation.ts";
import { makePlace, type Place } from "./place.ts";
import { beginWatch, endGroup, endWatch, probeReport, startProgram } from "./program.ts";
import type { Row, Step } from "./row.ts";
import { RowError } from "./row-error.ts";

type Look<Result> = (seen: Observation) => Promise<Result>;

/** The families of rows that this driver knows. */
export const lentFamilies: readonly string[] = ["bridge"];

export async function driveLend<Result>(
  row: Row,
  options: DriveOptions,
  look: Look<Result>,
): Promise<Result> {
  using place = makePlace(row.setup);
  const args = ["lend", ".", "--trust", "--listen", "127.0.0.1:0"];
  const child = startProgram({ ...options, place, args: [...args, "--sandbox", options.sandbox] });
  try {
    const { url, code } = await addressOf(child.stdout as AsyncIterable<Buffer>);
    const token = await sendCode((address, init) => fetch(address, init), url, code, "attacker");
    const lent: Lent = { url, token, place, port: Number(new URL(url).port) };
    if ("max_rss_delta_mb" in row.check) await beginWatch(child, place);
    const seen = row.family === "bridge" ? await callFromAfar(row, lent) : await sendFrames(row, lent);
    endWatch(child);
    const serves = await openLink(lent).then(
      (link) => {
        link.close();
        return link.tools().length > 0;
      },
      () => false,
    );
    const closed = once(child, "close");
    child.kill("SIGTERM");
    await closed;
    const ended = { code: serves ? 0 : 1, signal: null, hung: false };
    return await look({ ...emptyObservation(place), ...seen, ended, probe: probeReport(place) });
  } finally {
    endGroup(child);
  }
}

interface Lent {
  readonly url: string;
  readonly token: string;
  readonly place: Place;
  readonly port: number;
}

async function addressOf(
  output: AsyncIterable<Buffer>,
): Promise<{ readonly url: string; readonly code: string }> {
  let text = "";
  for await (const piece of output) {
    text += piece.toString();
    const [, url, code] = /lend pair (ws:\S+) (\S+)\n/.exec(text) ?? [];
    if (url !== undefined && code !== undefined) return { url, code };
  }
  throw new Error(`localharness lend ended: ${text}`);
}

function openLink({ url, token }: Lent): Promise<Link> {
  return openLinkTo({
    name: "lent",
    version: "0",
    patienceMs: 0,
    tell: () => undefined,
    connect: (signal) => openSocket(`${url}/ws`, { authorization: `Bearer ${token}` }, signal),
  });
}

/** Makes the row's call as a borrower that answers no question, so that only the rules of the owner can allow the call. */
async function callFromAfar(row: Row, lent: Lent): Promise<Partial<Observation>> {
  const wire: unknown = JSON.parse(fillText(String(row.wire), lent.place.values));
  if (!isJsonObject(wire as never)) throw new RowError("the wire is no call");
  const { tool, arguments: args } = wire as JsonObject;
  const link = await openLink(lent);
  const end = await link.call({
    name: tool === "shell" ? "bash" : String(tool),
    arguments: fillValue(args ?? {}, lent.place.values) as JsonObject,
    session: "attack",
    turn: "attack",
    signal: new AbortController().signal,
    ask: async () => undefined,
    report: () => undefined,
  });
  link.close();
  if (end.kind !== "result") throw new Error(end.reason);
  const { success, error_type: errorType, data, error_message, notes = [] } = end.result;
  const text = [data, error_message, ...notes].filter((part) => part !== null).join("\n");
  const main: SeenResult = { callId: "", success, errorType, text, notes };
  return { main, results: [main] };
}

async function sendFrames(row: Row, lent: Lent): Promise<Partial<Observation>> {
  const values = { ...lent.place.values, PORT: String(lent.port), TOKEN: lent.token };
  const socket = connect(lent.port, "127.0.0.1");
  let received = Buffer.alloc(0);
  socket.on("data", (piece) => {
    received = Buffer.concat([received, piece]);
  });
  socket.on("error", () => undefined);
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  for (const step of row.steps ?? []) {
    await takeStep(step, { row, socket, lent, values, received: () => received });
  }
  if ("ws_close_in" in row.check) await closed;
  socket.destroy();
  return { found: { wsClose: closeCode(received) ?? null } };
}

interface Stepping {
  readonly row: Row;
  readonly socket: Socket;
  readonly lent: Lent;
  readonly values: Readonly<Record<string, string>>;
  received(): Buffer;
}

async function takeStep(step: Step, { row, socket, lent, values, received }: Stepping): Promise<void> {
  const {
    send_all: all,
    expect,
    send_hex: hex,
    stop_reading: stops,
    flood_session_events_mb: megabytes,
  } = step;
  if (all === true) socket.write(fillText(String(row.wire), values));
  if (typeof expect === "string") await waitFor(() => received().includes(expect));
  if (typeof hex === "string") socket.write(Buffer.from(hex, "hex"));
  if (stops === true) socket.pause();
  if (typeof megabytes === "number") await flood(socket, lent, megabytes);
  const known = [all, expect, hex, stops, megabytes].some((part) => part !== undefined);
  if (!known) throw new RowError(`unknown step ${JSON.stringify(step)}`);
}

const floodFileMb = 5;
/** The time in milliseconds in which the lending program can answer the flood. */
const floodMs = 5_000;

/**
 * Asks for a file of 5 MB so often that the answers have `megabytes` MB in all, and waits. A step `stop_reading` before it
 * leaves the answers unread.
 */
async function flood(socket: Socket, { place }: Lent, megabytes: number): Promise<void> {
  const path = join(place.ws, "flood.txt");
  writeFileSync(path, "x".repeat(floodFileMb * 1024 * 1024));
  const uri = pathToFileURL(path).href;
  const clientInfo = { name: "attacker", version: "0" };
  const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const reads = Array.from({ length: Math.ceil(megabytes / floodFileMb) }, (_, index) => ({
    id: index + 2,
    method: "resources/read",
    params: { uri },
  }));
  const messages = [
    { id: 1, method: "initialize", params: hello },
    { method: "notifications/initialized" },
    ...reads,
  ];
  for (const message of messages) socket.write(frame(JSON.stringify({ jsonrpc: "2.0", ...message })));
  await new Promise((resolve) => setTimeout(resolve, floodMs));
}

/** Returns a text frame of less than 64 KB, as a client sends it. */
function frame(text: string): Buffer {
  const mask = randomBytes(4);
  const body = Buffer.from(text).map((byte, index) => byte ^ (mask[index % 4] ?? 0));
  const head =
    body.length < 126 ? [0x81, 0x80 | body.length] : [0x81, 0xfe, body.length >> 8, body.length & 0xff];
  return Buffer.concat([Buffer.from(head), mask, body]);
}

/**
 * Returns the code of the close frame after the head of the answer; undefined if there is none. Expects that the frames
 * before it have less than 126 bytes.
 */
function closeCode(bytes: Buffer): number | undefined {
  for (let next = bytes.indexOf("\r\n\r\n") + 4; next + 3 < bytes.length; ) {
    const [first = 0, length = 0] = [bytes[next], bytes[next + 1]];
    if ((first & 0x0f) === 8) return bytes.readUInt16BE(next + 2);
    next += 2 + (length & 0x7f);
  }
  return undefined;
}

async function waitFor(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}
