/** The wiring of the program on one screen: what a command needs, made from the settings that hold. */

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
import { reasonOf } from "@localharness/protocol";
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
import type { ConfigValues } from "./config/fields.ts";
import { readKeys } from "./config/keys.ts";
import { stateFolder } from "./config/location.ts";
import { forgetSecrets, knownSecrets } from "./config/secrets.ts";
import { type Settings, usualTools } from "./config/settings.ts";
import { type Guidance, openGuidance } from "./guidance.ts";
import { tellUnseen } from "./images/seen-images.ts";
import { openModelInUse } from "./model-in-use.ts";
import { type Options, textOption } from "./options.ts";
import { checkRunRules, runRules, withRunRules } from "./run-rules/run-rules.ts";
import type { ModelFiles } from "./select-model.ts";
import { systemPrompt } from "./system-prompt.ts";
import type { Trust } from "./trust/settle-trust.ts";

/** What calls need: the workspace, the tools on it, and what the person allows on it. */
export interface Workbench {
  /** Real path. */
  readonly workspace: string;
  /** The door to what is in it. */
  readonly files: Workspace;
  readonly registry: ToolRegistry;
  /** Also those that models are not told of. */
  readonly allTools: ToolRegistry;
  /** The person's rules and remembered answers. */
  readonly policyStore: PolicyStore;
  /** Those, and the rules of the project. */
  readonly trustedPolicyStore: PolicyStore;
  readonly trustStore: TrustStore;
  readonly audit: AuditFile;
  /** What confines commands. */
  readonly sandbox: Sandbox;
  /** Takes known secrets out of a text. */
  mask(text: string): string;
  /** Those secrets in every form in which it finds them. */
  readonly secrets: readonly string[];
  /** Of the temporary files beside the program's own. */
  readonly journal: WriteJournal;
  readonly mode: PermissionMode;
  /** Paths of the workspace, at most so many; what version control ignores is left out. */
  listFiles(most: number, signal: AbortSignal): Promise<FileListing>;
  /** A command of the person's own: it asks nobody. */
  runCommand(command: string, signal: AbortSignal, report: (text: string) => void): Promise<PersonsCommand>;
  /** The image in the person's clipboard. */
  readClipboard(mostBytes: number): Promise<ClipboardImage>;
  /** Takes back what tools have changed. */
  readonly undo: LazyUndo;
  /** What files of the person and of the project say to a session. */
  readonly guidance: Guidance;
  /** Ends what tools have started, within 2 s. */
  endChildren(): Promise<void>;
  close(): Promise<void>;
}

/** Throws a `HarnessError` for a workspace that cannot be opened, and for a sandbox that is required and absent. */
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
    endChildren: () => resources.endChildren(),
    async close() {
      await resources.close();
      await audit.close();
    },
  };
}

/** A model on a workbench, and sessions of the two. */
export interface Composition extends Workbench {
  /** The model, and the tools on offer, of sessions that begin now. */
  readonly selected: SelectedModel;
  readonly registry: ToolRegistry;
  /** What the model's server has now. */
  listModels(): Promise<readonly FoundModel[]>;
  /** Takes another model of the server; rejects with a `HarnessError` when there is none of that name. */
  chooseModel(name: string): Promise<SelectedModel>;
  /** Takes these tools and no others. Throws `tool-unknown`. */
  chooseTools(names: readonly string[]): ToolRegistry;
  /** The sessions of this workspace on disk; undefined when none are kept. */
  readonly sessions: KeptSessions | undefined;
  /** Puts the tool that starts agents among the others where it is wanted. Before sessions; more than once does no harm. */
  offerAgents(trust: Trust): Promise<readonly string[]>;
  /** A session with an empty transcript, or an earlier one to go on with; `interactive` false when nobody can be asked. */
  newSession(interactive: boolean, trust: Trust, earlier?: EarlierSession): Session;
}

/** What the options of a run say beside the settings. */
export interface RunOptions extends ModelFiles {
  /** The model, where it has been settled already. */
  readonly selected?: SelectedModel;
  /** What `--allow` says. */
  readonly allowed?: readonly PolicyRule[];
}

