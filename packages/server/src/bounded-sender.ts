/** Sends texts to a client, and drops the client if too many bytes wait for it. */
import type { WebSocket } from "ws";

/** The approximate memory, in bytes, that a waiting frame needs in addition to its text. */
const frameBytes = 2_048;

export interface BoundedSender {
  /** Sends a text, unless the client has gone. Drops the client if more than the limit waits for it. */
  send(text: string): void;
  /** Drops the client if `frames` messages that are not sent yet would exceed the limit. */
  hold(frames: number): void;
}

export function createBoundedSender(client: WebSocket, waitingBytes: number): BoundedSender {
  let waitingFrames = 0;
  const taken = () => {
    waitingFrames -= 1;
  };
  return {
    send(text) {
      if (client.readyState !== client.OPEN) return;
      if (client.bufferedAmount + waitingFrames * frameBytes > waitingBytes) return client.terminate();
      waitingFrames += 1;
      client.send(text, taken);
    },
    hold(frames) {
      if (frames * frameBytes > waitingBytes) client.terminate();
    },
  };
}
