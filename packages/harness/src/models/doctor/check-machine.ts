/** Checks what the program needs on this machine besides a model. */
import { statSync } from "node:fs";
import { join } from "node:path";
import type { ToolRegistry } from "@localharness/engine";
import { describeProxies } from "@localharness/models";
import { reasonOf } from "@localharness/protocol";
import { sandboxTrial, trialProblem } from "../../compose/sandbox-trial.ts";
import { openWorkbench, type Workbench } from "../../compose/workbench.ts";
import { stateFolder } from "../../config/location.ts";
import type { Settings } from "../../config/settings.ts";

export interface MachineCheck {
  readonly name: string;
  readonly ok: boolean;
  /** What was found, or what the person should do. */
  readonly words: string;
}

const maxCheckMs = 20_000;

/** Returns the results of all checks of the machine. */
export async function checkMachine(
  settings: Settings,
  interrupt: AbortSignal,
): Promise<readonly MachineCheck[]> {
  let bench: Workbench;
  try {
    bench = await openWorkbench(settings, undefined, "all");
  } catch (error) {
    const tools = { name: "tools", ok: false, words: reasonOf(error) };
    return [tools, ...checkProxies(), ...privateFiles(settings.folder)];
  }
  const signal = AbortSignal.any([interrupt, AbortSignal.timeout(maxCheckMs)]);
  const call: Call = (name, input) =>
    bench.allTools.execute(name, input, { callId: "doctor", signal, report: () => undefined });
  try {
    return [
      await checkGit(call),
      await checkSearch(call),
      await checkSandbox(bench, call),
      ...checkProxies(),
      ...privateFiles(settings.folder),
    ];
  } finally {
    await bench.close();
  }
}

type Call = (
  name: string,
  input: Parameters<ToolRegistry["execute"]>[1],
) => ReturnType<ToolRegistry["execute"]>;

async function checkGit(call: Call): Promise<MachineCheck> {
  const git = await call("bash", { command: "git --version" });
  const found = git.ok ? /git version (\S+)/.exec(git.data)?.[1] : undefined;
  const words = found ?? "not found: changes cannot be shown or committed. Install git";
  return { name: "git", ok: found !== undefined, words };
}

async function checkSearch(call: Call): Promise<MachineCheck> {
  const search = await call("grep_search", { pattern: "e", max_results: 1 });
  return { name: "ripgrep", ok: search.ok, words: search.ok ? "searches this folder" : search.message };
}

async function checkSandbox({ sandbox }: Workbench, call: Call): Promise<MachineCheck> {
  const ran = sandbox.state.kind === "on" ? await call("bash", { command: sandboxTrial }) : undefined;
  const problem = ran === undefined ? undefined : ran.ok ? trialProblem(ran.data) : ran.message;
  return { name: "sandbox", ok: problem === undefined, words: problem ?? sandbox.describe() };
}

function checkProxies(): readonly MachineCheck[] {
  return describeProxies(process.env).map(({ scheme, ok, words }) => ({
    name: `${scheme} proxy`,
    ok,
    words,
  }));
}

/** Checks that other users cannot read the program's own files. */
function privateFiles(folder: string | undefined): readonly MachineCheck[] {
  if (process.platform === "win32") return [];
  const state = stateFolder();
  const paths = [
    ...(folder === undefined
      ? []
      : ["keys.json", "policies.json", "trust.json"].map((name) => join(folder, name))),
    ...(state === undefined ? [] : [state, join(state, "model-profiles.json")]),
  ];
  const problems = paths.flatMap((path) => privacyProblem(path) ?? []);
  const name = "private files";
  if (problems.length === 0) return [{ name, ok: true, words: "other users can read none of them" }];
  return problems.map((words) => ({ name, ok: false, words }));
}

function privacyProblem(path: string): string | undefined {
  try {
    const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
    return (mode & 0o077) === 0 ? undefined : `other users can read ${path}: run chmod go= ${path}`;
  } catch (error) {
    return `${path} cannot be inspected: ${reasonOf(error)}`;
  }
}