/** Throws a `HarnessError` (`usage`) for a rule that is none. */
export function runOptions(flags: Options): RunOptions {
  const record = textOption(flags, "record");
  const replay = textOption(flags, "replay");
  return {
    ...(record === undefined ? {} : { record }),
    ...(replay === undefined ? {} : { replay }),
    allowed: runRules(flags.allow),
  };
}

export async function compose(
  settings: Settings,
  workspace: string | undefined,
  { allowed, selected: settled, ...files }: RunOptions = {},
): Promise<Composition> {
  // A copy: the workbench forgets the keys in the environment of the process, which programs inherit.
  const environment = { ...process.env };
  const bench = await openWorkbench(settings, workspace, usualTools, allowed);
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
        choice: values.tools ?? usualTools,
        selected: () => model.selected,
        registry: () => registry,
        select: model.find,
      }),
    newSession(interactive, trust, earlier) {
      const sessionId = earlier?.id ?? freshId();
      const store = earlier?.writer ?? sessions?.startSession(sessionId);
      const session = createSession({
        sessionId,
        ...(store === undefined ? {} : { store }),
        ...(earlier === undefined ? {} : { history: earlier.events }),
        model: model.selected.model,
        registry,
        ...lentBy(bench, trust),
        findCalls,
        limits,
        interactive,
        news: () => bench.undo.news(sessionId),
      });
      tally.follow(session, model.selected.model);
      store?.tellTo((message) => session.notice("warning", "session-not-saved", message));
      for (const remark of earlier?.remarks ?? []) session.notice("warning", "session-mended", remark);
      if (earlier !== undefined) tellUnseen(session, model.selected);
      if (sessions === undefined && values.sessions !== "none")
        session.notice(
          "info",
          "session-not-kept",
          "no folder is known to keep the session in: set HOME or XDG_STATE_HOME",
        );
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

/** What every session of a workbench has of it. */
function lentBy(bench: Workbench, trust: Trust) {
  const hooks = bench.guidance.hooks(trust);
  return {
    systemPrompt: () => bench.guidance.prompt(trust),
    ...(hooks === undefined ? {} : { hooks }),
    workspace: bench.workspace,
    mode: bench.mode,
    policyStore: trust === "full" ? bench.trustedPolicyStore : bench.policyStore,
    trusted: trust !== "reading",
    audit: bench.audit,
    mask: bench.mask,
    sandbox: bench.sandbox.describe(),
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
  const all = {
    callsPerIteration: values["limits.calls_per_iteration"],
    iterationsPerTurn: values["limits.iterations_per_turn"],
    callsPerMinute: values["limits.calls_per_minute"],
    commandsPerTurn: values["limits.commands_per_turn"],
    bytesWrittenPerTurn: values["limits.bytes_written_per_turn"],
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** The built-in tools as models are told of them. */
export async function builtInDefinitions(): Promise<readonly ToolDefinition[]> {
  const settings: Settings = { values: {}, origins: {}, folder: undefined };
  const resources = await openResources(resolve("."), ownFolder(), settings, []);
  const definitions = createRegistry(createTools(resources)).definitions();
  await resources.close();
  return definitions;
}

/** Where nothing can be kept, a folder of this run. One that is there and cannot be written to stays: its faults are told. */
function ownFolder(): string {
  const folder = stateFolder();
  if (folder !== undefined && canBeThere(folder)) return folder;
  return mkdtempSync(join(tmpdir(), "localharness-"));
}

function canBeThere(folder: string): boolean {
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
      values.undo_megabytes === undefined ? {} : { totalBytes: values.undo_megabytes * 1024 * 1024 },
  }).catch((error: unknown) => {
    const message = `the workspace ${workspace} is no folder that can be opened: ${reasonOf(error)}`;
    throw usageError(message, error);
  });
  const { state: sandbox } = resources.sandbox;
  if (values.sandbox === "require" && sandbox.kind === "absent") {
    await resources.close();
    throw usageError(`a sandbox is required and there is none: ${sandbox.problem}`);
  }
  return resources;
}
