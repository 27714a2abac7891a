/** Wires the program together: creates everything that a run needs from its settings. */
import { compactor } from "@localharness/context";
import {
  createSession,
  freshId,
  type PolicyRule,
  type Session,
  type ToolRegistry,
} from "@localharness/engine";
import type { FoundModel, SelectedModel } from "@localharness/models";
import { defined, visibleLine } from "@localharness/protocol";
import { newNotices } from "@localharness/store/notices/told-notices";
import {
  type EarlierSession,
  type KeptSessions,
  openKeptSessions,
} from "@localharness/store/sessions/kept-sessions";
import { createRunTally } from "@localharness/store/stats/run-tally";
import { defaultTools } from "../config/fields.ts";
import { limitsOf, sharesOf } from "../config/limits.ts";
import { stateFolder } from "../config/location.ts";
import { type Options, textOption } from "../config/options.ts";
import type { Settings } from "../config/settings.ts";
import { openPlace, withLinkNotices } from "../elsewhere/open-place.ts";
import { type Mcp, openMcp } from "../mcp/open-mcp.ts";
import { withPrompts } from "../mcp/prompt-commands.ts";
import { type ModelInUse, openModelInUse } from "../models/model-in-use.ts";
import type { ProfileSources } from "../models/model-profiles/profile-words.ts";
import type { ModelFiles } from "../models/select-model.ts";
import { runRules } from "../permission/run-rules/run-rules.ts";
import type { Trust } from "../permission/trust/settle-trust.ts";
import { type AgentRun, offerAgentsOnce } from "../prompt/agents/offer-once.ts";
import { tellUnseen, tellUnseenResults } from "../prompt/images/seen-images.ts";
import { offerSkillsOnce } from "../prompt/skills/offer-skills.ts";
import { systemPrompt } from "../prompt/system-prompt.ts";
/** A workbench with a model, and the sessions that use them. */
import { movedNotes } from "./moved-note.ts";
import { openToolsInUse } from "./tools-in-use.ts";
import type { Workbench } from "./workbench.ts";

export interface Composition extends Workbench {
  /** The model for new sessions. */
  readonly selected: SelectedModel;
  /** The tools for new sessions. */
  readonly registry: ToolRegistry;
  /** Asks the server for its chat models and returns them; empty if there is no server or it lists none. */
  listModels(): Promise<readonly FoundModel[]>;
  /** Returns what is known about the selected model. */
  known(): ProfileSources;
  /**
   * Switches to another model, and to the tools that suit it unless the person has chosen the tools. Rejects with a
   * `HarnessError` if a local server does not have the model, or while a recording is replayed.
   */
  chooseModel(name: string): Promise<ChosenModel>;
  /**
   * Makes exactly these tools the tools for new sessions. Throws a `HarnessError` (`tool-unknown`) for an unknown name.
   */
  chooseTools(names: readonly string[]): ToolRegistry;
  /**
   * Returns those of the given notices that the person has not seen in this folder, and remembers that they were shown.
   * Never rejects.
   */
  newNotices(notices: readonly string[]): Promise<readonly string[]>;
  /** The saved sessions of this workspace; undefined if sessions are not saved. */
  readonly sessions: KeptSessions | undefined;
  /**
   * Adds the tools that start agents and read skills, if the settings ask for them and they were not already added. Must be
   * called before sessions begin. Resolves to warnings for the person.
   */
  offerAgents(trust: Trust): Promise<readonly string[]>;
  /** The MCP servers of this run. */
  readonly mcp: Mcp;
  /** Creates a new session, or continues an earlier one. */
  newSession(asked: AnsweredQuestions, trust: Trust, earlier?: EarlierSession): Session;
}

/** The questions that get an answer in a session: all, only those about calls and not those of MCP servers, or none. */
export type AnsweredQuestions = "everything" | "calls" | "nothing";

export interface ChosenModel {
  readonly selected: SelectedModel;
  /** The tools that suit the model; undefined if the person has chosen the tools. */
  readonly tools: ToolRegistry | undefined;
}

/** The options of a run that are not settings. */
export interface RunOptions extends ModelFiles {
  /** The model, if it was already selected. */
  readonly selected?: SelectedModel;
  /** The rules of `--allow`. */
  readonly allowed?: readonly PolicyRule[];
  /** True to report problems with instructions files once per folder, not in every session. */
  readonly tellsOnce?: boolean;
  /** True if the run answers one message (`-p`). The saved session records this. */
  readonly oneShot?: boolean;
  /** True if the run makes several sessions without a chat (`loop`). The saved sessions record this like `oneShot`. */
  readonly unattended?: boolean;
  /** What all compositions of one process share; absent for the first composition. */
  readonly shared?: Shared;
}

export interface Shared {
  /** The environment variables, with the API keys, which the first composition has removed from `process.env`. */
  readonly environment: NodeJS.ProcessEnv;
  /** The saved sessions. The first composition closes them. */
  readonly sessions: KeptSessions | undefined;
}

