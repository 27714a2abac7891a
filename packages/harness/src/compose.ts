/** Wires the program together: creates everything that a command needs from the settings of a run. */
import { existsSync, mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import {
  createRegistry,
  createSession,
  freshId,
  type Limits,
  type PolicyRule,
  type PolicyStore,
  type Session,
  type ToolDefinition,
  type ToolRegistry,
  usageError,
} from "@localharness/engine";
import type { FoundModel, SelectedModel } from "@localharness/models";
import type { PermissionMode } from "@localharness/protocol";
import { defined, reasonOf } from "@localharness/protocol";
import { type AuditFile, auditPath, openAuditFile } from "@localharness/store/audit/audit-file";
import { openPolicyFile } from "@localharness/store/policy-file/policy-file";
import { withProjectRules } from "@localharness/store/policy-file/project-rules";
import {
  type EarlierSession,
  type KeptSessions,
  openKeptSessions,
} from "@localharness/store/sessions/kept-sessions";
import { createRunTally } from "@localharness/store/stats/run-tally";
import { openTrustFile, type TrustStore } from "@localharness/store/trust/trust-file";
import { type LazyUndo, lazyUndo } from "@localharness/store/undo/lazy-undo";
import {
  type ClipboardImage,
  createTools,
  type FileListing,
  type Jobs,
  listFiles,
  openToolResources,
  type PersonsCommand,
  readClipboard,
  runHelper,
  runPersonsCommand,
  type Sandbox,
  type ToolResources,
  toolSet,
  type Workspace,
  type WriteJournal,
} from "@localharness/tools";
import { withoutAgentTool } from "./agents/agent-choice.ts";
import { offerAgentsOnce } from "./agents/offer-once.ts";
import { bytesPerMegabyte, type ConfigValues, defaultTools } from "./config/fields.ts";
import { readKeys } from "./config/keys.ts";
import { stateFolder } from "./config/location.ts";
import { forgetSecrets, knownSecrets } from "./config/secrets.ts";
import type { Settings } from "./config/settings.ts";
import { type Guidance, openGuidance } from "./guidance.ts";
import { tellUnseen } from "./images/seen-images.ts";
import { openModelInUse } from "./model-in-use.ts";
import { type Options, textOption } from "./options.ts";
import { checkRunRules, runRules, withRunRules } from "./run-rules/run-rules.ts";
import type { ModelFiles } from "./select-model.ts";
import { systemPrompt } from "./system-prompt.ts";
import type { Trust } from "./trust/settle-trust.ts";

/** Everything that tool calls need: the workspace, the tools, the rules and the logs. */
export interface Workbench {
  /** A real path. */
  readonly workspace: string;
  /** Access to the files in the workspace. */
  readonly files: Workspace;
  readonly registry: ToolRegistry;
  /** All tools, including those that the model does not get. */
  readonly allTools: ToolRegistry;
  /** The person's rules and remembered answers. */
  readonly policyStore: PolicyStore;
  /** The person's rules and those of the project. */
  readonly trustedPolicyStore: PolicyStore;
  readonly trustStore: TrustStore;
  readonly audit: AuditFile;
  /** The sandbox that confines commands. */
  readonly sandbox: Sandbox;
  /** Masks known secrets in a text. */
  mask(text: string): string;
  /** The secrets, in every form that `mask` recognizes. */
  readonly secrets: readonly string[];
  /** The record of temporary files, which the next start removes after a crash. */
  readonly journal: WriteJournal;
  readonly mode: PermissionMode;
  /** Returns at most `most` paths of the workspace, without those that version control ignores. */
  listFiles(most: number, signal: AbortSignal): Promise<FileListing>;
  /** Runs a shell command that the person typed, without a permission question. */
  runCommand(command: string, signal: AbortSignal, report: (text: string) => void): Promise<PersonsCommand>;
  /** Returns the image in the person's clipboard. */
  readClipboard(mostBytes: number): Promise<ClipboardImage>;
  /** Undoes and redoes the file changes of tools. */
  readonly undo: LazyUndo;
  /** The instructions, commands and hooks of the person and of the project. */
  readonly guidance: Guidance;
  /** The commands that run in the background. */
  readonly jobs: Jobs;
  /** Forgets what the session before has read, and ends its jobs. */
  beginSession(): void;
  /** Ends the child processes of tools within 2 s. */
  endChildren(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a workspace with its tools; `unlessChosen` is the tool set without a setting. Throws a `HarnessError` for a
 * workspace that cannot be opened, and for a sandbox that is required but not available.
 */
export async function openWorkbench(
  settings: Settings,
  workspace: string | undefined,
  unlessChosen: string,
  allowed: readonly PolicyRule[] = [],
): Promise<Workbench> {
  const state = ownFolder();
  const secrets = await knownSecrets(process.env, await readKeys(settings.folder));
  const resources = await openResources(resolve(workspace ?? "."), state, settings, secrets.keys);
  forgetSecrets(process.env, secrets);
  const tools = createTools(resources);
  const root = resources.workspace.root;
  checkRunRules(allowed, tools);
  const policyStore = withRunRules(openPolicyFile(settings.folder, resources.journal), allowed);
  const audit = openAuditFile(auditPath(state, root));
  return {
    workspace: root,
    files: resources.workspace,
    registry: createRegistry(toolSet(tools, withoutAgentTool(settings.values.tools ?? unlessChosen))),
    allTools: createRegistry(tools),
    policyStore,
    trustedPolicyStore: withProjectRules(policyStore, resources.workspace),
    trustStore: openTrustFile(settings.folder, resources.journal),
    audit,
    sandbox: resources.sandbox,
    mask: secrets.mask,
    secrets: secrets.forms,
    journal: resources.journal,
    mode: settings.values.mode ?? "default",
    listFiles: (most, signal) => listFiles(resources, most, signal),
    runCommand: (command, signal, report) => runPersonsCommand(resources, command, signal, report),
    readClipboard: (mostBytes) => readClipboard(resources, process.env, mostBytes),
    undo: lazyUndo(resources, state, secrets.keys),
    guidance: openGuidance({
      workspace: resources.workspace,
      folder: settings.folder,
      journal: resources.journal,
      hooks: settings.values.hooks ?? [],
      run: (request) => runHelper(resources, request),
    }),
    jobs: resources.jobs,
    beginSession() {
      resources.ledger.clear();
      void resources.jobs.clear();
    },
    endChildren: () => resources.endChildren(),
    async close() {
      await resources.close();
      await audit.close();
    },
  };
}

/** A workbench with a model, and the sessions that use them. */
export interface Composition extends Workbench {
  /** The model of sessions that begin now. */
  readonly selected: SelectedModel;
  /** The tools of sessions that begin now. */
  readonly registry: ToolRegistry;
  /** Returns the models that the server has now. */
  listModels(): Promise<readonly FoundModel[]>;
  /** Switches to another model. Rejects with a `HarnessError` when there is none of that name. */
  chooseModel(name: string): Promise<SelectedModel>;
  /** Switches to exactly these tools. Throws a `HarnessError` (`tool-unknown`) for an unknown name. */
  chooseTools(names: readonly string[]): ToolRegistry;
  /** The saved sessions of this workspace; undefined when sessions are not saved. */
  readonly sessions: KeptSessions | undefined;
  /**
   * Adds the tool that starts agents when the settings ask for it. Call it before sessions begin; repeated calls do
   * nothing. Resolves to warnings.
   */
  offerAgents(trust: Trust): Promise<readonly string[]>;
  /** Creates a new session, or continues an earlier one. `interactive` is false when nobody can be asked. */
  newSession(interactive: boolean, trust: Trust, earlier?: EarlierSession): Session;
}

/** The options of a run that are not settings. */
export interface RunOptions extends ModelFiles {
  /** The model, when it was selected already. */
  readonly selected?: SelectedModel;
  /** The rules of `--allow`. */
  readonly allowed?: readonly PolicyRule[];
}

/** Reads the options of a run. Throws a `HarnessError` (`usage`) for an invalid rule. */
export function runOptions(flags: Options): RunOptions {
  const record = textOption(flags, "record");
  const replay = textOption(flags, "replay");
  return {
    ...defined({ record, replay }),
    allowed: runRules(flags.allow),
  };
}

export async function compose(
  settings: Settings,
  workspace: string | undefined,
  { allowed, selected: settled, ...files }: RunOptions = {},
): Promise<Composition> {
  // A copy, because opening the workbench removes the keys from the environment that child processes inherit.
  const environment = { ...process.env };
  const bench = await openWorkbench(settings, workspace, defaultTools, allowed);
  const model = await openModelInUse(settings, files, environment, settled);
  const { findCalls } = await import("@localharness/models");
  let { registry } = bench;
  const tally = createRunTally(stateFolder(), bench.journal);
  const { values } = settings;
  const limits = limitsOf(values);
  const sessions = openSessions(settings, bench);
  return {
    ...bench,
    get selected() {
      return model.selected;
    },
    get registry() {
      return registry;
    },
    listModels: model.list,
    chooseModel: model.choose,
    chooseTools(names) {
      registry = createRegistry(toolSet(bench.allTools.list(), names));
      return registry;
    },
    sessions,
    offerAgents: (trust) =>
      offerAgentsOnce(trust, {
        bench,
        settings,
        choice: values.tools ?? defaultTools,
        selected: () => model.selected,
        registry: () => registry,
        select: model.find,
      }),
    newSession(interactive, trust, earlier) {
      bench.beginSession();
      const sessionId = earlier?.id ?? freshId();
      const store = earlier?.writer ?? sessions?.startSession(sessionId);
      const session = createSession({
        sessionId,
        ...defined({ store }),
        ...(earlier === undefined ? {} : { history: earlier.events }),
        model: model.selected.model,
        registry,
        ...sharedParts(bench, trust),
        findCalls,
        limits,
        interactive,
        news: () => bench.undo.news(sessionId),
      });
      tally.follow(session, model.selected.model);
      store?.tellTo((message) => session.notice("warning", "session-not-saved", message));
      for (const remark of earlier?.remarks ?? []) session.notice("warning", "session-mended", remark);
      if (earlier !== undefined) tellUnseen(session, model.selected);
      if (sessions === undefined && values.sessions !== "none") {
        session.notice(
          "info",
          "session-not-kept",
          "the session is not saved, because there is no home folder: set HOME or XDG_STATE_HOME",
        );
      }
      return session;
    },
    async close() {
      sessions?.close();
      await tally.save();
      await model.keepLearnt(bench.journal);
      await bench.close();
    },
  };
}

/** Returns the parts of a session that come from the workbench. */
function sharedParts(bench: Workbench, trust: Trust) {
  const hooks = bench.guidance.hooks(trust);
  return {
    systemPrompt: () => bench.guidance.prompt(trust),
    ...defined({ hooks }),
    workspace: bench.workspace,
    mode: bench.mode,
    policyStore: trust === "full" ? bench.trustedPolicyStore : bench.policyStore,
    trusted: trust !== "reading",
    audit: bench.audit,
    mask: bench.mask,
    sandbox: bench.sandbox.describe(),
    notes: () => bench.jobs.takeNotes(),
  };
}

function openSessions(
  { values }: Settings,
  { workspace, mask, secrets }: Workbench,
): KeptSessions | undefined {
  const folder = stateFolder();
  if (folder === undefined || values.sessions === "none") return undefined;
  return openKeptSessions({
    stateFolder: folder,
    workspace,
    systemPrompt: systemPrompt(workspace),
    mask,
    secrets,
  });
}

function limitsOf(values: ConfigValues): Partial<Limits> {
  return defined({
    callsPerBatch: values["limits.calls_per_iteration"],
    iterationsPerTurn: values["limits.iterations_per_turn"],
    iterationsWithoutProgress: values["limits.iterations_without_progress"],
    callsPerMinute: values["limits.calls_per_minute"],
    commandsPerTurn: values["limits.commands_per_turn"],
    bytesWrittenPerTurn: values["limits.bytes_written_per_turn"],
  });
}

/** Returns the definitions of the built-in tools as models get them. */
export async function builtInDefinitions(): Promise<readonly ToolDefinition[]> {
  const settings: Settings = { values: {}, origins: {}, folder: undefined };
  const resources = await openResources(resolve("."), ownFolder(), settings, []);
  const definitions = createRegistry(createTools(resources)).definitions();
  await resources.close();
  return definitions;
}

/**
 * Returns the state folder, or a temporary one when there is none and none can be created. An existing folder that
 * cannot be written is used anyway, so that writing to it reports the error.
 */
function ownFolder(): string {
  const folder = stateFolder();
  if (folder !== undefined && existsOrCanBeMade(folder)) return folder;
  return mkdtempSync(join(tmpdir(), "localharness-"));
}

function existsOrCanBeMade(folder: string): boolean {
  try {
    if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 });
    return true;
  } catch {
    return false;
  }
}

async function openResources(
  workspace: string,
  state: string,
  { values, folder }: Settings,
  secrets: readonly string[],
): Promise<ToolResources> {
  const resources = await openToolResources({
    workspace,
    stateFolder: state,
    privateFolders: folder === undefined ? [] : [folder],
    secrets,
    sandbox: {
      mode: values.sandbox ?? "auto",
      domains: values.sandbox_domains ?? [],
      writable: values.sandbox_writable ?? [],
      lowersRisk: values.sandbox_risk === "medium",
    },
    changeLimits:
      values.undo_megabytes === undefined ? {} : { totalBytes: values.undo_megabytes * bytesPerMegabyte },
  }).catch((error: unknown) => {
    const message = `the workspace ${workspace} cannot be opened: ${reasonOf(error)}`;
    throw usageError(message, error);
  });
  const { state: sandbox } = resources.sandbox;
  if (values.sandbox === "require" && sandbox.kind === "absent") {
    await resources.close();
    throw usageError(`a sandbox is required but not available: ${sandbox.problem}`);
  }
  return resources;
}
