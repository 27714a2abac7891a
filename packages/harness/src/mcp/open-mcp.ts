/**
 * Connects the MCP servers with the sessions of a run. Nothing is loaded before the first message, unless the person asks
 * about the servers or names a resource earlier.
 */
import { shareChars } from "@localharness/context/budgets";
import {
  type AuditLog,
  createRegistry,
  defaultLimits,
  type Model,
  type Session,
  type Tool,
  type ToolRegistry,
} from "@localharness/engine";
import type { Doors, ServerPrompt, Servers } from "@localharness/mcp";
import type { OutsidePrograms } from "@localharness/processes/children/programs";
import { countText, type ServerSummary } from "@localharness/protocol";
import type { WriteJournal } from "@localharness/workspace/files/write-journal";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { ownFolder } from "../compose/open-resources.ts";
import { version } from "../compose/version.ts";
import { sharesOf } from "../config/limits.ts";
import { stateFolder } from "../config/location.ts";
import type { Settings } from "../config/settings.ts";
import type { Trust } from "../permission/trust/settle-trust.ts";
import { openAllowedServers } from "./allowed-servers.ts";
import { createServerAnswers } from "./answer-server.ts";
import { openSignIns } from "./kept-sign-ins.ts";
import { openKnownTools } from "./kept-tools.ts";
import { defaultCallSeconds, defaultWaitSeconds } from "./limits.ts";
import {
  allowedHashes,
  findServer,
  hasServers,
  type LoadedServers,
  loadServers,
  type WaitingServer,
} from "./load-servers.ts";
import { guardedDoors, notAllowed } from "./server-permission.ts";

export interface McpParts {
  readonly settings: Settings;
  readonly bench: {
    readonly files: Workspace;
    readonly journal: WriteJournal;
    readonly doors: Doors;
    readonly allTools: ToolRegistry;
    readonly audit: AuditLog;
    mask(text: string): string;
    outside(): Pick<OutsidePrograms, "leadsIn">;
  };
  /** True for a run with one message: a server whose tools are known starts only with its first call. */
  readonly oneShot?: boolean;
  /** The environment from which references such as `${TOKEN}` in the entries are replaced. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The current model; `contextWindow` is in tokens. */
  readonly model: { readonly selected: { readonly contextWindow?: number; readonly model: Model } };
  /** The tools for new sessions. They are replaced when servers add tools. */
  readonly tools: { registry: ToolRegistry };
}

export interface Mcp {
  /**
   * Gives the session the tools that are known from an earlier session and those of the servers that are ready. First starts
   * the servers whose tools are not known. Waits for them at the first message and after a sign-in, for a limited time.
   * Never rejects.
   */
  join(session: Session, trust: Trust): Promise<void>;
  /** Returns the servers that may start, and the project's servers that wait for the person's permission. */
  describe(trust: Trust): Promise<readonly ServerSummary[]>;
  /** Returns the prompts of the running servers. */
  prompts(): Promise<readonly ServerPrompt[]>;
  /** Returns the resources of the running servers as the person names them after `@`: `server:uri`. */
  resources(): Promise<readonly string[]>;
  /**
   * Returns the resources of a server that contain a text. `typed` has the form `server:text`. Starts the server if it does
   * not run. Returns undefined if `typed` names no server that may start.
   */
  completeResource(typed: string, trust: Trust): Promise<readonly string[] | undefined>;
  /**
   * Resolves to the tool that reads the resources of a server, or to the reason why they cannot be read. Starts the server
   * if it does not run.
   */
  resourceReader(server: string, trust: Trust): Promise<Tool | string>;
  close(): Promise<void>;
}

