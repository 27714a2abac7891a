/** Runs all configured servers at the same time, and collects the tools that they offer. */
import { compactTool, type Tool } from "@localharness/engine";
import type { JsonValue, ServerSummary } from "@localharness/protocol";
import type { ServerEntry } from "../config/entry.ts";
import { createDeferredTools, findToolsName } from "../tools/find-tools.ts";
import { resourceTools } from "../tools/resource-tools.ts";
import { serverTool } from "../tools/server-tool.ts";
import { keepsName, serverPart, toolName } from "../tools/tool-name.ts";
import { promptsOf, type ServerPrompt } from "./prompts.ts";
import { createServer, longestCallMs, type Server, type ServerParts } from "./server.ts";

export interface ServersParts extends ServerParts {
  readonly entries: readonly ServerEntry[];
  /** Returns true if a tool of this program has this name, or a name that differs only in case, `_` and `-`. */
  isTaken(name: string): boolean;
}

export interface Servers {
  /**
   * Starts the servers whose tools are not known from an earlier session. Waits until all are ready or have failed, but
   * at most `waitMs`. Resolves to the tools that no earlier call returned, in a fixed order. If the visible tools would
   * have more than `room` characters, the new tools are shortened, or else hidden and returned with `find_tools`. Tells
   * the person about servers that failed and tools that are left out. Never rejects.
   */
  newTools(waitMs: number, room?: number): Promise<readonly Tool[]>;
  /** Resolves to true if the person has signed in at a server since it refused to start. */
  isOneSignedIn(): Promise<boolean>;
  /** Starts the servers that were not started yet; after `newTools`, those whose tools are known from an earlier session. */
  startRest(): void;
  /** Returns the names of the servers that are starting now. */
  starting(): readonly string[];
  /** Returns the servers that are starting and of which no tools are known, each with how far its start is. */
  late(): readonly { readonly name: string; readonly about: string }[];
  summaries(): readonly ServerSummary[];
  /** Returns the resources of the running servers as the person names them: `server:uri`. Waits at most 1 s for them. */
  resources(): Promise<readonly string[]>;
  /**
   * Starts the server of this name unless it runs or has failed, and resolves to its resources as the person names
   * them. Waits at most `waitMs` for the start, and then 1 s for the list; resolves to none if the server is too late
   * or fails, and to undefined if there is no such server. Never rejects.
   */
  resourcesOf(name: string, waitMs: number): Promise<readonly string[] | undefined>;
  /**
   * Starts the server of this name unless it runs or has failed, and resolves to the tool that reads its resources, or to
   * the reason why they cannot be read. Waits at most `waitMs`. Never rejects.
   */
  resourceReader(name: string, waitMs: number): Promise<Tool | string>;
  /** Returns the prompts of the running servers. Never rejects. */
  prompts(): Promise<readonly ServerPrompt[]>;
  /** Ends all servers and everything that they started. */
  close(): Promise<void>;
}

export function openServers(parts: ServersParts): Servers {
  return new RunningServers(parts);
}

class RunningServers implements Servers {
  readonly #parts: ServersParts;
  readonly #running: readonly { readonly server: Server; readonly part: string }[];
  /** The names under which the tools of each server are offered. */
  readonly #offered = new Map<Server, string[]>();
  readonly #names = new Set<string>();
  readonly #told = new Set<Server>();
  readonly #taken = new Set<string>();
  readonly #deferred = createDeferredTools();
  #shownChars = 0;
  #isSearchOffered = false;
  #areResourcesOffered = false;

  constructor(parts: ServersParts) {
    this.#parts = parts;
    this.#running = runningServers(parts);
  }

