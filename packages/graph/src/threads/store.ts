/** Runs the store thread and calls its methods. */
import type { Worker } from "node:worker_threads";
import type { IndexStore } from "../store/index-store.ts";
import type { StoreAnswer, StoreMethod, StorePlace } from "./store-messages.ts";

/** The methods of the store. A call resolves when the thread has run the method, and rejects with an `IndexError`. */
export interface StoreThread {
  call<M extends StoreMethod>(
    method: M,
    ...args: Parameters<IndexStore[M]>
  ): Promise<ReturnType<IndexStore[M]>>;
  /** Closes the file and ends the thread. */
  close(): Promise<void>;
}

/** The failure of a method of the store. `damaged` is true if the index file was damaged and has been removed. */
export class IndexError extends Error {
  readonly damaged: boolean;

  constructor(message: string, damaged: boolean) {
    super(message);
    this.name = "IndexError";
    this.damaged = damaged;
  }
}

/** Returns true for the error of a call that found the index file damaged. The file was removed then, and the next call begins a new one. */
export function isDamaged(error: unknown): boolean {
  return error instanceof IndexError && error.damaged;
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** Starts the store thread. `file` is the module of the thread. `onDamaged` is called when a damaged file was removed. */
export async function startStore(
  file: string,
  place: StorePlace,
  onDamaged: () => void,
): Promise<StoreThread> {
  const { Worker: Thread } = await import("node:worker_threads");
  const thread = new Thread(file, { workerData: place, env: {}, execArgv: ["--no-warnings"] });
  const waiting = new Map<number, Waiting>();
  let last = 0;
  let ended: string | undefined;
  const failAll = (reason: string) => {
    ended ??= reason;
    for (const { reject } of waiting.values()) reject(new IndexError(reason, false));
    waiting.clear();
  };
  thread.on("error", (error) => failAll(`the index failed: ${String(error)}`));
  thread.on("exit", () => failAll("the index was closed"));
  thread.on("message", (answer: StoreAnswer) => {
    const one = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (waiting.size === 0) thread.unref();
    if (!answer.ok && answer.damaged) onDamaged();
    if (answer.ok) one?.resolve(answer.value);
    else one?.reject(new IndexError(answer.problem, answer.damaged));
  });
  thread.unref();
  const send = (method: StoreMethod, args: readonly unknown[]) =>
    new Promise<unknown>((resolve, reject) => {
      if (ended !== undefined) return reject(new IndexError(ended, false));
      last += 1;
      waiting.set(last, { resolve, reject });
      thread.ref();
      thread.postMessage({ id: last, method, args }, moved(args));
    });
  return {
    call: (method, ...args) => send(method, args) as Promise<ReturnType<IndexStore[typeof method]>>,
    async close() {
      await send("close", []).catch(() => undefined);
      await terminate(thread);
    },
  };
}

/** Returns the buffers that are moved to the thread instead of copied. */
function moved(args: readonly unknown[]): ArrayBuffer[] {
  return args.flatMap((one) => (one instanceof Uint8Array ? [one.buffer as ArrayBuffer] : []));
}

async function terminate(thread: Worker): Promise<void> {
  await thread.terminate();
}
