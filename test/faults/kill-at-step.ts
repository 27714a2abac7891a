/**
 * Kills a process at a counted file operation, independent of time. `LOCALHARNESS_TEST_STEPS` has the folder whose
 * operations count, the fault that kills, and the file `report`, to which the process writes its operations when it exits.
 */
import { writeFileSync } from "node:fs";
import { type Fault, installDiskFaults, type Operation } from "./disk-faults.ts";

export interface Steps {
  readonly folder: string;
  readonly kill?: Fault;
  readonly report?: string;
}

export interface StepsTaken {
  readonly operations: readonly Operation[];
  /** How many operations came before the first output on stdout; 0 without output. */
  readonly beforeFirstWord: number;
}

const variable = "LOCALHARNESS_TEST_STEPS";

/** Returns the environment variables that make a process count its steps. */
export function countSteps(steps: Steps): Readonly<Record<string, string>> {
  return { [variable]: JSON.stringify(steps) };
}

/** Starts to count the steps of this process as its environment says. Does nothing without the variable. */
export async function takeCountedSteps(): Promise<void> {
  const wanted = process.env[variable];
  if (wanted === undefined) return;
  delete process.env[variable];
  const { folder, kill, report }: Steps = JSON.parse(wanted);
  const disk = await installDiskFaults(folder);
  void disk.during(kill, (operations) => {
    if (report !== undefined) reportAtEnd(report, operations);
    return new Promise(() => undefined);
  });
}

function reportAtEnd(path: string, operations: readonly Operation[]): void {
  let beforeFirstWord: number | undefined;
  const { stdout } = process;
  const write = stdout.write.bind(stdout) as (...args: unknown[]) => boolean;
  stdout.write = (...args: unknown[]) => {
    beforeFirstWord ??= operations.length;
    return write(...args);
  };
  process.on("exit", () => {
    const taken: StepsTaken = { operations: [...operations], beforeFirstWord: beforeFirstWord ?? 0 };
    writeFileSync(path, JSON.stringify(taken));
  });
}