/** The minimum context window in which the model gets `ask_person`: in a smaller one its description takes room that work needs. */
const minQuestionWindow = 8_192;

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
  { allowed, selected: settled, tellsOnce, oneShot, unattended, shared, ...files }: RunOptions = {},
): Promise<Composition> {
  // The environment is copied, because opening the workbench removes the keys from `process.env`, which child processes
  // inherit.
  const environment = shared?.environment ?? { ...process.env };
  const bench = await openPlace(settings, workspace, { allowed, environment });
  const model = await openModelInUse(settings, files, environment, { settled, queues: bench.queues });
  const { findCalls } = await import("@localharness/models");
  const tools = openToolsInUse(settings, bench, model);
  let latest: Session | undefined;
  const window = () => latest?.view().usage.contextWindow ?? model.selected.contextWindow;
  bench.followWindow(window);
  const { values } = settings;
  const tally = createRunTally(stateFolder(), bench.journal);
  const sessions = shared === undefined ? openSessions(settings, bench) : shared.sessions;
  const mcp = openMcp({ settings, bench, environment, tools, model, ...defined({ oneShot }) });
  const news = newsOf(bench);
  const newSession: Composition["newSession"] = (asked, trust, earlier) => {
    bench.beginSession();
    const sessionId = earlier?.id ?? freshId();
    const store = earlier?.writer ?? sessions?.startSession(sessionId, oneShot ?? unattended);
    const session: Session = createSession({
      sessionId,
      ...defined({ store }),
      ...(earlier === undefined ? {} : { history: earlier.events }),
      model: model.selected.model,
      registry: tools.registry,
      ...sharedParts(bench, trust, values, earlier),
      systemPrompt: () => bench.guidance.prompt(trust, tellsOnce === true ? news : undefined),
      plans: trust !== "reading" && (asked !== "nothing" || values.mode === "plan"),
      questions: () => (window() ?? minQuestionWindow) >= minQuestionWindow,
      findCalls,
      ...{ interactive: asked !== "nothing", answersServers: asked === "everything" },
      news: () => mcp.join(session, trust).then(() => bench.undo.news(sessionId)),
    });
    latest = withLinkNotices(session, bench);
    bench.folders.follow(session);
    tally.follow(session, model.selected.model);
    store?.tellTo((message) => session.notice("warning", "session-not-saved", message));
    tellAtStart(session, bench, earlier, model, sessions === undefined && values.sessions !== "none");
    return session;
  };
  return {
    ...bench,
    newSession,
    get selected() {
      return model.selected;
    },
    get registry() {
      return tools.registry;
    },
    known: () => model.known,
    listModels: model.list,
    chooseModel: async (name) => ({ selected: await model.choose(name), tools: tools.suit() }),
    chooseTools: tools.choose,
    newNotices: news,
    sessions,
    mcp,
    guidance: withPrompts(bench.guidance, mcp),
    offerAgents: (trust) =>
      offerLate(trust, {
        ...{ bench, settings, choice: values.tools ?? defaultTools, select: model.find },
        selected: () => model.selected,
        registry: () => tools.registry,
      }),
    async close() {
      if (shared === undefined) sessions?.close();
      await Promise.all([mcp.close(), tally.save(), model.keepLearnt(bench.journal)]);
      await bench.close();
    },
  };
}

async function offerLate(trust: Trust, run: AgentRun): Promise<readonly string[]> {
  // The tool that reads skills comes first, because agents may use it.
  const remarks = await offerSkillsOnce(trust, run);
  return [...remarks, ...(await offerAgentsOnce(trust, run))];
}

const notKept = "the session is not saved, because there is no home folder: set HOME or XDG_STATE_HOME";

function newsOf({ workspace, journal }: Workbench): Composition["newNotices"] {
  return (notices) => newNotices(stateFolder(), workspace, notices, journal);
}

const maxCommandChars = 100;

/** Tells the person at once when a command in the background has ended by itself. */
function tellOfJobs(session: Session, { jobs, mask }: Workbench): void {
  jobs.watch(({ id, command, ended = "" }) => {
    const line = visibleLine(mask(command));
    const shown = line.length > maxCommandChars ? `${line.slice(0, maxCommandChars).toWellFormed()}…` : line;
    session.notice("info", "job-ended", `${id} has ended (${ended}): ${shown}`);
  });
}

/** Tells the person what a session cannot do or keep, and from now on which jobs end. */
function tellAtStart(
  session: Session,
  bench: Workbench,
  earlier: EarlierSession | undefined,
  model: ModelInUse,
  isUnkept: boolean,
): void {
  tellOfJobs(session, bench);
  for (const remark of earlier?.remarks ?? []) session.notice("warning", "session-mended", remark);
  if (earlier !== undefined) tellUnseen(session, model.selected);
  tellUnseenResults(session, () => ({ selected: model.selected, listModels: model.list }));
  if (isUnkept) session.notice("info", "session-not-kept", notKept);
}

/** Returns the parts of a session that come from the workbench and the settings. */
function sharedParts(
  bench: Workbench,
  trust: Trust,
  values: Settings["values"],
  earlier: EarlierSession | undefined,
) {
  const moved = movedNotes(earlier?.events ?? [], bench.workspace);
  const hooks = bench.guidance.hooks(trust);
  return {
    ...defined({ hooks }),
    ...(values.compact === "off" ? {} : { compactor, compactsOnDemand: values.compact === "ask" }),
    replyShare: sharesOf(values).reply / 100,
    limits: limitsOf(values),
    workspace: bench.workspace,
    mode: bench.mode(),
    policyStore: trust === "full" ? bench.trustedPolicyStore : bench.policyStore,
    trusted: trust !== "reading",
    audit: bench.audit,
    mask: bench.mask,
    sandbox: () => bench.sandbox.describe(),
    freedoms: bench.freedoms(trust),
    added: () => bench.folders.list().map(({ root }) => root),
    notes: () => [...moved.splice(0), ...bench.folders.takeNotes(), ...bench.jobs.takeNotes()],
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
