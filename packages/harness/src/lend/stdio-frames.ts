/** Carries frames over standard input and output, one on each line, for a folder that is lent over `ssh`. */

import { createLineSplitter } from "@localharness/mcp/lines";
import type { Frames } from "@localharness/mcp/server";

/** The longest message, in bytes. */
const maxMessageBytes = 24 * 1024 * 1024;

export function stdioFrames(): Frames {
  const splitter = createLineSplitter(maxMessageBytes);
  return {
    send: (text) =>
      new Promise((resolve, reject) => {
        process.stdout.write(`${text}\n`, (error) => (error ? reject(error) : resolve()));
      }),
    listen({ onText, onClosed }) {
      process.stdin.on("data", (chunk: Buffer) => {
        const lines = splitter.push(chunk);
        if (lines === "too-long") onClosed("a message was too long");
        else for (const line of lines) if (line.trim() !== "") onText(line);
      });
      process.stdin.once("end", () => onClosed("standard input ended"));
      process.stdin.once("error", (error) => onClosed(error.message));
    },
    close: () => process.stdin.destroy(),
    latency: () => undefined,
  };
}
