/** Opens what tool calls need: the workspace, the tools, the rules, the sandbox and the logs. */
import { resolve } from "node:path";
import type { TypedCommand } from "@localharness/commands/keeping/around-typed";
import { type PersonsCommand, runPersonsCommand } from "@localharness/commands/keeping/persons-command";
import { resultChars, shareChars } from "@localharness/context";
import {
  createRegistry,
  type Freedoms,
  type PolicyRule,
  type PolicyStore,
  type Tool,
  type ToolDefinition,
  type ToolRegistry,
} from "@localharness/engine";
import type { Doors } from "@localharness/mcp";
import { type EditedText, editText } from "@localharness/processes/children/edit-text";
import type { Jobs } from "@localharness/processes/children/jobs";
import type { OutsidePrograms } from "@localharness/processes/children/programs";
import { type ClipboardImage, readClipboard } from "@localharness/processes/children/read-clipboard";
import { runPersonsTerminal } from "@localharness/processes/children/run-persons-terminal";
import { runHelper } from "@localharness/processes/helpers/run-helper";
import type { Sandbox } from "@localharness/processes/sandbox/sandbox";
import { type FileListing, listFiles } from "@localharness/processes/search/list-files";
import type { PermissionMode } from "@localharness/protocol";
import { type AuditFile, auditPath, openAuditFile } from "@localharness/store/audit/audit-file";
import { withAddedRules } from "@localharness/store/policy-file/added-rules";
import { openPolicyFile } from "@localharness/store/policy-file/policy-file";
import { withProjectRules } from "@localharness/store/policy-file/project-rules";
import { openTrustFile, type TrustStore } from "@localharness/store/trust/trust-file";
import { type LazyUndo, lazyUndo } from "@localharness/store/undo/lazy-undo";
import {
  createTools,
  cutResult,
  maxResultChars,
  type ToolResources,
  wholeFileTool,
  wholeListTool,
} from "@localharness/tools";
import type { WriteJournal } from "@localharness/workspace/files/write-journal";
import { readBranch } from "@localharness/workspace/git-files/checked-out";
import { repositoryRoot } from "@localharness/workspace/git-files/repository-root";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { readKeys } from "../config/keys.ts";
import { sharesOf } from "../config/limits.ts";
import { forgetSecrets, knownSecrets } from "../config/secrets.ts";
import type { Settings } from "../config/settings.ts";
import { chosenTools, offerGraph } from "../graph/offer-graph.ts";
import { mcpDoors } from "../mcp/mcp-doors.ts";
import { createModelQueues, type ModelQueues } from "../models/model-queues.ts";
import { openSessionFolders, type SessionFolders } from "../permission/folders/session-folders.ts";
import { checkRunRules, withRunRules } from "../permission/run-rules/run-rules.ts";
import type { Trust } from "../permission/trust/settle-trust.ts";
import { type Guidance, openGuidance } from "./guidance.ts";
import { withoutLate } from "./late-tools.ts";
import { openResources, ownFolder } from "./open-resources.ts";
import { openWeb } from "./web.ts";

