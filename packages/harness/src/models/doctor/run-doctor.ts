/** `localharness doctor`: checks this machine, tries a model with real requests, saves its profile and gives advice. */
import { usageError } from "@localharness/engine";
import { plainJson, plainText, visibleLine } from "@localharness/protocol";
import { createWriteJournal } from "@localharness/workspace/files/write-journal";
import { exitCodes } from "../../commands/exit-code.ts";
import { folded } from "../../commands/fold-lines.ts";
import { stateFolder } from "../../config/location.ts";
import type { Options } from "../../config/options.ts";
import { forgetModel } from "../model-profiles/profile-file.ts";
import { checkMachine, type MachineCheck } from "./check-machine.ts";
import { checkSettings } from "./check-settings.ts";
import { machineLines, modelLines } from "./report.ts";
import { createProgress } from "./show-progress.ts";
import { type Tried, tryFound } from "./try-found.ts";

export interface DoctorRequest {
  readonly positionals: readonly string[];
  readonly flags: Options & {
    readonly json?: string | number | true;
    readonly forget?: string | number | true;
  };
}

/**
 * Runs the command and returns the exit code: 1 if something is broken, if no model was tried, or if nothing is kept about
 * the model of `--forget`; 130 after Ctrl+C.
 */
export async function runDoctor({ positionals, flags }: DoctorRequest): Promise<number> {
  const [named, ...others] = positionals;
  if (others.length > 0) throw usageError("usage: localharness doctor [MODEL]");
  if (typeof flags.forget === "string") return forget(flags.forget);
  const interrupt = new AbortController();
  const interrupted = new Promise<"interrupted">((resolve) => {
    // A second Ctrl+C ends the program at once.
    process.once("SIGINT", () => {
      interrupt.abort();
      resolve("interrupted");
    });
  });
  const options = named === undefined ? flags : { ...flags, model: named };
  const done = examine(options, flags.json === true, interrupt.signal);
  const code = await Promise.race([done, interrupted]);
  if (code !== "interrupted") return code;
  const problem = "Interrupted: nothing was saved.";
  if (flags.json === true) print(plainJson({ problem, interrupted: true }));
  else print(`\n${problem}`);
  return exitCodes.interrupted;
}

async function examine(options: Options, asJson: boolean, interrupt: AbortSignal): Promise<number> {
  const { settings, check } = await checkSettings(options);
  const checks = [check, ...(await checkMachine(settings, interrupt))];
  if (!asJson && !interrupt.aborted) print(lines([...machineLines(checks), ""]));
  const tried = check.ok ? await tryWithProgress(settings, interrupt) : { problem: untried };
  if (interrupt.aborted) return exitCodes.interrupted;
  if (asJson) print(plainJson({ checks, ...tried }));
  else print(lines("problem" in tried ? tried.problem.split("\n") : modelLines(tried)));
  return isBroken(checks, tried) ? exitCodes.error : exitCodes.done;
}

const untried = "No model was tried: correct the settings first.";

async function tryWithProgress(...[settings, interrupt]: [Parameters<typeof tryFound>[0], AbortSignal]) {
  const progress = createProgress(process.stderr);
  try {
    return await tryFound(settings, progress, interrupt);
  } finally {
    progress.end();
  }
}

function isBroken(checks: readonly MachineCheck[], tried: Tried): boolean {
  return checks.some(({ ok }) => !ok) || "problem" in tried || tried.findings.broken !== undefined;
}

async function forget(model: string): Promise<number> {
  const folder = stateFolder();
  const count = folder === undefined ? 0 : await forgetModel(folder, model, createWriteJournal(folder));
  print(count === 0 ? `Nothing is kept about ${model}.` : `Forgot the profile of ${model}.`);
  return count === 0 ? exitCodes.error : exitCodes.done;
}

function lines(texts: readonly string[]): string {
  return texts.map(visibleLine).join("\n");
}

function print(text: string): void {
  process.stdout.write(folded(`${plainText(text)}\n`));
}
