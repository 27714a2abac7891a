/** The parser thread, which never answers for `hang.ts`, and ends itself for `crash.ts`. */
import { parentPort } from "node:worker_threads";

parentPort?.on("message", ({ path }: { readonly path: string }) => {
  if (path === "crash.ts") process.exit(1);
  while (path === "hang.ts");
});
await import("../src/parse-thread.ts");
