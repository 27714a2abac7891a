/**
 * Keeps the key of this browser in its database, in a form that no script can read. So a page that another program serves at
 * this address, after the server has ended, cannot take the key.
 */
import type { ClientKey } from "@localharness/protocol";

const store = "keys";
const place = "this browser";

export async function readStoredKey(): Promise<ClientKey | undefined> {
  return run<ClientKey | undefined>("readonly", (keys) => keys.get(place));
}

export async function storeKey(key: ClientKey): Promise<void> {
  await run("readwrite", (keys) => keys.put(key, place));
}

export async function forgetStoredKey(): Promise<void> {
  await run("readwrite", (keys) => keys.delete(place));
}

async function run<Result>(
  mode: IDBTransactionMode,
  act: (keys: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const opening = indexedDB.open("localharness", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(store);
  const database = await settled(opening);
  try {
    return await settled(act(database.transaction(store, mode).objectStore(store)));
  } finally {
    database.close();
  }
}

function settled<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
