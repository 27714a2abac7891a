/** Starts the process that measures one case, and reads its result. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { ReaderName } from "./readers.ts";
import type { CallFormat, Shape } from "./texts.ts";

export interface CaseRequest {
  readonly reader: ReaderName;
  readonly shape: Shape;
  readonly format: CallFormat;
  /** Approximate number of characters of the text. */
  readonly length: number;
  /** Maximum number of counted runs, after a warm-up. */
  readonly runs: number;
  /** Milliseconds after which no further run begins. */
  readonly budgetMs: number;
  /** Milliseconds after which the process is killed. */
  readonly limitMs: number;
  readonly peers: string | undefined;
}

export type Outcome =
  | {
      readonly type: "measured";
      /** Characters of the text. */
      readonly length: number;
      /** Milliseconds of the first run, before the code is compiled. */
      readonly first: number;
      /** Milliseconds of each counted run; only the first run when it took more than the budget. */
      readonly times: readonly number[];
      /** Peak resident memory of the process up to the end of its first run, including the text and the program. */
      readonly peakKib: number;
      readonly cpuSeconds: number;
      /** Empty when the reader found as many calls as the text has, or does not look for calls. */
      readonly problem: string;
    }
  | { readonly type: "failed"; readonly problem: string };

const run = promisify(execFile);

/** Measures a case in a new process. Never rejects. */
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
