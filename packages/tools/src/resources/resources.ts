/** Opens and closes the resources that the built-in tools share in one session. */
import { homedir } from "node:os";
import { join } from "node:path";
import { createToolWrites, type ToolWrites } from "@localharness/commands/answers/tool-writes";
import { createSecrets, type Secrets } from "@localharness/commands/secrets/secrets";
import { askedVariables, offlineVariables } from "@localharness/commands/shell/programs/table";
import { type CommandReader, lazyReader } from "@localharness/commands/shell/reader";
import { type Clock, type Curator, type OutputSummarizer, systemClock } from "@localharness/engine";
import { createOutputFolder, sweepOutputs } from "@localharness/processes/children/create-output-folder";
import { createPrograms } from "@localharness/processes/children/create-programs";
import { createJobs, type Jobs } from "@localharness/processes/children/jobs";
import type { OutputFolder } from "@localharness/processes/children/output-folder";
import type { Programs } from "@localharness/processes/children/programs";
import type { IsPublic } from "@localharness/processes/sandbox/call-grants";
import { sweepHostFiles } from "@localharness/processes/sandbox/host-files";
import { sweepInlets } from "@localharness/processes/sandbox/inlets";
import { createJobPorts, type JobPorts } from "@localharness/processes/sandbox/job-ports";
import { openSandbox } from "@localharness/processes/sandbox/open-sandbox";
import type { Sandbox, SandboxMode, SandboxRules } from "@localharness/processes/sandbox/sandbox";
import { hiddenPlaces } from "@localharness/processes/sandbox/sandbox-profile";
import { sandboxPrograms } from "@localharness/processes/sandbox/sandbox-status";
import { sweepStandIns } from "@localharness/processes/sandbox/stand-ins";
import { ripgrepPath } from "@localharness/processes/search/ripgrep";
import { defined } from "@localharness/protocol";
import { workspaceName } from "@localharness/workspace/changes/change-folder";
import type { ChangeLimits, Changes } from "@localharness/workspace/changes/changes";
import { createChanges } from "@localharness/workspace/changes/create-changes";
import { defaultChangeLimits } from "@localharness/workspace/changes/default-change-limits";
import { examinePaths } from "@localharness/workspace/examine/examine-paths";
import type { PathExaminer } from "@localharness/workspace/examine/planned-touch";
import { createReadLedger, type ReadLedger } from "@localharness/workspace/files/read-ledger";
import {
  createWriteJournal,
  sweepTemporaryFiles,
  type WriteJournal,
} from "@localharness/workspace/files/write-journal";
import { type AddedFolders, createAddedFolders } from "@localharness/workspace/paths/added-folders";
import { type FolderToAdd, folderToAdd } from "@localharness/workspace/paths/folder-to-add";
import { openWorkspace, type WorkspaceOptions } from "@localharness/workspace/paths/open-workspace";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { defaultSnapshotLimits } from "@localharness/workspace/snapshots/default-snapshot-limits";
import { createSnapshots } from "@localharness/workspace/snapshots/lazy-snapshots";
import { createNotedPaths } from "@localharness/workspace/snapshots/noted-paths";
import { ofFolders } from "@localharness/workspace/snapshots/of-folders";
import type { SnapshotLimits, Snapshots } from "@localharness/workspace/snapshots/snapshots";
import type { Diagnostics } from "../diagnostics/edit-check.ts";
import { createTaskList, type SessionTasks } from "../parts/tasks.ts";
import type { WebParts } from "../web/web-parts.ts";

