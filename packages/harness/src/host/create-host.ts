/** Creates the `Host` that a screen uses, from one file for each group of its methods. */
import type { Session } from "@localharness/engine";
import { sentMessages, usageError } from "@localharness/engine";
import type {
  ContextPart,
  CustomCommand,
  Host,
  ModelMessage,
  SessionChanges,
  SessionChoice,
  SessionLink,
  SkillList,
} from "@localharness/protocol";
import { defined } from "@localharness/protocol";
import type { EarlierSession } from "@localharness/store/sessions/kept-sessions";
import type { Undo } from "@localharness/store/undo/undo-changes";
import type { Composition } from "../compose/compose.ts";
import { stateFolder } from "../config/location.ts";
import type { Settings } from "../config/settings.ts";
import { completeFolder } from "../permission/folders/complete-folder.ts";
import type { ChatTrust } from "../permission/trust/change-trust.ts";
import type { Trust } from "../permission/trust/settle-trust.ts";
import { attachingMethods } from "../prompt/attachments/attach-named.ts";
import type { CustomCommands } from "../prompt/custom-commands/load-commands.ts";
import { readClipboardImage } from "../prompt/images/persons-image.ts";
import { partsOfPrompt } from "../prompt/instructions/instructed-prompt.ts";
import { summarizeSkills } from "../prompt/skills/list-skills.ts";
import { loadSkills } from "../prompt/skills/load-skills.ts";
import { runRecorded } from "./audit-command.ts";
import { bytesOf, contextParts } from "./context-parts.ts";
import { type CostMeter, createCostMeter, type Prices } from "./cost-meter.ts";
import { describeProgram } from "./describe-program.ts";
import { describeStatus, sandboxWords } from "./describe-status.ts";
import { describeWindow } from "./describe-window.ts";
import { endJob, listJobs } from "./job-summaries.ts";
import { openMessageHistory } from "./message-history.ts";
import { chooseSessionModel, listModelChoices } from "./model-choices.ts";
import { createPathIndex } from "./path-index.ts";
import { forgetRule, listRuleChoices } from "./rule-choices.ts";
import { sessionMethods, takeEarlier } from "./session-choices.ts";
import { linkSession } from "./session-link.ts";
import { changeSettingField, listSettingFields } from "./setting-fields.ts";
import { createToolSwitch, listToolChoices } from "./tool-choices.ts";

export interface HostParts {
  readonly composition: Composition;
  readonly settings: Settings;
  readonly trust: ChatTrust;
  /** The session to begin with; absent to begin a new session. */
  readonly earlier?: EarlierSession;
}

/** A host with its current session. A session that it opens later keeps the permission mode, unless the trust changed. */
export interface OpenedHost {
  readonly host: Host;
  session(): Session;
}

export function createHost(parts: HostParts): OpenedHost {
  const { composition, trust } = parts;
  let itsTrust = trust.get();
  let session = composition.newSession("everything", itsTrust, parts.earlier);
  let meter = meterOf(composition, session);
  const open = async (which: SessionChoice): Promise<SessionLink> => {
    const before = session;
    const earlier = await takeEarlier(composition.sessions, before, which);
    await trust.renew();
    itsTrust = trust.get();
    const remarks = await composition.folders.begin(earlier);
    session = composition.newSession("everything", itsTrust, earlier);
    session.send({ type: "set-mode", mode: trust.nextMode(before.mode()) });
    for (const remark of remarks) session.notice("warning", "folders", remark);
    meter = meterOf(composition, session);
    await before.close();
    return linkSession(session, earlier?.events);
  };
  const current: Current = { session: () => session, meter: () => meter, trust: () => itsTrust };
  const methods = hostMethods(parts, current);
  return { host: { open, ...methods }, session: () => session };
}

/** The current session, the meter of its costs, and the trust with which it began. */
export interface Current {
  session(): Session;
  meter(): CostMeter;
  trust(): Trust;
}

/** The methods of a host, except the one that opens sessions. */
export type HostMethods = Omit<Host, "open">;

