/** Converts HTML to Markdown in a separate thread, so that a conversion which never ends can be stopped. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { found, type Outcome, refused } from "@localharness/workspace/outcome";

const maxConvertMs = 8_000;
const maxMemoryMegabytes = 256;

export async function convertHtml(
  html: string,
  url: string,
  signal: AbortSignal,
  maxMs: number = maxConvertMs,
): Promise<Outcome<string>> {
  const { Worker } = await import("node:worker_threads");
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(refused("cancelled", "The call was cancelled."));
    const worker = new Worker(workerFile(), {
      workerData: { html, url },
      env: {},
      execArgv: ["--no-warnings"],
      resourceLimits: { maxOldGenerationSizeMb: maxMemoryMegabytes, stackSizeMb: 8 },
    });
    const end = (outcome: Outcome<string>) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      void worker.terminate();
      resolve(outcome);
    };
    const stop = () => end(refused("cancelled", "The call was cancelled."));
    const timer = setTimeout(() => end(refused("parse_error", tooHard(url))), maxMs);
    signal.addEventListener("abort", stop, { once: true });
    worker.once("message", (markdown: unknown) =>
      end(typeof markdown === "string" ? found(markdown) : refused("parse_error", tooHard(url))),
    );
    worker.once("error", () => end(refused("parse_error", tooHard(url))));
    worker.once("exit", () => end(refused("parse_error", tooHard(url))));
  });
}

function tooHard(url: string): string {
  return `The HTML of ${url} is too large or too deeply nested to be converted to Markdown.`;
}

/** Returns the path of the worker: the file beside the built program, or the source file. */
function workerFile(): string {
  const built = fileURLToPath(new URL("./html-worker.cjs", import.meta.url));
  return existsSync(built) ? built : fileURLToPath(new URL("./html-worker.ts", import.meta.url));
}
