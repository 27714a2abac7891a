/** Wires the program together: creates everything that a command needs from the settings of a run. */
import { resolve } from "node:path";
import { compactor } from "@localharness/context";
import {
  createRegistry,
  createSession,
  type Freedoms,
  freshId,
  type PolicyRule,
  type PolicyStore,
  type Session,
  type ToolDefinition,
  type ToolRegistry,
} from "@localharness/engine";
import type { FoundModel, SelectedModel } from "@localharness/models";
import type { PermissionMode } from "@localharness/protocol";
import { defined } from "@localharness/protocol";
import { type AuditFile, auditPath, openAuditFile } from "@localharness/store/audit/audit-file";
import { newNotices } from "@localharness/store/notices/told-notices";
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
  type EditedText,
  editText,
  type FileListing,
  type Jobs,
  listFiles,
  type PersonsCommand,
  readClipboard,
  runHelper,
  runPersonsCommand,
  runPersonsTerminal,
  type Sandbox,
  toolSet,
  type Workspace,
  type WriteJournal,
} from "@localharness/tools";
import { withoutAgentTool } from "./agents/agent-choice.ts";
import { offerAgentsOnce } from "./agents/offer-once.ts";
import { defaultTools } from "./config/fields.ts";
import { readKeys } from "./config/keys.ts";
import { limitsOf } from "./config/limits.ts";
import { stateFolder } from "./config/location.ts";
import { forgetSecrets, knownSecrets } from "./config/secrets.ts";
import type { Settings } from "./config/settings.ts";
import { type Guidance, openGuidance } from "./guidance.ts";
import { tellUnseen } from "./images/seen-images.ts";
import { openModelInUse } from "./model-in-use.ts";
import { openResources, ownFolder } from "./open-resources.ts";
import { type Options, textOption } from "./options.ts";
import { checkRunRules, runRules, withRunRules } from "./run-rules/run-rules.ts";
import type { ModelFiles } from "./select-model.ts";
import { systemPrompt } from "./system-prompt.ts";
import type { Trust } from "./trust/settle-trust.ts";
import { openWeb } from "./web.ts";

