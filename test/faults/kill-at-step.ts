/**
 * A process that is killed at a counted step, so that no clock says where. `LOCALHARNESS_TEST_STEPS` names the folder whose
 * operations count, and the fault that kills; without a fault the process writes what it did to `report` as it ends.
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
  /** How many of them came before the first word on stdout. */
  readonly beforeFirstWord: number;
}

const variable = "LOCALHARNESS_TEST_STEPS";

/** The environment of a process that counts its steps. */
export function countSteps(steps: Steps): Readonly<Record<string, string>> {
  return { [variable]: JSON.stringify(steps) };
}

/** Counts the steps of this process from here on, as its environment says. */
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
