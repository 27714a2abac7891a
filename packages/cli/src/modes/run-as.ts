/** Answers one message in the requested output format. */
import type { OneShot } from "./one-shot.ts";
import type { Unattended } from "./unattended.ts";

/** Loads and runs the mode of an output format. Returns the exit code. */
export async function runAs(output: Unattended["output"], shot: OneShot): Promise<number> {
  switch (output) {
    case "json":
      return (await import("./json.ts")).runJson(shot);
    case "stream-json":
      return (await import("./stream-json.ts")).runStreamJson(shot);
    case "text":
      return (await import("./print.ts")).runPrint(shot);
  }
}