export interface ToolResources extends PathExaminer {
  readonly workspace: Workspace;
  /** The folders that the person added to the workspace. Only the person adds one. */
  readonly added: AddedFolders;
  /** Judges a folder that the person wants to add. `from` is the folder from which a relative path leads. */
  judgeFolder(path: string, from?: string): FolderToAdd;
  readonly ledger: ReadLedger;
  readonly journal: WriteJournal;
  /** Records replaced and removed contents for undo. */
  readonly changes: Changes;
  /** Keeps what commands may change, for undo. */
  readonly snapshots: Snapshots;
  /** Notes which files tools write. Remembered answers about programs that may load any file depend on these notes. */
  readonly writes: ToolWrites;
  readonly tasks: SessionTasks;
  readonly programs: Programs;
  readonly sandbox: Sandbox;
  /** Hides the values of files of secrets in the output of commands. */
  readonly secrets: Secrets;
  readonly commandRisk: "high" | "medium";
  /** Resolves to the reader of commands, which reads each command once for all that ask. */
  openReader(): Promise<CommandReader>;
  readonly outputs: OutputFolder;
  /** The access to the web; absent if no tool may use the web. */
  readonly web?: WebParts;
  /** The commands that run in the background. */
  readonly jobs: Jobs;
  /** Their servers in the sandbox. */
  readonly ports: JobPorts;
  /** Chooses the lines of a long file that `read_file` shows; without it a file is shown from its beginning. */
  readonly curator?: Curator;
  /** Summarises an output of a command that is too long for a result; without it there is no summary. */
  readonly summarizer?: OutputSummarizer;
  /** Looks up new errors after an edit; absent without a sandbox, and if the person wants none. */
  readonly diagnostics?: Diagnostics;
  readonly clock: Clock;
  /**
   * Returns the maximum length of one result: in characters for a text that its tool cuts at a line, in bytes for a captured
   * output and for a text that `cutResult` cuts. The model can read further parts with further calls.
   */
  resultLimit(): number;
  /** Ends every child process within 2 s. New processes can be started afterwards. */
  endChildren(): Promise<void>;
  /** Ends every child process, removes the stored outputs and closes the workspace. Repeated calls are harmless. */
  close(): Promise<void>;
}

export interface ToolResourcesOptions {
  /** The folder that the session may access. */
  readonly workspace: string;
  readonly workspaceOptions?: WorkspaceOptions;
  /** Absolute folders that no tool may access, such as the folder of the settings. The state folder is always included. */
  readonly privateFolders?: readonly string[];
  /** The rules of the sandbox; no sandbox by default. */
  readonly sandbox?: {
    readonly mode: SandboxMode;
    /** True to lower the risk of a command in a sandbox without network from high to medium. */
    readonly lowersRisk?: boolean;
    /** Returns true for an address of the internet; by default for none, so that no command can get the whole network. */
    readonly isPublic?: IsPublic;
  } & Partial<Omit<SandboxRules, "workspace">>;
  /** The access to the web, which the tools for the web need. */
  readonly web?: WebParts;
  /** The folder for private data; by default `localharness` in `$XDG_STATE_HOME` or in `~/.local/state`. */
  readonly stateFolder?: string;
  /** The environment that is filtered and passed to children; by default the environment of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Names of environment variables that are passed to children even though the filter would drop them. */
  readonly passEnvironment?: readonly string[];
  /** Values (keys of services) that must not be in a child's environment under any name, and that undo must not keep. */
  readonly secrets?: readonly string[];
  /** The limits of each command with everything that it starts; by default 2,000 processes and no memory limit. */
  readonly childLimits?: { readonly processes?: number; readonly memoryBytes?: number };
  /** See `ToolResources.resultLimit`; 16,000 by default. */
  readonly resultLimit?: () => number;
  /** Limits for undo. By default 16 MB per file, 64 MB per turn, 256 MB in total. */
  readonly changeLimits?: Partial<ChangeLimits>;
  /** Limits for what is kept before commands. By default 16 MB per file, 512 MB in total, 50,000 files and folders. */
  readonly snapshotLimits?: Partial<SnapshotLimits>;
  /** See `ToolResources.curator`. */
  readonly curator?: Curator;
  /** See `ToolResources.summarizer`. */
  readonly summarizer?: OutputSummarizer;
  readonly clock?: Clock;
}

/** The maximum length of one result in a context window that is large enough. */
export const maxResultChars = 16_000;

/**
 * Opens the resources and removes leftovers of killed sessions. Rejects with the system's error if the workspace cannot be
 * opened.
 */
