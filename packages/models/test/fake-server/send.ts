/** Sends frames in odd pieces, slowly, or with a fault in the middle. */
import { once } from "node:events";
import { existsSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Fault, MidStreamFault, Wire } from "./scenario.ts";

export interface Sending {
  readonly frames: Iterable<string>;
  readonly contentType: string;
  readonly wire: Required<Wire>;
  readonly fault: Fault | undefined;
  readonly errorFrame: (message: string, lineEnd: string) => string;
}

export async function send(response: ServerResponse, sending: Sending): Promise<void> {
  const { wire, fault } = sending;
  response.writeHead(200, { "content-type": sending.contentType, "cache-control": "no-cache" });
  response.flushHeaders();
  let sent = 0;
  for (const frame of sending.frames) {
    if (response.destroyed) return;
    if (fault && "afterEvents" in fault && sent === fault.afterEvents) {
      await strike(response, sending, fault);
      if (fault.kind !== "garbage" && fault.kind !== "pause") return;
    }
    if (wire.everyMs > 0 && sent > 0) await sleep(wire.everyMs);
    await put(response, frame, wire.chunkBytes);
    sent += 1;
  }
  response.end();
}

async function strike(response: ServerResponse, sending: Sending, fault: MidStreamFault): Promise<void> {
  switch (fault.kind) {
    case "stall":
      return;
    case "pause":
      while (!existsSync(fault.untilFile) && !response.destroyed) await sleep(5);
      return;
    case "pings":
      return ping(response, fault.everyMs, sending.wire.lineEnd);
    case "drop":
      // Wait until the written data has left, because a reset may overtake it.
      await sleep(20);
      response.socket?.destroy();
      return;
    case "end":
      response.end();
      return;
    case "garbage":
      await put(response, fault.text + sending.wire.lineEnd, sending.wire.chunkBytes);
      return;
    case "error-line":
      await put(response, sending.errorFrame(fault.message, sending.wire.lineEnd), sending.wire.chunkBytes);
      response.end();
  }
}

async function ping(response: ServerResponse, everyMs: number, lineEnd: string): Promise<void> {
  while (!response.destroyed && !response.writableEnded) {
    response.write(`: ping${lineEnd}${lineEnd}`);
    await sleep(everyMs);
  }
}

async function put(response: ServerResponse, text: string, chunkBytes: number): Promise<void> {
  if (chunkBytes <= 0) return write(response, text);
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; from += chunkBytes) {
    await write(response, bytes.subarray(from, from + chunkBytes));
    // One turn of the event loop, so that the pieces are not joined again.
    await new Promise(setImmediate);
  }
}

async function write(response: ServerResponse, data: string | Buffer): Promise<void> {
  if (response.destroyed || response.write(data)) return;
  // Remove the unused listener: a long answer would add one with each full buffer.
  const over = new AbortController();
  const { signal } = over;
  await Promise.race([once(response, "drain", { signal }), once(response, "close", { signal })]);
  over.abort();
}
