/** Sends and receives text frames over a WebSocket. Limits their size and memory, and detects dead connections. */
import { waitingMemory } from "@localharness/protocol";
import type { WebSocket } from "ws";

export interface FrameSocket {
  /** Sends one text frame. Resolves when the system has taken it; rejects if the connection has closed. */
  send(text: string): Promise<void>;
  /** Delivers the frames in order. Call it once, and within 20 s: nothing is read before, so that earlier frames wait. */
  listen(handlers: FrameHandlers): void;
  /** Closes the connection with a status code of WebSocket and a reason of at most 120 bytes. */
  close(code: number, reason: string): void;
  /** Returns the milliseconds of the latest heartbeat to the other end and back; undefined before the first. */
  latency(): number | undefined;
}

export interface FrameHandlers {
  onText(text: string): void;
  /** Called once, with the reason in words. */
  onClosed(reason: string): void;
}

/** The largest frame that is accepted. A file of 10 MB as Base64 fits. */
export const maxFrameBytes = 24 * 1024 * 1024;
/** If the frames that wait to be sent take more memory, the other end does not read, and the connection is cut. */
const maxWaitingBytes = 48 * 1024 * 1024;
/** While the frames that wait to be sent take more memory, nothing more is read. */
const enoughWaitingBytes = 4 * 1024 * 1024;
const beatMs = 10_000;
/** A connection that still exists this long after `close` is cut. */
const closeMs = 2_000;

/** Wraps a connection that is open. Call it at once, before the connection delivers anything. */
export function frameSocket(socket: WebSocket): FrameSocket {
  let latency: number | undefined;
  let reason: string | undefined;
  let listens = false;
  socket.pause();
  const heartbeat = keepBeating(socket, (ms) => {
    latency = ms;
  });
  socket.on("error", (error) => {
    reason ??= error.message;
  });
  const cut = (why: string) => {
    reason ??= why;
    socket.terminate();
  };
  const close = (code: number, why: string) => {
    socket.close(code, why);
    // The other end's answer to the close must be read.
    if (!listens) socket.resume();
    setTimeout(() => socket.terminate(), closeMs).unref();
  };
  let waitingFrames = 0;
  const waiting = () => waitingMemory(socket.bufferedAmount, waitingFrames);
  heartbeat.onDead = () => cut("the other end does not answer any more");
  return {
    send(text) {
      if (socket.readyState !== socket.OPEN) return Promise.reject(new Error("the connection is closed"));
      waitingFrames += 1;
      return new Promise((resolve, reject) => {
        socket.send(text, (error) => {
          waitingFrames -= 1;
          if (listens && socket.isPaused && waiting() < enoughWaitingBytes) socket.resume();
          if (error === undefined || error === null) resolve();
          else reject(error);
        });
        if (waiting() > maxWaitingBytes) cut("the other end does not read what is sent");
        else if (waiting() > enoughWaitingBytes) socket.pause();
      });
    },
    listen({ onText, onClosed }) {
      socket.on("message", (data, isBinary) => {
        if (isBinary) close(1003, "only text frames are read");
        else onText(data.toString());
      });
      const ended = (code: number, said: Buffer) => onClosed(reason ?? closeText(code, said.toString()));
      if (socket.readyState === socket.CLOSED) queueMicrotask(() => ended(1006, Buffer.alloc(0)));
      else socket.once("close", ended);
      listens = true;
      socket.resume();
    },
    close,
    latency: () => latency,
  };
}

function closeText(code: number, said: string): string {
  if (said !== "") return `the other end closed the connection: ${said}`;
  return code === 1006 ? "the connection broke" : "the other end closed the connection";
}

/** Sends a ping every `beatMs`. Calls `measured` with the time until the answer, and `onDead` when two pings have none. */
function keepBeating(socket: WebSocket, measured: (ms: number) => void) {
  const heartbeat = { onDead: () => {} };
  let sentAt: number | undefined;
  let missed = 0;
  const beat = () => {
    if (sentAt !== undefined) missed += 1;
    if (missed >= 2) return heartbeat.onDead();
    sentAt ??= performance.now();
    if (socket.readyState === socket.OPEN) socket.ping();
  };
  const timer = setInterval(beat, beatMs);
  timer.unref();
  socket.on("pong", () => {
    if (sentAt !== undefined) measured(performance.now() - sentAt);
    sentAt = undefined;
    missed = 0;
  });
  socket.once("close", () => clearInterval(timer));
  beat();
  return heartbeat;
}