export function openMcp(parts: McpParts): Mcp {
  const { values, folder } = parts.settings;
  const { files: workspace } = parts.bench;
  let current: Session | undefined;
  let opened: Promise<OpenedServers> | undefined;
  let hasBegun = false;
  const tell = (message: string) => current?.notice("warning", "mcp", parts.bench.mask(message));
  const open = (trust: Trust) => openAll(parts, trust, () => current);

  const openedFor = (trust: Trust) => {
    if (values.mcp === "off" || trust === "reading") return undefined;
    const place = trust === "full" ? workspace : undefined;
    if (opened === undefined && hasServers(folder, place)) opened = open(trust);
    return opened;
  };

  return {
    async join(session, trust) {
      current = session;
      const found = await openedFor(trust);
      if (found === undefined) return;
      if (!hasBegun) for (const message of messagesAbout(found.loaded)) tell(message);
      if (!hasBegun && parts.oneShot !== true) startWithAnswer(session, found.servers);
      const waits = !hasBegun || (await found.servers?.isOneSignedIn()) === true;
      hasBegun = true;
      const waitMs = waits ? startWaitMs(values) : 0;
      const telling = setTimeout(() => tellWait(session, found.servers, waitMs), tellWaitMs);
      const tools = (await found.servers?.newTools(waitMs, maxToolChars(session, parts))) ?? [];
      clearTimeout(telling);
      if (waits) tellLate(session, found.servers, waitMs, parts.oneShot === true);
      if (tools.length > 0) session.useTools(addTools(parts, tools));
    },
    async describe(trust) {
      const found = await openedFor(trust);
      if (found === undefined) return [];
      return [...(found.servers?.summaries() ?? []), ...found.loaded.waiting.map(waitingSummary)];
    },
    prompts: async () => (await (await opened)?.servers?.prompts()) ?? [],
    resources: async () => (await (await opened)?.servers?.resources()) ?? [],
    async completeResource(typed, trust) {
      const [, server] = /^([\w.-]+):/.exec(typed) ?? [];
      if (server === undefined) return undefined;
      const all = await (await openedFor(trust))?.servers?.resourcesOf(server, startWaitMs(values));
      return all?.filter((name) => name.toLowerCase().includes(typed.slice(server.length + 1).toLowerCase()));
    },
    async resourceReader(server, trust) {
      const servers = (await openedFor(trust))?.servers;
      return servers?.resourceReader(server, startWaitMs(values)) ?? noServersText;
    },
    async close() {
      await (await opened)?.servers?.close();
    },
  };
}

const noServersText = "no MCP server may start here: localharness mcp list shows them";

/** Returns the milliseconds to wait for a server that starts. */
function startWaitMs(values: Settings["values"]): number {
  return (values.mcp_wait_seconds ?? defaultWaitSeconds) * 1000;
}

/** Opens the servers that may start in a folder of this trust. Starts none of them. */
async function openAll(
  parts: McpParts,
  trust: Trust,
  session: () => Session | undefined,
): Promise<OpenedServers> {
  const { values, folder } = parts.settings;
  const { files: workspace, journal, doors, allTools } = parts.bench;
  const { leadsIn } = parts.bench.outside();
  const around = { workspace, stateFolder: ownFolder(), environment: parts.environment, leadsIn };
  const allowed = openAllowedServers(folder, journal);
  const sources = { folder, trusted: trust === "full", around, allowed };
  const loaded = await loadServers(sources);
  const usable = loaded.entries.filter(({ disabled }) => !disabled);
  if (usable.length === 0) return { loaded, servers: undefined };
  const { openServers } = await import("@localharness/mcp");
  const answerServer = createServerAnswers({
    model: () => parts.model.selected.model,
    audit: parts.bench.audit,
    mask: (text) => parts.bench.mask(text),
    maxSeconds: values["limits.beside_seconds"] ?? defaultLimits.besideSeconds,
  });
  const servers = openServers({
    entries: usable,
    doors: guardedDoors({
      doors,
      around,
      find: (name) => findServer(loaded, name),
      hashes: () => allowedHashes(sources),
    }),
    version,
    workspace: workspace.root,
    startMs,
    callMs: (values.mcp_call_seconds ?? defaultCallSeconds) * 1000,
    environment: parts.environment,
    signIns: openSignIns(folder, journal),
    memory: openKnownTools(stateFolder(), journal),
    tell: (message) => session()?.notice("warning", "mcp", parts.bench.mask(message)),
    ask: async (question, signal) =>
      (await session()?.askForServer(question, signal)) ?? { action: "decline" },
    answer: async (request, signal) => {
      const asked = session();
      if (asked === undefined) return { ok: false, message: "no session is open" };
      return answerServer(asked, request, signal);
    },
    isTaken: (name) => allTools.find(name) !== undefined,
  });
  return { loaded, servers };
}