export interface Workbench {
  /** The real path of the workspace. */
  readonly workspace: string;
  /** Access to the files in the workspace. */
  readonly files: Workspace;
  readonly registry: ToolRegistry;
  /** All tools, including those that the model does not get. */
  readonly allTools: ToolRegistry;
  /** The person's rules and remembered answers, and the rules of this run. */
  readonly policyStore: PolicyStore;
  /** The rules of `policyStore` and the project's rules. */
  readonly trustedPolicyStore: PolicyStore;
  readonly trustStore: TrustStore;
  /** The folders that the person adds to the workspace. */
  readonly folders: SessionFolders;
  readonly audit: AuditFile;
  /** The sandbox that confines commands. */
  readonly sandbox: Sandbox;
  /** Masks known secrets in a text. */
  mask(text: string): string;
  /** The secrets, in every form that `mask` recognizes. */
  readonly secrets: readonly string[];
  /** The write journal: the next start finds in it where a crash may have left temporary files. */
  readonly journal: WriteJournal;
  /** Returns the mode in which sessions begin. */
  mode(): PermissionMode;
  /** Sets the mode in which sessions begin, unless a setting or an option names one. Returns the mode that holds. */
  preferMode(mode: PermissionMode): PermissionMode;
  /** Returns which calls need no question in a folder with this trust. */
  freedoms(trust: Trust): Freedoms;
  /** Returns at most `most` paths of the workspace, without the paths that version control ignores. */
  listFiles(most: number, signal: AbortSignal): Promise<FileListing>;
  /** Returns a tool `read_file` for one call of another program. The tool calls `take` with the bytes of the file. */
  wholeFile(take: (bytes: Uint8Array) => void): Tool;
  /** Returns a tool `ls` for one call of another program. The tool calls `take` with the paths of all files. */
  wholeList(take: (paths: readonly string[]) => void): Tool;
  /**
   * Returns the branch that is checked out; undefined if there is no repository. For a workspace elsewhere adds the machine
   * and the delay of the connection, and rejects if the connection is lost.
   */
  readBranch(): Promise<string | undefined>;
  /** Passes all further messages about the connection to `tell`; absent if the workspace is on this machine. */
  followLink?(tell: (text: string) => void): void;
  /** Runs a shell command that the person typed, without a permission question. Undo covers its changes in the session. */
  runCommand(
    typed: TypedCommand,
    signal: AbortSignal,
    report: (text: string) => void,
  ): Promise<PersonsCommand>;
  /**
   * Runs a shell command that the person typed. The command has the terminal until it ends. Returns its exit code; undefined
   * if a signal ended it. Rejects if it cannot be started, and for a workspace elsewhere.
   */
  runInTerminal(command: string): Promise<number | undefined>;
  /** Returns the image in the person's clipboard, or a message that says why there is none. Never rejects. */
  readClipboard(mostBytes: number): Promise<ClipboardImage>;
  /**
   * Opens a text in the person's editor, which has the terminal until it ends, and returns the edited text. Never rejects.
   */
  editText(text: string): Promise<EditedText>;
  /** Undoes and redoes the file changes of tools. */
  readonly undo: LazyUndo;
  /** The instructions, commands and hooks of the person and of the project. */
  readonly guidance: Guidance;
  /** The commands that run in the background. */
  readonly jobs: Jobs;
  /** The functions with which MCP servers are started and reached. */
  readonly doors: Doors;
  /** Returns the programs that may run outside of the sandbox: those that are in no folder to which commands may write. */
  outside(): OutsidePrograms;
  /** The queues of model servers. */
  readonly queues: ModelQueues;
  /** Cuts a text to the maximum length of a tool result. If the text is longer, the whole text is kept in a file. */
  cutResult(text: string): string;
  /** Sets the function that returns the context window in tokens. The maximum length of a tool result depends on it. */
  followWindow(read: () => number | undefined): void;
  /** Forgets which files the previous session has read, and ends its jobs. */
  beginSession(): void;
  /** Ends the child processes of tools within 2 s. */
  endChildren(): Promise<void>;
  close(): Promise<void>;
}

export interface WorkbenchParts {
  /** The rules of this run. */
  readonly allowed?: readonly PolicyRule[] | undefined;
  /** The environment variables, with the API keys, which an earlier workbench may have removed from `process.env`. */
  readonly environment?: NodeJS.ProcessEnv;
}

/**
 * Opens a workspace with its tools. `unlessChosen` is the tool set if no setting names tools. Removes the known secrets from
 * `process.env`. Rejects with a `HarnessError` if the workspace cannot be opened, a required sandbox is not available, the
 * key file or a setting of the web search is wrong, or a rule or a setting names an unknown tool.
 */
export async function openWorkbench(
  settings: Settings,
  workspace: string | undefined,
  unlessChosen: string,
  { allowed = [], environment = { ...process.env } }: WorkbenchParts = {},
): Promise<Workbench> {
  const state = ownFolder();
  const keys = await readKeys(settings.folder);
  const secrets = await knownSecrets(environment, keys);
  const web = openWeb(settings.values, keys, environment, secrets.holds);
  let window: () => number | undefined = () => undefined;
  const resultLimit = () => resultChars(window(), maxResultChars, sharesOf(settings.values).result);
  const parts = { stateFolder: state, settings, secrets: secrets.keys, web, resultLimit };
  const resources = await openResources(resolve(workspace ?? "."), parts);
  forgetSecrets(process.env, secrets);
  const queues = createModelQueues(settings.values.parallel_requests);
  const graph = await offerGraph(resources, state, settings, { queues, environment });
  const tools = [...graph.watch(createTools(resources)), ...graph.tools];
  const { root } = resources.workspace;
  checkRunRules(allowed, tools);
  const policyStore = rulesOf(resources, settings, allowed);
  const audit = openAuditFile(auditPath(state, root));
  const trustedPolicyStore = withProjectRules(policyStore, resources.workspace);
  const trustStore = openTrustFile(settings.folder, resources.journal);
  const place: PromptPlace = {
    window: () => window(),
    map: async () => ((await limitsPaths(trustedPolicyStore)) ? undefined : graph.map(window())),
    trustedRoot: () => findTrustedRoot(root, trustStore),
    mask: secrets.mask,
  };
  return {
    workspace: root,
    files: resources.workspace,
    registry: createRegistry(chosenTools(tools, withoutLate(settings.values.tools ?? unlessChosen))),
    allTools: createRegistry(tools),
    policyStore,
    trustedPolicyStore,
    trustStore,
    folders: foldersOf(resources, trustStore, place, settings),
    audit,
    sandbox: resources.sandbox,
    mask: secrets.mask,
    secrets: secrets.forms,
    journal: resources.journal,
    ...beginningMode(settings),
    freedoms: (trust) => freedomsIn(resources, settings, trust),
    listFiles: (most, signal) => listFiles(resources, most, signal),
    ...whatThePersonDoes(resources),
    wholeFile: (take) => wholeFileTool(resources, take),
    wholeList: (take) => wholeListTool(resources, take),
    undo: lazyUndo(resources, state, secrets.keys),
    guidance: guidanceOf(resources, settings, state, place),
    jobs: resources.jobs,
    doors: mcpDoors(resources),
    outside: () => resources.programs.outside,
    queues,
    cutResult: (text) => cutResult(resources, text),
    followWindow(read) {
      window = read;
    },
    beginSession() {
      resources.ledger.clear();
      void resources.jobs.clear();
    },
    endChildren: () => resources.endChildren(),
    close: () => closeAll([graph, resources, audit]),
  };
}

