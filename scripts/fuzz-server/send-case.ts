/** Sends one random case over a new connection, and tells how the server answered. */
import { openRaw, type RawSocket, readReply } from "../corpus/attacks/raw-socket.ts";
import type { ServedProgram } from "../corpus/attacks/served.ts";
import { randomFrames } from "./frames.ts";
import type { Random } from "./random.ts";
import { randomRequest, upgradeRequest } from "./requests.ts";

const answerMs = 150;

/** Returns the outcome, such as `http 400` or `frames: closed`. */
export async function sendCase(served: ServedProgram, random: Random): Promise<string> {
  const raw = await openRaw(served.port).catch(() => undefined);
  if (raw === undefined) return "no connection";
  try {
    return random.oneIn(3) ? await sendFrames(raw, served, random) : await sendRequest(raw, served, random);
  } finally {
    if (random.oneIn(4)) raw.socket.resetAndDestroy();
    else raw.socket.destroy();
  }
}

async function sendRequest(raw: RawSocket, served: ServedProgram, random: Random): Promise<string> {
  const bytes = randomRequest(served, random);
  await writeInPieces(raw, bytes, random);
  await raw.until((came) => readReply(came) !== undefined, answerMs);
  const status = readReply(raw.received())?.status;
  return status === undefined
    ? `http: ${raw.closedAt() === undefined ? "no answer" : "closed"}`
    : `http ${status}`;
}

async function sendFrames(raw: RawSocket, served: ServedProgram, random: Random): Promise<string> {
  raw.socket.write(upgradeRequest(served, random));
  await raw.until((came) => readReply(came) !== undefined, 2_000);
  const status = readReply(raw.received())?.status;
  if (status !== 101) return `upgrade: ${status ?? "no answer"}`;
  if (random.oneIn(5)) raw.socket.pause();
  await writeInPieces(raw, randomFrames(random), random);
  await raw.until(() => false, random.below(answerMs));
  return `frames: ${raw.closedAt() === undefined ? "open" : "closed"}`;
}

async function writeInPieces(raw: RawSocket, bytes: Buffer, random: Random): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const size = random.oneIn(3) ? 1 + random.below(64) : bytes.length;
    raw.socket.write(bytes.subarray(at, at + size));
    at += size;
    if (random.oneIn(8)) await new Promise((resolve) => setTimeout(resolve, random.below(5)));
    if (raw.socket.destroyed) return;
  }
}
