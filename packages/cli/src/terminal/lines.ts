/** Reads lines from a terminal or a pipe, and gives each line to the next caller of `next`. */
import { createInterface, type Interface } from "node:readline";
import { forgetTyped, type KeyInput } from "./forget-typed.ts";

export interface LineSource {
  /**
   * Returns the next line; undefined at the end of input or when `signal` aborts. Lines are queued until somebody asks
   * for them.
   */
  next(signal?: AbortSignal): Promise<string | undefined>;
  /**
   * Removes the lines that wait and returns them: in a terminal, the rest of the paste that the last line came with. Empty
   * for a pipe.
   */
  pasted(): readonly string[];
  /**
   * Called right after a question is shown. In a terminal, waits until no key has come for 300 ms and discards what was
   * typed, because it cannot be the answer. Returns true if something was discarded. Discards no lines of a pipe.
   */
  settle(signal?: AbortSignal): Promise<boolean>;
  close(): void;
}

export interface LineOptions {
  readonly input: KeyInput;
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
  /** Called for Ctrl-C, which is not a signal while the terminal is in raw mode. */
  onInterrupt(): void;
}

export function openLines({ input, output, onInterrupt }: LineOptions): LineSource {
  const terminal = input.isTTY === true && output.isTTY === true;
  const reader: Interface = createInterface({ input, output, terminal, prompt: "", historySize: 200 });
  const waiting: string[] = [];
  let asker: ((line: string | undefined) => void) | undefined;
  let ended = false;
  /** The number of questions that are waiting until no key comes. Lines that come meanwhile are discarded. */
  let settling = 0;

  const give = (line: string | undefined) => {
    const ask = asker;
    asker = undefined;
    ask?.(line);
  };
  reader.on("line", (line) => {
    if (settling > 0) return;
    if (asker === undefined) waiting.push(line);
    else give(line);
  });
  reader.on("SIGINT", onInterrupt);
  reader.on("close", () => {
    ended = true;
    give(undefined);
  });

  return {
    next(signal) {
      const line = waiting.shift();
      if (line !== undefined) return Promise.resolve(line);
      if (ended || signal?.aborted) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        const stop = () => give(undefined);
        signal?.addEventListener("abort", stop, { once: true });
        asker = (next) => {
          signal?.removeEventListener("abort", stop);
          resolve(next);
        };
      });
    },
    pasted: () => (terminal ? waiting.splice(0) : []),
    async settle(signal) {
      if (input.isTTY !== true || ended || signal?.aborted) return false;
      const early = waiting.splice(0).length > 0;
      settling += 1;
      const late = await forgetTyped({ input, reader, terminal, signal, onInterrupt });
      settling -= 1;
      return early || late;
    },
    close: () => reader.close(),
  };
}
