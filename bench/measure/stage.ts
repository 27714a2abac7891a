/** Sets up the server, the workspace and the home folders of a benchmark, and runs programs in them. */
import type { Strictness } from "@localharness/models/fake-server";
import { startFakeModelServer } from "../fake-model/control.ts";
import type { Scenario } from "../fake-model/scenario.ts";
import type { Program, SelfDescription } from "../programs/program.ts";
import type { Subject } from "./rounds.ts";
import { type Run, runProgram } from "./run-program.ts";
import { makeSampleWorkspace } from "./sample-workspace.ts";

const prompt = "Do what you are told to and then answer.";

export interface Stage {
  run(program: Program, scenario: Scenario): Promise<Run>;
  /** Returns the run as a subject for rounds; `check` may find more problems in a run. */
  subject(program: Program, scenario: Scenario, check?: (run: Run) => readonly string[]): Subject;
  selfSubject(self: SelfDescription, what: "version" | "help"): Subject;
  readonly workspace: string;
  close(): void;
}

/** Opens a stage. With `strict`, the server renders each request through a chat template. */
export async function openStage(strict?: Strictness): Promise<Stage> {
  const workspace = makeSampleWorkspace();
  const server = await startFakeModelServer();
  const prepared = new Set<string>();
  const run = async (program: Program, scenario: Scenario) => {
    const home = workspace.home(program.name);
    if (!prepared.has(program.name)) program.prepare?.(home, server.url);
    prepared.add(program.name);
    workspace.reset();
    const command = program.prompt({ prompt, serverUrl: server.url, workspace: workspace.path, home });
    const pathPrefix = program.absolutePaths ? `${workspace.path}/` : "";
    const told = { server, job: { scenario, pathPrefix, ...(strict === undefined ? {} : { strict }) } };
    return await runProgram(command, { home, workspace: workspace.path }, told);
  };
  return {
    run,
    subject: (program, scenario, check) => ({
      name: program.name,
      run: async () => {
        const done = await run(program, scenario);
        return check === undefined ? done : { ...done, problems: [...done.problems, ...check(done)] };
      },
    }),
    selfSubject: (self, what) => ({
      name: self.name,
      run: async () =>
        await runProgram(self[what] ?? self.version, {
          home: workspace.home(self.name),
          workspace: workspace.path,
        }),
    }),
    workspace: workspace.path,
    close() {
      server.stop();
      workspace.remove();
    },
  };
}
