/** Measures the start of a command: bare, in bare bubblewrap, and by the `bash` tool without and with the sandbox. */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRegistry } from "@localharness/engine";
import { createTools, openToolResources } from "@localharness/tools";
import { figureOf, showFigure, showRatio, table } from "../measure/figures.ts";

const rounds = 40;
const bubblewrap = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--unshare-all"];

type Run = () => Promise<void>;

export async function commandRows(print: (line: string) => void): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), "bench-command-"));
  const outside = await openBash(place, "off");
  const inside = await openBash(place, "auto");
  try {
    const programs: (readonly [string, Run])[] = [
      ["bare spawn", () => finish("/bin/bash", ["-c", "true"])],
      ["the bash tool, no sandbox", () => outside.run("true")],
    ];
    if (inside.sandboxed) {
      programs.push(["bare bubblewrap", () => finish("bwrap", [...bubblewrap, "/bin/bash", "-c", "true"])]);
      programs.push(["the bash tool, sandbox", () => inside.run("true")]);
    }
    print("\nA command that does nothing, from start to end:\n");
    const firsts = await inTurn(programs, 1);
    const times = await inTurn(programs, rounds);
    const bare = figureOf(times.get("bare spawn") ?? []);
    const rows = programs.map(([name]) => {
      const figure = figureOf(times.get(name) ?? []);
      return [name, (firsts.get(name)?.[0] ?? 0).toFixed(0), showFigure(figure, 1), showRatio(figure, bare)];
    });
    print(table(["command", "first ms", "ms", "of bare spawn"], rows));
    if (!inside.sandboxed) print("\nNo sandbox is available here: its rows are left out.");
  } finally {
    await outside.close();
    await inside.close();
    rmSync(place, { recursive: true, force: true });
  }
}

async function openBash(place: string, mode: "off" | "auto") {
  const workspace = join(place, `ws-${mode}`);
  mkdirSync(workspace);
  const resources = await openToolResources({
    workspace,
    stateFolder: join(place, `state-${mode}`),
    sandbox: { mode, domains: [], writable: [], lowersRisk: false },
  });
  const registry = createRegistry(createTools(resources).filter((tool) => tool.name === "bash"));
  return {
    sandboxed: resources.sandbox.state.kind === "on",
    async run(command: string) {
      const context = { callId: "bench", signal: AbortSignal.timeout(30_000), report: () => undefined };
      const outcome = await registry.execute("bash", { command }, context);
      if (!outcome.ok) throw new Error(`${command} did not run: ${outcome.message}`);
    },
    close: () => resources.close(),
  };
}

/** Measures the programs in turn, round by round, so that a disturbance of the machine affects all of them. */
async function inTurn(programs: readonly (readonly [string, Run])[], count: number) {
  const times = new Map<string, number[]>(programs.map(([name]) => [name, []]));
  for (let round = 0; round < count; round += 1) {
    for (const [name, run] of programs) {
      const started = performance.now();
      await run();
      times.get(name)?.push(performance.now() - started);
    }
  }
  return times;
}

function finish(program: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: "ignore" });
    child.once("error", reject);
    child.once("exit", (code) =>
      code === 0 ? resolve() : reject(new Error(`${program} ended with the exit code ${code}`)),
    );
  });
}
