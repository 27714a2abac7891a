/** Carries frames over standard input and output, one on each line, for a folder that is lent over `ssh`. */

import { createLineSplitter } from "@localharness/mcp/lines";
import type { Frames } from "@localharness/mcp/server";
import { waitingMemory } from "@localharness/protocol";

/** The maximum size of one message, in bytes. */
const maxMessageBytes = 24 * 1024 * 1024;
/** The maximum memory, in bytes, of messages that the other end has not read. Above it the connection ends. */
const maxWaitingBytes = 48 * 1024 * 1024;

export function stdioFrames(): Frames {
  const splitter = createLineSplitter(maxMessageBytes);
  let waiting = 0;
  let cut: (reason: string) => void = () => undefined;
  return {
    send(text) {
      if (waitingMemory(process.stdout.writableLength, waiting) > maxWaitingBytes) {
        cut("the other end does not read what is sent");
        return Promise.reject(new Error("the connection is closed"));
      }
      waiting += 1;
      return new Promise((resolve, reject) => {
        process.stdout.write(`${text}\n`, (error) => {
          waiting -= 1;
          if (error) reject(error);
          else resolve();
        });
      });
    },
    listen({ onText, onClosed }) {
      cut = (reason) => {
        process.stdin.destroy();
        onClosed(reason);
      };
      process.stdin.on("data", (chunk: Buffer) => {
        const lines = splitter.push(chunk);
        if (lines === "too-long") cut("a message was too long");
        else for (const line of lines) if (line.trim() !== "") onText(line);
      });
      process.stdin.once("end", () => onClosed("standard input ended"));
      process.stdin.once("error", (error) => onClosed(error.message));
    },
    close: () => process.stdin.destroy(),
    latency: () => undefined,
  };
}
