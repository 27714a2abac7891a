/** What was typed before a question could be read is no answer to it. */
import type { Interface } from "node:readline";
import type { LineOptions } from "./lines.ts";

export interface Typing {
  readonly input: LineOptions["input"];
  readonly reader: Interface;
  /** False where the reader gets whole lines from the system, as the output is no terminal. */
  readonly terminal: boolean;
  readonly signal: AbortSignal | undefined;
  onInterrupt(): void;
}

const quietMs = 300;

/** Waits until no key has come for a moment and ends the line that was begun; true when there was something in a line. */
export async function forgetTyped(typing: Typing): Promise<boolean> {
  const { input, reader, terminal } = typing;
  let typed = false;
  let closed = false;
  const onLine = (line: string) => {
    typed ||= line !== "";
  };
  const onClose = () => {
    closed = true;
  };
  reader.on("line", onLine);
  reader.on("close", onClose);
  // The system keeps a line that was begun until Enter, but not in raw mode.
  if (!terminal) input.setRawMode?.(true);
  await quiet(typing);
  if (!terminal) input.setRawMode?.(false);
  // As if by Enter: what was begun stays legible where it was typed, and in the history.
  if (!closed && !terminal) reader.write("\n");
  else if (!closed && reader.line !== "") reader.write(null, { name: "return" });
  reader.off("line", onLine);
  reader.off("close", onClose);
  return typed;
}

/** Resolves when no key has come for a moment, or when none can matter any more. */
function quiet({ input, reader, terminal, signal, onInterrupt }: Typing): Promise<void> {
  return new Promise((resolve) => {
    let keys = 0;
    const onKeys = (data: Buffer | string) => {
      keys += 1;
      timer.refresh();
      if (!terminal && String(data).includes("\u0003")) onInterrupt();
    };
    const done = () => {
      clearTimeout(timer);
      input.off("data", onKeys);
      reader.off("close", done);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    // Where the program was busy, keys wait to be read when the time is over: they come first.
    const timer = setTimeout(() => {
      const before = keys;
      setImmediate(() => keys === before && done());
    }, quietMs);
    input.on("data", onKeys);
    reader.once("close", done);
    signal?.addEventListener("abort", done, { once: true });
  });
}
