/** What the built-in tools share in one session. Whoever opens it closes it. */
import { homedir } from "node:os";
import { join } from "node:path";
import { type Clock, systemClock } from "@localharness/engine";
import { type ChangeLimits, type Changes, createChanges, usualChangeLimits } from "./changes/changes.ts";
import { createReadLedger, type ReadLedger } from "./files/read-ledger.ts";
import { createWriteJournal, sweepTemporaryFiles, type WriteJournal } from "./files/write-journal.ts";
import { createOutputFolder, type OutputFolder, sweepOutputs } from "./processes/output-folder.ts";
import { createPrograms, type Programs } from "./processes/programs.ts";
import { openSandbox } from "./sandbox/open-sandbox.ts";
import type { Sandbox, SandboxMode, SandboxRules } from "./sandbox/sandbox.ts";
import { sweepStandIns } from "./sandbox/stand-ins.ts";
import { ripgrepPath } from "./search/ripgrep.ts";
import { createTaskList, type TaskList } from "./tasks.ts";
import { openWorkspace, type Workspace, type WorkspaceOptions } from "./workspace/workspace.ts";

export interface ToolResources {
  readonly workspace: Workspace;
  readonly ledger: ReadLedger;
  readonly journal: WriteJournal;
  /** Keeps what is replaced and removed, for undo. */
  readonly changes: Changes;
  readonly tasks: TaskList;
  readonly programs: Programs;
  /** What shell commands run in. */
  readonly sandbox: Sandbox;
  readonly commandRisk: "high" | "medium";
  readonly outputs: OutputFolder;
  readonly clock: Clock;
  /** Characters of one result that the model gets at most; the rest stays reachable. */
  readonly resultLimit: number;
  /** Ends every child process, within 2 s; further ones can be started. */
  endChildren(): Promise<void>;
  /** Ends every child process, removes the outputs kept in files. More than once does no harm. */
  close(): Promise<void>;
}

export interface ToolResourcesOptions {
  /** The folder that the session may touch. */
  readonly workspace: string;
  readonly workspaceOptions?: WorkspaceOptions;
  /** Absolute folders that no tool may touch, such as the one with settings and permissions; the state folder always is. */
  readonly privateFolders?: readonly string[];
  /** Default: no sandbox. */
  readonly sandbox?: {
    readonly mode: SandboxMode;
    /** True: a command in a sandbox without network is of medium risk, not high. */
    readonly lowersRisk?: boolean;
  } & Partial<Omit<SandboxRules, "workspace">>;
  /** A folder private to the person. Default: `localharness` in `$XDG_STATE_HOME`, or in `~/.local/state`. */
  readonly stateFolder?: string;
  /** What children may inherit from; scrubbed. Default: the environment of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Names of environment variables that children get although the usual rules would leave them out. */
  readonly passEnvironment?: readonly string[];
  /** Values (keys of services) that no child may find in its environment, under whatever name. */
  readonly secrets?: readonly string[];
  /** For each command, with all that it starts. Default: 2,000 processes, memory as the system has it. */
  readonly childLimits?: { readonly processes?: number; readonly memoryBytes?: number };
  /** Default 16,000 characters. */
  readonly resultLimit?: number;
  /** What is kept for undo. Default: 16 MB a file, 64 MB a turn, 256 MB in all. */
  readonly changeLimits?: Partial<ChangeLimits>;
  readonly clock?: Clock;
}

/** Also removes what earlier, killed sessions left behind. Rejects with the system's error for an unusable workspace. */
export async function openToolResources(options: ToolResourcesOptions): Promise<ToolResources> {
  const stateFolder = options.stateFolder ?? defaultStateFolder();
  const closed = [stateFolder, ...(options.privateFolders ?? [])];
  const workspace = await openWorkspace(options.workspace, { closed, ...options.workspaceOptions });
  sweepTemporaryFiles(stateFolder);
  sweepOutputs(stateFolder);
  sweepStandIns(stateFolder);
  const journal = createWriteJournal(stateFolder);
  const outputs = createOutputFolder(stateFolder);
  const programs = createPrograms({
    environment: options.environment ?? process.env,
    pass: options.passEnvironment ?? [],
    secrets: options.secrets ?? [],
    limits: options.childLimits ?? {},
    workspace: workspace.root,
  });
  const sandbox = openSandbox({
    mode: options.sandbox?.mode ?? "off",
    rules: {
      workspace: workspace.root,
      writable: options.sandbox?.writable ?? [],
      domains: options.sandbox?.domains ?? [],
      unreadable: [...closed, ...(options.sandbox?.unreadable ?? [])],
    },
    stateFolder,
    ripgrep: ripgrepPath,
  });
  return {
    workspace,
    journal,
    changes: createChanges({
      stateFolder,
      workspace: workspace.root,
      limits: { ...usualChangeLimits, ...options.changeLimits },
      secrets: options.secrets ?? [],
    }),
    outputs,
    programs,
    sandbox,
    commandRisk: lowersRisk(options, sandbox) ? "medium" : "high",
    ledger: createReadLedger(),
    tasks: createTaskList(),
    clock: options.clock ?? systemClock,
    resultLimit: options.resultLimit ?? 16_000,
    endChildren: () => programs.endAll(),
    close: async () => {
      await programs.endAll();
      programs.close();
      await sandbox.close();
      outputs.close();
      journal.close();
      workspace.close();
    },
  };
}

function lowersRisk({ sandbox: wanted }: ToolResourcesOptions, sandbox: Sandbox): boolean {
  return wanted?.lowersRisk === true && sandbox.state.kind === "on" && (wanted.domains ?? []).length === 0;
}

function defaultStateFolder(): string {
  const base = process.env["XDG_STATE_HOME"];
  return join(base === undefined || base === "" ? join(homedir(), ".local", "state") : base, "localharness");
}
