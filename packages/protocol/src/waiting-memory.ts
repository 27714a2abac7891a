/** Estimates the memory of messages that wait for a connection whose other end reads slowly. */

/** The approximate memory, in bytes, that a waiting message needs in addition to its text. */
const messageBytes = 2_048;

/** Returns the approximate memory, in bytes, of this many waiting messages with `textBytes` bytes of text in all. */
export function waitingMemory(textBytes: number, messages: number): number {
  return textBytes + messages * messageBytes;
}
