/** Lines from a person or a pipe, one reader at a time. */
import { createInterface, type Interface } from "node:readline";

export interface LineSource {
  /** The next line, undefined at the end of input or when `signal` is aborted. Lines wait until they are asked for. */
  next(signal?: AbortSignal): Promise<string | undefined>;
  /** Lines that came along with the last one: in a terminal that is a paste. Empty where lines come from a pipe. */
  pasted(): readonly string[];
  /** Forgets lines that came before they were asked for: what was typed ahead is no answer to a question. */
  discard(): void;
  close(): void;
}

export interface LineOptions {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
  /** Called for Ctrl-C, which a terminal in raw mode does not turn into a signal. */
  onInterrupt(): void;
}

export function openLines({ input, output, onInterrupt }: LineOptions): LineSource {
  const terminal = input.isTTY === true && output.isTTY === true;
  const reader: Interface = createInterface({ input, output, terminal, prompt: "", historySize: 200 });
  const waiting: string[] = [];
  let asker: ((line: string | undefined) => void) | undefined;
  let ended = false;

  const settle = (line: string | undefined) => {
    const ask = asker;
    asker = undefined;
    ask?.(line);
  };
  reader.on("line", (line) => {
    if (asker === undefined) waiting.push(line);
    else settle(line);
  });
  reader.on("SIGINT", onInterrupt);
  reader.on("close", () => {
    ended = true;
    settle(undefined);
  });

  return {
    next(signal) {
      const line = waiting.shift();
      if (line !== undefined) return Promise.resolve(line);
      if (ended || signal?.aborted) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        const stop = () => settle(undefined);
        signal?.addEventListener("abort", stop, { once: true });
        asker = (next) => {
          signal?.removeEventListener("abort", stop);
          resolve(next);
        };
      });
    },
    pasted: () => (terminal ? waiting.splice(0) : []),
    discard: () => waiting.splice(0),
    close: () => reader.close(),
  };
}
