/** A parser thread that waits without using a processor for `wait.ts`, never ends its work for `spin.ts`, and skips every text. */
import { parentPort } from "node:worker_threads";

parentPort?.on("message", ({ path }: { readonly path: string }) => {
  if (path === "wait.ts") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_200);
  while (path === "spin.ts");
  parentPort?.postMessage({ kind: "skipped", reason: "answered" });
});
