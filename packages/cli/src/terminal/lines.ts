/** Reads lines from a terminal or a pipe, and gives each line to the next caller of `next`. */
import { createInterface, type Interface } from "node:readline";
import { forgetTyped, type KeyInput } from "./forget-typed.ts";
import { createPasteLines } from "./paste-lines.ts";

export interface LineSource {
  /**
   * Returns the next line; undefined at the end of input or when `signal` aborts. Lines are queued until somebody asks
   * for them.
   */
  next(signal?: AbortSignal): Promise<string | undefined>;
  /**
   * Returns the rest of the paste that the last line came with; empty if the line was typed, and for a pipe. Waits until the
   * paste has ended, also for its last line, which may wait for Enter. If `signal` aborts, returns what has come so far.
   */
  pasted(signal?: AbortSignal): Promise<readonly string[]>;
  /** Puts a message back, so that the next call of `next` returns it. */
  unread(message: string): void;
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
  const pastes = createPasteLines(() => reader.line !== "");
  let waiting: { readonly text: string; readonly paste: number }[] = [];
  /** The number of the paste from which the last line came. */
  let given = 0;
  let asker: ((line: string | undefined) => void) | undefined;
  let ended = false;
  /** The number of questions that are waiting until no key comes. Lines that come meanwhile are discarded. */
  let settling = 0;

  const give = (line: string | undefined) => {
    const ask = asker;
    asker = undefined;
    ask?.(line);
  };
  reader.on("line", (text) => {
    if (settling > 0) return;
    const paste = pastes.take();
    if (asker === undefined) waiting.push({ text, paste });
    else {
      given = paste;
      give(text);
    }
  });
  reader.on("SIGINT", onInterrupt);
  reader.on("close", () => {
    ended = true;
    pastes.end();
    give(undefined);
  });

  return {
    next(signal) {
      const line = waiting.shift();
      if (line !== undefined) {
        given = line.paste;
        return Promise.resolve(line.text);
      }
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
    async pasted(signal) {
      if (!terminal) return [];
      await pastes.ended(given, signal);
      const rest = waiting.filter(({ paste }) => paste === given);
      waiting = waiting.filter(({ paste }) => paste !== given);
      return rest.map(({ text }) => text);
    },
    unread: (text) => void waiting.unshift({ text, paste: given }),
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
