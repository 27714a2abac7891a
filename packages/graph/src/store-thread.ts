/** Runs the thread that owns the index file. It runs one method after the other. */
import { parentPort, workerData } from "node:worker_threads";
import { reasonOf } from "@localharness/protocol";
import { type IndexStore, openStore } from "./store/index-store.ts";
import { isDamage } from "./store/open-database.ts";
import { removeIndex } from "./store/remove-index.ts";
import type { StoreAnswer, StorePlace, StoreRequest } from "./threads/store-messages.ts";

const { path, maxBytes } = workerData as StorePlace;
let store: IndexStore | undefined;

function answer({ id, method, args }: StoreRequest): StoreAnswer {
  try {
    store ??= openStore(path, maxBytes);
    const run = store[method] as (...values: readonly unknown[]) => unknown;
    const value = run(...args);
    if (method === "close") store = undefined;
    return { id, ok: true, value };
  } catch (error) {
    const damaged = isDamage(error);
    if (damaged) dropDamaged();
    return { id, ok: false, problem: reasonOf(error), damaged };
  }
}

/** Removes the damaged file. The next request begins a new one. */
function dropDamaged(): void {
  try {
    store?.close();
  } catch {
    // Closing reads the damaged file again, which may fail.
  }
  store = undefined;
  removeIndex(path);
}

parentPort?.on("message", (request: StoreRequest) => parentPort?.postMessage(answer(request)));