  async newTools(waitMs: number, room = Number.POSITIVE_INFINITY): Promise<readonly Tool[]> {
    await withinTime(this.#startNew(), waitMs);
    this.#tellProblems();
    const tools = [...this.#takeTools(), ...this.#takeResourceTools()];
    for (const way of [tools, tools.map(compactTool)]) {
      const chars = way.reduce((sum, tool) => sum + charsOf(tool), 0);
      if (this.#shownChars + chars > room && !this.#parts.isTaken(findToolsName)) continue;
      this.#shownChars += chars;
      return way;
    }
    const search = this.#isSearchOffered ? [] : [this.#deferred.search];
    this.#isSearchOffered = true;
    return [...search, ...tools.map((tool) => this.#deferred.add(tool))];
  }

  /** Starts the servers whose tools are not known from an earlier session. Resolves when each of them runs or has failed. */
  async #startNew(): Promise<void> {
    await Promise.all(
      this.#running.map(async ({ server }) => {
        const isNew = (await server.isStartWorthIt()) && !(await server.recall());
        if (isNew || server.state().kind === "starting") await server.ready();
      }),
    );
  }

  async isOneSignedIn(): Promise<boolean> {
    const failed = this.#running.filter(({ server }) => server.state().kind === "failed");
    const worth = await Promise.all(failed.map(({ server }) => server.isStartWorthIt()));
    return worth.includes(true);
  }

  startRest(): void {
    for (const { server } of this.#running) if (server.state().kind === "idle") void server.ready();
  }

  starting(): readonly string[] {
    return this.#running.flatMap(({ server }) =>
      server.state().kind === "starting" ? server.entry.name : [],
    );
  }

  late() {
    return this.#running.flatMap(({ server }) =>
      server.state().kind === "starting" && server.tools().length === 0
        ? { name: server.entry.name, about: server.startingText() }
        : [],
    );
  }

  #takeTools(): readonly Tool[] {
    return this.#running.flatMap(({ server, part }) => {
      const fresh = server.tools().filter(({ name }) => !this.#taken.has(`${part}\0${name}`));
      const names = new Map<string, string>();
      const isTaken = (name: string) => this.#parts.isTaken(name) || this.#names.has(fold(name));
      for (const first of [true, false]) {
        for (const { name } of fresh.filter((listed) => keepsName(listed.name) === first)) {
          const offered = toolName(part, name, isTaken);
          names.set(name, offered);
          this.#names.add(fold(offered));
          this.#taken.add(`${part}\0${name}`);
        }
      }
      const offered = fresh.map(({ name }) => names.get(name) ?? name);
      if (fresh.length > 0) this.#offered.set(server, [...(this.#offered.get(server) ?? []), ...offered]);
      return fresh.map((listed) =>
        serverTool(names.get(listed.name) ?? listed.name, listed, sourceOf(server)),
      );
    });
  }

  /** Returns the tools for resources. Returns them only once, as soon as a server is known to have resources. */
  #takeResourceTools(): readonly Tool[] {
    const servers = () => this.#running.map(({ server }) => server).filter((one) => one.has("resources"));
    if (this.#areResourcesOffered || servers().length === 0) return [];
    this.#areResourcesOffered = true;
    const tools = resourceTools({ servers, cut: this.#parts.doors.cut });
    return tools.filter(({ name }) => !this.#parts.isTaken(name));
  }

  /**
   * Tells the person about each server that has failed, and about the tools that were left out. Each server is told
   * about only once.
   */
  #tellProblems(): void {
    for (const { server } of this.#running) {
      const state = server.state();
      if (this.#told.has(server) || (state.kind !== "failed" && state.kind !== "ready")) continue;
      this.#told.add(server);
      const { name } = server.entry;
      if (state.kind === "failed") {
        this.#parts.tell(`the MCP server ${name} cannot be used: ${state.reason}`);
      }
      for (const problem of server.problems()) this.#parts.tell(`the MCP server ${name}: ${problem}`);
    }
  }

  summaries(): readonly ServerSummary[] {
    return this.#running.map(({ server }) => summaryOf(server, this.#offered.get(server) ?? []));
  }

  async resources(): Promise<readonly string[]> {
    const running = this.#running.filter(({ server }) => server.state().kind === "ready");
    const names: string[] = [];
    const lists = running.map(async ({ server }) => names.push(...(await resourcesOf(server))));
    await withinTime(Promise.all(lists), resourcesMs);
    return [...names];
  }

  async resourcesOf(name: string, waitMs: number): Promise<readonly string[] | undefined> {
    const server = await this.#readyServer(name, waitMs);
    if (server === undefined) return undefined;
    let names: readonly string[] = [];
    const list = async () => {
      names = await resourcesOf(server);
    };
    if (server.state().kind === "ready") await withinTime(list(), resourcesMs);
    return names;
  }

  async resourceReader(name: string, waitMs: number): Promise<Tool | string> {
    const server = await this.#readyServer(name, waitMs);
    if (server === undefined) return `there is no MCP server ${name}: localharness mcp list shows them`;
    const state = server.state();
    if (state.kind === "failed") return `the MCP server ${name} cannot be used: ${state.reason}`;
    if (state.kind !== "ready") return `the MCP server ${name} did not start within ${waitMs / 1000} s`;
    if (!server.has("resources")) return `the MCP server ${name} has no resources`;
    const [, read] = resourceTools({ servers: () => [server], cut: this.#parts.doors.cut });
    return read;
  }

  /** Starts the server of this name unless it runs or has failed. Resolves to undefined if there is no such server. */
  async #readyServer(name: string, waitMs: number): Promise<Server | undefined> {
    const server = this.#running.find((one) => one.server.entry.name === name)?.server;
    if (server !== undefined && server.state().kind !== "failed") await withinTime(server.ready(), waitMs);
    return server;
  }

  async prompts(): Promise<readonly ServerPrompt[]> {
    const running = this.#running.filter(({ server }) => server.state().kind === "ready");
    return (await Promise.all(running.map(({ server, part }) => promptsOf(server, part)))).flat();
  }

  async close(): Promise<void> {
    await Promise.all(this.#running.map(({ server }) => server.close()));
  }
}

/** Returns the number of characters that the description of a tool takes in a prompt. */
function charsOf({ name, description, parameters }: Tool): number {
  return JSON.stringify({ name, description, parameters }).length;
}

function runningServers(parts: ServersParts): readonly { readonly server: Server; readonly part: string }[] {
  const taken = new Set<string>();
  return parts.entries
    .filter(({ disabled }) => !disabled)
    .map((entry) => {
      const part = serverPart(entry.name, taken);
      taken.add(part);
      return { server: createServer(entry, parts), part };
    });
}

function sourceOf(server: Server) {
  return {
    name: server.entry.name,
    entryHash: server.hash,
    current: (tool: string) => server.tools().find(({ name }) => name === tool),
    call: (...call: Parameters<Server["call"]>) => server.call(...call),
    longestCallMs,
    ready: () => server.ready(),
  };
}

function summaryOf(server: Server, tools: readonly string[]): ServerSummary {
  const state = server.state();
  return {
    name: server.entry.name,
    running: state.kind === "ready",
    state: stateText(server),
    tools,
    problems: server.problems(),
    logs: server.logs(),
  };
}

function stateText(server: Server): string {
  const state = server.state();
  switch (state.kind) {
    case "idle":
      return server.tools().length === 0
        ? "starts with the first message"
        : "starts with its first call; its tools are known from an earlier session";
    case "starting":
      return server.startingText();
    case "ready":
      return `runs: ${state.about}, MCP ${state.protocol}`;
    case "failed":
      return `failed: ${state.reason}`;
  }
}

/** Returns the resources of a running server as the person names them; empty if they cannot be listed. */
async function resourcesOf(server: Server): Promise<readonly string[]> {
  if (!server.has("resources")) return [];
  const listed = await server.list("resources").catch(() => []);
  return listed.flatMap(({ uri }) => (isNameable(uri) ? [`${server.entry.name}:${uri}`] : []));
}

/** The time in milliseconds that the servers have to list their resources for a completion. */
const resourcesMs = 1_000;

/** Returns true for an address that can be written after `@` in a message. */
function isNameable(uri: JsonValue | undefined): uri is string {
  return typeof uri === "string" && /^[a-z][a-z0-9+.-]*:[!#-~]{1,500}$/i.test(uri);
}

/** Returns the name in the form in which the registry compares names. */
function fold(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, "");
}

async function withinTime(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
