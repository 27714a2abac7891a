/** `localharness sandbox status`: prints the state of the sandbox in this folder, and tests it with a command. */
import { usageError } from "@localharness/engine";
import { loadSettings } from "@localharness/harness/config/settings";
import { exitCodes } from "@localharness/harness/exit-code";
import { sandboxTrial, trialProblem } from "@localharness/harness/sandbox-trial";
import { openWorkbench, type Workbench } from "@localharness/harness/workbench";
import type { HomeView } from "@localharness/processes/sandbox/sandbox";
import { defined } from "@localharness/protocol";
import { type Invocation, textFlag } from "../arguments/parse.ts";
import { plainJson, plainText } from "../terminal/plain-text.ts";

export async function runSandbox({ positionals, flags }: Invocation): Promise<number> {
  if (positionals.join(" ") !== "status") throw usageError("usage: localharness sandbox status");
  const settings = await loadSettings(flags);
  const bench = await openWorkbench(settings, textFlag(flags, "workspace"), "all");
  try {
    await bench.folders.open(flags["add-dir"] ?? [], { flags, tell });
    const { state } = bench.sandbox;
    const problem = state.kind === "on" ? await testSandbox(bench) : undefined;
    const home = await bench.sandbox.home();
    const works = state.kind === "on" && problem === undefined;
    if (flags.json === true) {
      process.stdout.write(`${plainJson({ ...state, works, ...defined({ problem, home }) })}\n`);
    } else {
      const failure = problem === undefined ? [] : [`BUT IT DOES NOT WORK: ${problem}`];
      const lines = [bench.sandbox.describe(), ...failure, ...homeLines(home)];
      process.stdout.write(`${lines.map(plainText).join("\n")}\n`);
    }
    return works || state.kind === "off" ? exitCodes.done : exitCodes.error;
  } finally {
    await bench.close();
  }
}

function tell(text: string): void {
  process.stderr.write(`! ${plainText(text)}\n`);
}

/** Returns lines about what commands see of the home folder. */
function homeLines(home: HomeView | undefined): readonly string[] {
  if (home === undefined) return [];
  const places = home.shown.map(({ path, why }) => `  ${path}  (${why})`);
  return [
    `Commands see nothing of ${home.homes.join(" and ")} but this, which they cannot change (sandbox_readable adds to it):`,
    ...(places.length === 0 ? ["  nothing"] : places),
  ];
}

/**
 * Runs a command that tries to leave the sandbox. Returns a description of the problem; undefined if the sandbox works.
 */
async function testSandbox({ allTools }: Workbench): Promise<string | undefined> {
  const context = { callId: "sandbox", signal: AbortSignal.timeout(20_000), report: () => undefined };
  const ran = await allTools.execute("bash", { command: sandboxTrial }, context);
  return ran.ok ? trialProblem(ran.data) : ran.message;
}