export async function openToolResources(options: ToolResourcesOptions): Promise<ToolResources> {
  const stateFolder = options.stateFolder ?? defaultStateFolder();
  const closed = [stateFolder, ...(options.privateFolders ?? [])];
  const added = createAddedFolders({ closed, ...options.workspaceOptions });
  const workspace = await openWorkspace(options.workspace, { closed, ...options.workspaceOptions, added });
  sweepTemporaryFiles(stateFolder);
  sweepOutputs(stateFolder);
  sweepStandIns(stateFolder);
  sweepHostFiles(stateFolder);
  sweepInlets(stateFolder);
  const clock = options.clock ?? systemClock;
  const resultLimit = options.resultLimit ?? (() => maxResultChars);
  const journal = createWriteJournal(stateFolder);
  const outputs = createOutputFolder(stateFolder);
  const jobs = createJobs(resultLimit, outputs, clock);
  const writable = options.sandbox?.writable ?? [];
  const programs = createPrograms({
    environment: options.environment ?? process.env,
    pass: options.passEnvironment ?? [],
    secrets: options.secrets ?? [],
    limits: options.childLimits ?? {},
    folders: () => [workspace.root, ...writable, ...added.list().map(({ root }) => root)],
  });
  const sandbox = sandboxOf(options, { workspace, added, closed, stateFolder });
  const writes = createToolWrites(stateFolder, workspaceName(workspace.root));
  const undo = undoParts(options, { stateFolder, workspace, writes, jobs });
  return {
    workspace,
    added,
    judgeFolder: (path, from) => {
      const needed = sandboxPrograms.flatMap((name) => programs.outside.find(name) ?? []);
      const place = { workspace: workspace.root, added: added.list(), closed, hidden: hiddenPlaces() };
      return folderToAdd(path, { ...place, programs: needed, ...defined({ from }) });
    },
    examinePaths: (touches) => examinePaths(workspace, touches),
    journal,
    writes,
    ...undo,
    outputs,
    ...defined({ web: options.web, curator: options.curator, summarizer: options.summarizer }),
    programs,
    sandbox,
    secrets: createSecrets(workspace),
    openReader: lazyReader(),
    commandRisk: lowersRisk(options, sandbox) ? "medium" : "high",
    ledger: createReadLedger(),
    tasks: createTaskList(),
    clock,
    resultLimit,
    jobs,
    ports: createJobPorts(),
    endChildren: () => programs.endAll(),
    close: async () => {
      await programs.endAll();
      await jobs.clear();
      programs.close();
      undo.snapshots.close();
      await sandbox.close();
      outputs.close();
      journal.close();
      added.close();
      workspace.close();
    },
  };
}

interface Folders extends Pick<ToolResources, "workspace" | "added"> {
  readonly closed: readonly string[];
  readonly stateFolder: string;
}

function sandboxOf(
  { sandbox: wanted }: ToolResourcesOptions,
  { workspace, added, closed, stateFolder }: Folders,
): Sandbox {
  return openSandbox({
    mode: wanted?.mode ?? "off",
    rules: {
      workspace: workspace.root,
      get added() {
        return added.list();
      },
      writable: wanted?.writable ?? [],
      readable: wanted?.readable ?? [],
      domains: wanted?.domains ?? [],
      unreadable: [...closed, ...(wanted?.unreadable ?? [])],
    },
    stateFolder,
    ripgrep: ripgrepPath,
    variables: { offline: offlineVariables, asked: askedVariables },
    ...defined({ isPublic: wanted?.isPublic }),
  });
}

/** Returns what records the changes of tools, and what keeps the files that commands may change. */
function undoParts(
  options: ToolResourcesOptions,
  {
    stateFolder,
    workspace,
    writes,
    jobs,
  }: Pick<ToolResources, "workspace" | "writes" | "jobs"> & { stateFolder: string },
): Pick<ToolResources, "changes" | "snapshots"> {
  const shared = { stateFolder, workspace: workspace.root, secrets: options.secrets ?? [] };
  const limits = { ...defaultChangeLimits, ...options.changeLimits };
  const noted = createNotedPaths(workspace);
  const note = (path: string) => {
    writes.note(path);
    noted.note(path);
  };
  const folderOf = (path: string) => workspace.placeOf(path).added?.root;
  const changes = createChanges({ ...shared, limits, note, folderOf });
  const snapshots = ofFolders({
    workspace,
    changes,
    open: (root, its) =>
      createSnapshots({
        ...shared,
        workspace: root,
        changes: its,
        noted: noted.in(root),
        limits: { ...defaultSnapshotLimits, ...options.snapshotLimits },
        jobs: () => jobs.list().flatMap(({ id, ended }) => (ended === undefined ? [id] : [])),
      }),
  });
  return { changes, snapshots };
}

function lowersRisk({ sandbox: wanted }: ToolResourcesOptions, sandbox: Sandbox): boolean {
  return wanted?.lowersRisk === true && sandbox.state.kind === "on" && (wanted.domains ?? []).length === 0;
}

function defaultStateFolder(): string {
  const base = process.env["XDG_STATE_HOME"];
  return join(base === undefined || base === "" ? join(homedir(), ".local", "state") : base, "localharness");
}
