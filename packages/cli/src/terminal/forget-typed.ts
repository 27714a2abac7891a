/** Discards keys that were typed before a question could be read, so that they do not answer it. */
import type { Interface } from "node:readline";

export type KeyInput = NodeJS.ReadableStream & {
  readonly isTTY?: boolean;
  setRawMode?(raw: boolean): unknown;
};

export interface Typing {
  readonly input: KeyInput;
  readonly reader: Interface;
  /** False if the input or output is not a terminal. The system then passes on whole lines. */
  readonly terminal: boolean;
  readonly signal: AbortSignal | undefined;
  onInterrupt(): void;
}

const quietMs = 300;

/** Waits until no key has come for 300 ms, and ends a line that was begun. Returns true if any line had text. */
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
  // Without raw mode the system would keep the begun line until Enter.
  if (!terminal) input.setRawMode?.(true);
  await quiet(typing);
  if (!terminal) input.setRawMode?.(false);
  // This ends the begun line as Enter would: the line stays readable where it was typed, and in the history.
  if (!closed && !terminal) reader.write("\n");
  else if (!closed && reader.line !== "") reader.write(null, { name: "return" });
  reader.off("line", onLine);
  reader.off("close", onClose);
  return typed;
}

/** Resolves when no key has come for `quietMs`, the reader is closed or `signal` aborts. */
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
    // Keys that arrived while the program was busy are still unread when the timer fires. setImmediate lets them be
    // read first.
    const timer = setTimeout(() => {
      const before = keys;
      setImmediate(() => keys === before && done());
    }, quietMs);
    input.on("data", onKeys);
    reader.once("close", done);
    signal?.addEventListener("abort", done, { once: true });
  });
}
