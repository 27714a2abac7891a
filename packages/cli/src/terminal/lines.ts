/** Lines from a person or a pipe, one reader at a time. */
import { createInterface, type Interface } from "node:readline";
import { forgetTyped } from "./forget-typed.ts";

export interface LineSource {
  /** The next line, undefined at the end of input or when `signal` is aborted. Lines wait until they are asked for. */
  next(signal?: AbortSignal): Promise<string | undefined>;
  /** Lines that came along with the last one: in a terminal that is a paste. Empty where lines come from a pipe. */
  pasted(): readonly string[];
  /**
   * For a question that has just been shown. In a terminal: waits until no key has come for 300 ms and forgets what was
   * typed till then, which cannot be its answer; true when there was something. Lines from a pipe are left as they are.
   */
  settle(signal?: AbortSignal): Promise<boolean>;
  close(): void;
}

export interface LineOptions {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean; setRawMode?(raw: boolean): unknown };
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
  /** How many questions wait for quiet: lines that come meanwhile are for nobody. */
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