/** The assumed context window in tokens, if the server does not tell it. */
const usualWindow = 32_768;

/** Returns the number of characters that the descriptions of servers' tools may take in a prompt. */
function maxToolChars(session: Session, { model: { selected }, settings }: McpParts): number {
  const window = session.view().usage.contextWindow ?? selected.contextWindow ?? usualWindow;
  return shareChars(window, sharesOf(settings.values).tools) / 2;
}

/**
 * Starts the remaining servers as soon as the model begins its first answer. Their tools are already known, so the
 * first request does not wait for them. They are started for their prompts, and for changes of their tools.
 */
function startWithAnswer(session: Session, servers: Servers | undefined): void {
  const stop = session.subscribe(({ type }) => {
    if (
      type !== "text-delta" &&
      type !== "reasoning-delta" &&
      type !== "tool-call-start" &&
      type !== "turn-end"
    ) {
      return;
    }
    stop();
    servers?.startRest();
  });
}

/** The time limit for the start of a server in milliseconds. The server may have to be downloaded first. */
const startMs = 60_000;

/** The time in milliseconds after which the person is told that the first message waits for servers. */
const tellWaitMs = 800;

function tellWait(session: Session, servers: Servers | undefined, waitMs: number): void {
  const names = servers?.starting() ?? [];
  if (names.length === 0 || waitMs <= tellWaitMs) return;
  const which = `${names.length === 1 ? "MCP server" : "MCP servers"} ${names.join(", ")}`;
  session.notice("info", "mcp-waits", `waiting for the ${which}, at most ${waitMs / 1000} s`);
}

/** Tells the person about each server that is not ready after the wait, and what helps. */
function tellLate(session: Session, servers: Servers | undefined, waitMs: number, oneShot: boolean): void {
  for (const { name, about } of servers?.late() ?? []) {
    const missing = oneShot
      ? "so its tools are not in this run"
      : "so its tools are missing until the next message after it is ready";
    const keep = `localharness mcp test ${name} gives it more time, and later runs know its tools`;
    const wait = "the setting mcp_wait_seconds makes the first message wait longer";
    const after = waitMs === 0 ? "" : ` after ${waitMs / 1000} s`;
    session.notice("warning", "mcp", `the MCP server ${name} ${about}${after}, ${missing}. ${keep}; ${wait}`);
  }
}

interface OpenedServers {
  readonly loaded: LoadedServers;
  /** The servers that may start, whether they run or not; undefined if there is none. */
  readonly servers: Servers | undefined;
}

function messagesAbout({ problems, waiting }: LoadedServers): readonly string[] {
  const own = waiting.filter(({ ofProject }) => !ofProject);
  const about = own.map(
    ({ entry, permission }) => `your MCP server ${entry.name} ${notAllowed(entry.name, permission)}`,
  );
  const theirs = waiting.filter(({ ofProject }) => ofProject);
  if (theirs.length === 0) return [...problems, ...about];
  const names = theirs.map(({ entry }) => entry.name).join(", ");
  const count = countText(theirs.length, "MCP server");
  const message = `the project names ${count} that you have not allowed as they are now, so they do not start: ${names}. localharness mcp allow NAME shows what would start, and asks`;
  return [...problems, ...about, message];
}

function waitingSummary({ entry: { name } }: WaitingServer): ServerSummary {
  const state = `not allowed: localharness mcp allow ${name} shows what would start, and asks`;
  return { name, state, running: false, tools: [], problems: [], logs: [] };
}

/** Adds the tools after the existing tools, so that the beginning of the prompt stays the same. */
function addTools({ bench, tools }: McpParts, added: readonly Tool[]): ToolRegistry {
  for (const tool of added) bench.allTools.register(tool);
  tools.registry = createRegistry([...tools.registry.list(), ...added]);
  return tools.registry;
}