/** Returns the person's rules, the rules of this run, and those of trusted folders that the person adds. */
function rulesOf(
  { added, journal }: ToolResources,
  { folder }: Settings,
  allowed: readonly PolicyRule[],
): PolicyStore {
  const trusted = () => added.list().flatMap((one) => (one.trusted ? [one.root] : []));
  return withAddedRules(withRunRules(openPolicyFile(folder, journal), allowed), trusted);
}

function foldersOf(
  resources: ToolResources,
  trustStore: TrustStore,
  { window, mask }: PromptPlace,
  { values }: Settings,
): SessionFolders {
  const maxInstructions = () => shareChars(window(), sharesOf(values).instructions);
  return openSessionFolders({ resources, trustStore, mask, maxInstructions });
}

async function closeAll(parts: readonly { close(): Promise<void> | void }[]): Promise<void> {
  for (const part of parts) await part.close();
}

function beginningMode({ values }: Settings): Pick<Workbench, "mode" | "preferMode"> {
  let preferred: PermissionMode = "default";
  return {
    mode: () => values.mode ?? preferred,
    preferMode: (mode) => {
      preferred = mode;
      return values.mode ?? mode;
    },
  };
}

type PersonsWork = Pick<
  Workbench,
  "readBranch" | "runCommand" | "runInTerminal" | "readClipboard" | "editText"
>;

function whatThePersonDoes(resources: ToolResources): PersonsWork {
  return {
    readBranch: async () => readBranch(resources.workspace.root),
    runCommand: (typed, signal, report) => runPersonsCommand(resources, typed, signal, report),
    runInTerminal: (command) => runPersonsTerminal(resources, process.env, command),
    readClipboard: (mostBytes) => readClipboard(resources, process.env, mostBytes),
    editText: (text) => editText(resources, process.env, text),
  };
}

function freedomsIn({ sandbox }: ToolResources, { values }: Settings, trust: Trust): Freedoms {
  return {
    looks: trust === "full" && values.ask_reads !== true,
    confined: trust !== "reading" && sandbox.state.kind === "on",
  };
}

/** Returns true if a rule on paths may keep the model from files, so that a map must not name what is in them. */
async function limitsPaths(store: PolicyStore): Promise<boolean> {
  const { rules, incomplete = false } = await store.load();
  return incomplete || rules.some(({ decision, path }) => decision !== "allow" && path !== undefined);
}

interface PromptPlace {
  window(): number | undefined;
  map(): Promise<string | undefined>;
  trustedRoot(): Promise<string | undefined>;
  mask(text: string): string;
}

/** Resolves to the root of the repository above the workspace if the person trusts it; otherwise to undefined. */
async function findTrustedRoot(workspace: string, { find }: TrustStore): Promise<string | undefined> {
  const root = repositoryRoot(workspace);
  if (root === undefined || root === workspace) return undefined;
  return (await find(root)).trusted === true ? root : undefined;
}

function guidanceOf(
  resources: ToolResources,
  settings: Settings,
  stateFolder: string,
  { window, map, trustedRoot, mask }: PromptPlace,
): Guidance {
  const { systemPrompt, instructions, result } = sharesOf(settings.values);
  return openGuidance({
    map,
    trustedRoot,
    mask,
    budgets: () => ({
      prompt: shareChars(window(), systemPrompt),
      instructions: shareChars(window(), instructions),
      skill: resultChars(window(), maxResultChars, result),
    }),
    workspace: resources.workspace,
    folder: settings.folder,
    journal: resources.journal,
    hooks: settings.values.hooks ?? [],
    hookPlace: { stateFolder, sandboxed: resources.sandbox.state.kind === "on" },
    outside: () => resources.programs.outside,
    run: (request) => runHelper(resources, request),
  });
}

/** Returns the definitions of the built-in tools as models get them. */
export async function builtInDefinitions(): Promise<readonly ToolDefinition[]> {
  return (await builtInTools()).definitions();
}

/**
 * Returns the built-in tools for listing them and for checking arguments. They cannot run, because their resources are
 * closed.
 */
export async function builtInTools(): Promise<ToolRegistry> {
  const settings: Settings = { values: {}, origins: {}, folder: undefined };
  const web = openWeb({}, {}, {}, () => false);
  const resources = await openResources(resolve("."), {
    stateFolder: ownFolder(),
    settings,
    secrets: [],
    web,
  });
  const registry = createRegistry(createTools(resources));
  await resources.close();
  return registry;
}
