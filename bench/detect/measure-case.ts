/** Starts the process that measures one case and takes its answer. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { ReaderName } from "./readers.ts";
import type { CallFormat, Shape } from "./texts.ts";

export interface CaseRequest {
  readonly reader: ReaderName;
  readonly shape: Shape;
  readonly format: CallFormat;
  /** About how many characters the text has. */
  readonly length: number;
  /** Counted runs at most, after some that are not counted. */
  readonly runs: number;
  /** No further run is begun after so long. */
  readonly budgetMs: number;
  /** After so long the process is ended. */
  readonly limitMs: number;
  readonly peers: string | undefined;
}

export type Outcome =
  | {
      readonly type: "measured";
      /** Characters of the text. */
      readonly length: number;
      /** Milliseconds of the first run, when nothing is compiled yet. */
      readonly first: number;
      /** Milliseconds of each counted run; the first alone when it took more than the budget. */
      readonly times: readonly number[];
      /** Largest resident memory of the process up to the end of its first run, text and program included. */
      readonly peakKib: number;
      readonly cpuSeconds: number;
      /** Empty when the calls found are those in the text. */
      readonly problem: string;
    }
  | { readonly type: "failed"; readonly problem: string };

const run = promisify(execFile);

/** Never rejects. */
export async function measureCase(request: CaseRequest): Promise<Outcome> {
  const program = join(import.meta.dirname, "read-once.ts");
  try {
    const { stdout } = await run(process.execPath, [program, JSON.stringify(request)], {
      timeout: request.limitMs,
      killSignal: "SIGKILL",
    });
    return JSON.parse(stdout) as Outcome;
  } catch (error) {
    const { killed, stderr } = error as { killed?: boolean; stderr?: string };
    if (killed === true) return { type: "failed", problem: `not done after ${request.limitMs / 1000} s` };
    const line = stderr?.split("\n").find((one) => /^\w*Error/.test(one)) ?? String(error);
    return { type: "failed", problem: line.slice(0, 100) };
  }
}
