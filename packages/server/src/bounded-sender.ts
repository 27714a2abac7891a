/** Sends texts to a client, and drops the client if too many bytes wait for it. */
import { waitingMemory } from "@localharness/protocol";
import type { WebSocket } from "ws";

export interface BoundedSender {
  /** Sends a text, unless the client has gone. Drops the client if more than the limit waits for it. */
  send(text: string | Buffer): void;
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
      if (waitingMemory(client.bufferedAmount, waitingFrames) > waitingBytes) return client.terminate();
      waitingFrames += 1;
      client.send(text, { binary: false }, taken);
    },
    hold(frames) {
      if (waitingMemory(0, frames) > waitingBytes) client.terminate();
    },
  };
}
