/** Makes a workspace whose commands run in the real sandbox, for all tests of a file. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../../processes/test/sandbox/make-repository.ts";
import { temporaryFolder } from "../../../workspace/test/temporary-folder.ts";
import { type Bench, openBench, said } from "../bench.ts";

export interface Confined {
  /** The folder that holds the workspace. */
  readonly root: string;
  readonly workspace: string;
  readonly bench: Bench;
  /** Returns the path of a file of the workspace. */
  at(path: string): string;
  /** Runs a command outside of the sandbox and returns its output. Throws if it fails. */
  outside(command: string): string;
  /** Runs a command in the sandbox and returns what the model reads. */
  inside(command: string): Promise<string>;
  close(): Promise<void>;
}

/** Makes the workspace `name`, prepares it outside of the sandbox with the commands, and opens it. */
export async function openConfined(prepare: readonly string[], name = "ws"): Promise<Confined> {
  const ends: (() => Promise<void> | void)[] = [];
  const atEnd = (end: () => Promise<void> | void) => void ends.push(end);
  const root = temporaryFolder(atEnd);
  const workspace = join(root, name);
  mkdirSync(workspace);
  for (const command of prepare) run(workspace, command);
  const bench = await openBench({ workspace, sandbox: { mode: "require" } }, atEnd);
  return {
    root,
    workspace,
    bench,
    at: (path) => join(workspace, path),
    outside: (command) => run(workspace, command),
    inside: async (command) => said(await bench.call("bash", { command }, AbortSignal.timeout(30_000))),
    async close() {
      for (const end of ends.reverse()) await end();
    },
  };
}