export function hostMethods(parts: Omit<HostParts, "earlier">, current: Current): HostMethods {
  const { composition, settings } = parts;
  const { session, meter, trust } = current;
  const { folder } = settings;
  const { workspace, mask, journal } = composition;
  const store = () => (trust() === "full" ? composition.trustedPolicyStore : composition.policyStore);
  const history = openMessageHistory(stateFolder(), workspace, mask, journal);
  const switchTool = createToolSwitch(composition, session, settings);
  const paths = createPathIndex(async (most, signal) => {
    const files = await composition.listFiles(most, signal);
    return { ...files, paths: [...files.paths, ...(await composition.mcp.resources())] };
  });
  return {
    listModels: () => listModelChoices(composition, session()),
    useModel: (name) => chooseSessionModel(composition, session(), name),
    listTools: async () => listToolChoices(composition, { trust: trust(), mode: session().mode() }),
    switchTool: (name, on, scope = "kept") => switchTool(name, on, scope),
    listRules: () => listRuleChoices(store(), session(), workspace),
    forgetRule: (id) => forgetRule(composition.policyStore, session(), id),
    listContext: async () => listContext(composition, session(), trust()),
    countContext: () => countContext(composition, session(), trust()),
    listJobs: async () => listJobs(composition),
    endJob: (id) => endJob(composition, id),
    listServers: () => composition.mcp.describe(trust()),
    describeWindow: async () => describeWindow(composition, session(), settings, meter().turns()),
    listCosts: async () => meter().report(pricesOf(settings)),
    listSettings: () => listSettingFields(settings),
    changeSetting: (key, value) => changeSettingField(folder, journal, key, value),
    ...attachingMethods(composition, session, trust),
    readClipboardImage: () => readClipboardImage(composition),
    editDraft: (draft) => composition.editText(draft),
    async completePath(typed, limit) {
      const resources = await composition.mcp.completeResource(typed, trust());
      return resources?.slice(0, limit) ?? paths.complete(typed, limit);
    },
    ...commandMethods(composition, session),
    ...sessionMethods(composition.sessions, session),
    undo: async (turns) => (await idleUndo(composition, session())).undo(session().id, turns),
    listChanges: () => listChanges(composition, session()),
    previewUndo: async (turns) => (await idleUndo(composition, session())).preview(session().id, turns),
    undoTurns: async (turns) => (await idleUndo(composition, session())).undoTurns(session().id, turns),
    redo: async () => (await idleUndo(composition, session())).redo(session().id),
    listCustomCommands: () => listCommands(composition.guidance.commands(trust())),
    listSkills: () => listSkills(composition, settings, trust()),
    expandCustomCommand: (name, words) => composition.guidance.commands(trust()).expand(name, words),
    describeProgram: async () => describeProgram(composition, session()),
    describeStatus: async () => {
      const prompt = await promptOf(composition, session(), trust());
      return describeStatus({ composition, settings, trust: trust(), session: session(), prompt });
    },
    changeTrust: parts.trust.change,
    completeFolder: async (typed, limit) => completeFolder(typed, limit, workspace),
    changeFolders: (change) => composition.folders.change(change),
    readBranch: () => composition.readBranch(),
    readSandbox: async () => sandboxWords(composition, trust()),
    readHistory: () => history.read(),
    rememberMessage: (message) => history.remember(message),
  };
}

/** Returns the methods that run the commands that the person types. */
function commandMethods(
  composition: Composition,
  session: Current["session"],
): Pick<HostMethods, "runCommand" | "runInTerminal"> {
  return {
    runCommand: (command, signal, report) =>
      runRecorded(composition, session().id, command, () =>
        composition.runCommand({ sessionId: session().id, command }, signal, (text) =>
          report(composition.mask(text)),
        ),
      ),
    runInTerminal: (command) =>
      runRecorded(composition, session().id, command, async () => ({
        exitCode: await composition.runInTerminal(command),
        output: "",
      })),
  };
}

async function listCommands(own: CustomCommands): Promise<readonly CustomCommand[]> {
  const { commands } = await own.list();
  return commands.map(({ name, about, argumentHint }) => ({
    name,
    about: argumentHint === undefined ? about : `${about} (${argumentHint})`,
  }));
}

async function listSkills({ files }: Composition, { folder }: Settings, trust: Trust): Promise<SkillList> {
  const { skills, warnings } = await loadSkills(folder, trust === "full" ? files : undefined);
  return { skills: summarizeSkills(skills), problems: warnings };
}

async function idleUndo({ undo }: Composition, session: Session): Promise<Undo> {
  if (session.view().turn.running) throw usageError("a turn is running: interrupt it first");
  return undo.open();
}

async function listChanges({ undo, mask }: Composition, { id }: Session): Promise<SessionChanges> {
  const { files, notes } = await (await undo.open()).changes(id);
  const masked = files.map((file) => (file.diff === undefined ? file : { ...file, diff: mask(file.diff) }));
  return { files: masked, notes };
}

function meterOf({ selected }: Composition, session: Session): CostMeter {
  const meter = createCostMeter(selected.model.name);
  session.subscribe((event) => meter.take(event));
  return meter;
}

function pricesOf({ values: { price_input: input, price_output: output } }: Settings): Prices {
  return { ...defined({ input }), ...defined({ output }) };
}

/** The time limit of a token count, in milliseconds. */
const countMs = 3_000;

async function countContext(
  composition: Composition,
  session: Session,
  trust: Trust,
): Promise<number | undefined> {
  const said = messagesOf(session);
  const system = { role: "system", content: await promptOf(composition, session, trust) } as const;
  const messages = said[0]?.role === "system" ? said : [system, ...said];
  const { model } = composition.selected;
  return model.countTokens?.({ messages, tools: session.tools() }, AbortSignal.timeout(countMs));
}

/** Returns the messages that the next request would have, without those that compactions left out. */
function messagesOf(session: Session): readonly ModelMessage[] {
  const { messages, shortened = {}, folded } = session.view();
  const said = messages.filter((message) => message.role !== "display");
  return sentMessages(said, { shortened, ...defined({ folded }) });
}

/** Returns the system prompt of a session, even before it has begun. */
async function promptOf({ guidance }: Composition, session: Session, trust: Trust): Promise<string> {
  const [first] = session.view().messages;
  return first?.role === "system" ? first.content : (await guidance.prompt(trust)).text;
}

async function listContext(
  composition: Composition,
  session: Session,
  trust: Trust,
): Promise<readonly ContextPart[]> {
  const prompt = await promptOf(composition, session, trust);
  const promptParts = partsOfPrompt(prompt).map(({ name, text }) => ({ name, bytes: bytesOf(text) }));
  return contextParts({ promptParts, tools: session.tools(), messages: messagesOf(session) });
}
