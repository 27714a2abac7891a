/** Checks what the program needs on this machine besides a model. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { stateFolder } from "../config/location.ts";
import type { Settings } from "../config/settings.ts";
import { sandboxTrial, trialProblem } from "../sandbox-trial.ts";
import { openWorkbench } from "../workbench.ts";

export interface MachineCheck {
  readonly name: string;
  readonly ok: boolean;
  /** What was found, or what the person should do. */
  readonly words: string;
}

export async function checkMachine(settings: Settings): Promise<readonly MachineCheck[]> {
  const bench = await openWorkbench(settings, undefined, "all");
  const context = { callId: "doctor", signal: AbortSignal.timeout(20_000), report: () => undefined };
  try {
    const git = await bench.allTools.execute("bash", { command: "git --version" }, context);
    const search = await bench.allTools.execute("grep_search", { pattern: "localharness-doctor" }, context);
    const { state } = bench.sandbox;
    const ran =
      state.kind === "on"
        ? await bench.allTools.execute("bash", { command: sandboxTrial }, context)
        : undefined;
    const problem = ran === undefined ? undefined : ran.ok ? trialProblem(ran.data) : ran.message;
    return [
      { name: "configuration", ok: true, words: settings.folder ?? "no home folder: nothing is saved" },
      { name: "git", ok: git.ok, words: git.ok ? "found" : "not found: install git" },
      { name: "search", ok: search.ok, words: search.ok ? "works" : search.message },
      { name: "sandbox", ok: problem === undefined, words: problem ?? bench.sandbox.describe() },
      ...privateFiles(settings.folder),
    ];
  } finally {
    await bench.close();
  }
}

/** Checks that other users cannot read the program's own files. */
function privateFiles(folder: string | undefined): readonly MachineCheck[] {
  const state = stateFolder();
  const paths = [
    ...(folder === undefined
      ? []
      : ["keys.json", "policies.json", "trust.json"].map((name) => join(folder, name))),
    ...(state === undefined ? [] : [join(state, "model-profiles.json")]),
  ];
  return paths.flatMap((path): MachineCheck[] => {
    const mode = statSync(path, { throwIfNoEntry: false })?.mode;
    if (mode === undefined || process.platform === "win32" || (mode & 0o077) === 0) return [];
    return [{ name: "private file", ok: false, words: `other users can read it: run chmod 600 ${path}` }];
  });
}
