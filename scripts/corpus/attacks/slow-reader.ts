/** A client of a session that stops reading, beside one that reads. */
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import type { JsonObject } from "@localharness/protocol";
import { put, type Reply } from "./model-server.ts";
import { openWatcher } from "./raw-socket.ts";
import type { ServedProgram } from "./served.ts";

/** The bytes of one event of one letter, as the server sends it. */
const bytesOfEvent = 190;

/** An answer of one letter in each event, until there are enough letters or the flood is stopped. */
export interface Flood {
  letters: number;
  isStopped: boolean;
}

/** Returns a model's reply that streams the letters of the flood. */
export function floodReply(flood: Flood): Reply {
  return async (socket) => {
    const event = (delta: object, finish: string | null) =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
    await put(socket, ["HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"]);
    for (let left = flood.letters; left > 0 && !flood.isStopped; left -= 1) {
      if (!(await put(socket, [event({ content: "x" }, null)]))) return;
      // Letters that arrive together become one event.
      await setImmediate();
    }
    await put(socket, [event({ content: "." }, null), event({}, "stop"), "data: [DONE]\n\n"]);
    socket.end();
  };
}

/**
 * Floods a session until the slow client is dropped, or up to a size. Resolves to `slowIsKept`, to `othersGot` (true if the
 * other client got the end of the turn), and to `otherMegabytes`, which the other client got.
 */
export async function slowReader(
  served: ServedProgram,
  flood: Flood,
  megabytes: number,
): Promise<JsonObject> {
  flood.letters = Math.ceil((megabytes * 1024 * 1024) / bytesOfEvent);
  const { id } = (await served.api("POST", "/api/sessions", {})) as { readonly id: string };
  const slow = await openWatcher(served, id);
  slow.socket.pause();
  const key = `key.${served.token}`;
  const other = new WebSocket(`ws://127.0.0.1:${served.port}/ws?session=${id}`, ["localharness", key]);
  let bytes = 0;
  let hasEnded = false;
  other.addEventListener("message", ({ data }) => {
    bytes += String(data).length;
    if (String(data).includes('"type":"turn-end"')) hasEnded = true;
  });
  await new Promise((resolve) => other.addEventListener("open", resolve, { once: true }));
  await served.api("POST", `/api/sessions/${id}/commands`, { type: "user-message", content: "go" });
  while (!hasEnded && other.readyState === other.OPEN) {
    flood.isStopped = (await watchersOf(served, id)) < 2;
    await sleep(100);
  }
  const isKept = (await watchersOf(served, id)) > 1;
  other.close();
  slow.socket.destroy();
  return { slowIsKept: isKept, othersGot: hasEnded, otherMegabytes: bytes / 1024 / 1024 };
}

async function watchersOf(served: ServedProgram, id: string): Promise<number> {
  const { open } = (await served.api("GET", "/api/hub")) as { readonly open: readonly JsonObject[] };
  return Number(open.find((room) => room["id"] === id)?.["watchers"]);
}