/** Everything that tool calls need: the workspace, the tools, the rules and the logs. */
export interface Workbench {
  /** The real path of the workspace. */
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
  /** Returns the mode in which sessions begin. */
  mode(): PermissionMode;
  /** Lets sessions begin in this mode, unless a setting or an option names one. */
  preferMode(mode: PermissionMode): void;
  /** Returns the calls that need no question in a folder with this trust. */
  freedoms(trust: Trust): Freedoms;
  /** Returns at most `most` paths of the workspace, without those that version control ignores. */
  listFiles(most: number, signal: AbortSignal): Promise<FileListing>;
  /** Runs a shell command that the person typed, without a permission question. */
  runCommand(command: string, signal: AbortSignal, report: (text: string) => void): Promise<PersonsCommand>;
  /** Runs a shell command that the person typed, which gets the terminal until it ends. Returns its exit code. */
  runInTerminal(command: string): Promise<number | undefined>;
  /** Returns the image in the person's clipboard. */
  readClipboard(mostBytes: number): Promise<ClipboardImage>;
  /** Opens a text in the person's editor, which gets the terminal until it ends. */
  editText(text: string): Promise<EditedText>;
  /** Undoes and redoes the file changes of tools. */
  readonly undo: LazyUndo;
  /** The instructions, commands and hooks of the person and of the project. */
  readonly guidance: Guidance;
  /** The commands that run in the background. */
  readonly jobs: Jobs;
  /** Forgets which files the previous session has read, and ends its jobs. */
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
  const keys = await readKeys(settings.folder);
  const secrets = await knownSecrets(process.env, keys);
  const web = openWeb(settings.values, keys, process.env, secrets.mask);
  const resources = await openResources(resolve(workspace ?? "."), state, settings, secrets.keys, web);
  forgetSecrets(process.env, secrets);
  const tools = createTools(resources);
  const root = resources.workspace.root;
  checkRunRules(allowed, tools);
  const policyStore = withRunRules(openPolicyFile(settings.folder, resources.journal), allowed);
  const audit = openAuditFile(auditPath(state, root));
  let preferred: PermissionMode = "default";
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
    mode: () => settings.values.mode ?? preferred,
    preferMode(mode) {
      preferred = mode;
    },
    freedoms: (trust) => ({
      looks: trust === "full" && settings.values.ask_reads !== true,
      confined: trust !== "reading" && resources.sandbox.state.kind === "on",
    }),
    listFiles: (most, signal) => listFiles(resources, most, signal),
    runCommand: (command, signal, report) => runPersonsCommand(resources, command, signal, report),
    runInTerminal: (command) => runPersonsTerminal(resources, process.env, command),
    readClipboard: (mostBytes) => readClipboard(resources, process.env, mostBytes),
    editText: (text) => editText(resources, process.env, text),
    undo: lazyUndo(resources, state, secrets.keys),
    guidance: openGuidance({
      workspace: resources.workspace,
      folder: settings.folder,
      journal: resources.journal,
      hooks: settings.values.hooks ?? [],
      hookPlace: { stateFolder: state, sandboxed: resources.sandbox.state.kind === "on" },
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
  /** Returns the notices that the person has not yet got in this folder, and remembers them. Never rejects. */
  newNotices(notices: readonly string[]): Promise<readonly string[]>;
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
  /** True to report problems of instructions files once in a folder, not in every session. */
  readonly tellsOnce?: boolean;
  /** The run answers one message (`-p`), which its saved session tells. */
  readonly oneShot?: boolean;
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
  { allowed, selected: settled, tellsOnce, oneShot, ...files }: RunOptions = {},
): Promise<Composition> {
  // The environment is copied, because opening the workbench removes the keys from the one that child processes inherit.
  const environment = { ...process.env };
  const bench = await openWorkbench(settings, workspace, defaultTools, allowed);
  const model = await openModelInUse(settings, files, environment, settled);
  const { findCalls } = await import("@localharness/models");
  let { registry } = bench;
  const tally = createRunTally(stateFolder(), bench.journal);
  const { values } = settings;
  const limits = limitsOf(values);
  const sessions = openSessions(settings, bench);
  const news = (notices: readonly string[]) =>
    newNotices(stateFolder(), bench.workspace, notices, bench.journal);
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
    newNotices: news,
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
      const store = earlier?.writer ?? sessions?.startSession(sessionId, oneShot);
      const session = createSession({
        sessionId,
        ...defined({ store }),
        ...(earlier === undefined ? {} : { history: earlier.events }),
        model: model.selected.model,
        registry,
        ...sharedParts(bench, trust, values),
        systemPrompt: () => bench.guidance.prompt(trust, tellsOnce === true ? news : undefined),
        plans: trust !== "reading" && (interactive || values.mode === "plan"),
        findCalls,
        limits,
        interactive,
        news: () => bench.undo.news(sessionId),
      });
      tally.follow(session, model.selected.model);
      store?.tellTo((message) => session.notice("warning", "session-not-saved", message));
      for (const remark of earlier?.remarks ?? []) session.notice("warning", "session-mended", remark);
      if (earlier !== undefined) tellUnseen(session, model.selected);
      if (sessions === undefined) tellUnkept(session, values);
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

const notKept = "the session is not saved, because there is no home folder: set HOME or XDG_STATE_HOME";

/** Tells the person that the session is not saved, unless the person chose that. */
function tellUnkept(session: Session, { sessions }: Settings["values"]): void {
  if (sessions !== "none") session.notice("info", "session-not-kept", notKept);
}

/** Returns the parts of a session that come from the workbench and the settings. */
function sharedParts(bench: Workbench, trust: Trust, { compact }: Settings["values"]) {
  const hooks = bench.guidance.hooks(trust);
  return {
    ...defined({ hooks }),
    ...(compact === "off" ? {} : { compactor }),
    workspace: bench.workspace,
    mode: bench.mode(),
    policyStore: trust === "full" ? bench.trustedPolicyStore : bench.policyStore,
    trusted: trust !== "reading",
    audit: bench.audit,
    mask: bench.mask,
    sandbox: bench.sandbox.describe(),
    freedoms: bench.freedoms(trust),
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

/** Returns the definitions of the built-in tools as models get them. */
export async function builtInDefinitions(): Promise<readonly ToolDefinition[]> {
  const settings: Settings = { values: {}, origins: {}, folder: undefined };
  const web = openWeb({}, {}, {}, (text) => text);
  const resources = await openResources(resolve("."), ownFolder(), settings, [], web);
  const definitions = createRegistry(createTools(resources)).definitions();
  await resources.close();
  return definitions;
}
