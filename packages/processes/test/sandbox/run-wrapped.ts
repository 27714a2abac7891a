/** Runs a command as the sandbox wraps it. */
import { spawn } from "node:child_process";
import { homedir } from "node:os";
import { shellArguments } from "../../src/children/shell-program.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";

export interface Ran {
  readonly code: number | null;
  readonly output: string;
}

export async function runWrapped(
  sandbox: Sandbox,
  workspace: string,
  command: string,
  home = homedir(),
): Promise<Ran> {
  const wrapped = await sandbox.wrap(shellArguments(command), new AbortController().signal);
  const child = spawn(wrapped.program, [...wrapped.args], {
    cwd: workspace,
    env: {
      PATH: process.env["PATH"],
      HOME: home,
      ...gitVariables(wrapped.gitSettings),
      ...wrapped.environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece) => (output += String(piece)));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  wrapped.done();
  return { code, output };
}

/** Returns the variables that give git these settings. */
function gitVariables(settings: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(settings);
  return Object.fromEntries([
    ["GIT_CONFIG_COUNT", String(entries.length)],
    ...entries.flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ]);
}
