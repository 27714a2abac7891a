/** Runs all configured servers side by side, and collects the tools that they offer. */
import type { Tool } from "@localharness/engine";
import type { ServerSummary } from "@localharness/protocol";
import type { ServerEntry } from "../config/entry.ts";
import { serverTool } from "../tools/server-tool.ts";
import { serverPart, toolName } from "../tools/tool-name.ts";
import { createServer, longestCallMs, type Server, type ServerParts } from "./server.ts";

export interface ServersParts extends ServerParts {
  readonly entries: readonly ServerEntry[];
  /** Returns true if a tool here has this name, or one that differs only in case, `_` and `-`. */
  isTaken(name: string): boolean;
}

export interface Servers {
  /**
   * Starts the servers that do not run yet, and waits until all are ready or have failed, at most `waitMs`. Resolves to
   * the tools that were not taken before, in a fixed order. Never rejects.
   */
  newTools(waitMs: number): Promise<readonly Tool[]>;
  summaries(): readonly ServerSummary[];
  /** Ends all servers with everything that they started. */
  close(): Promise<void>;
}

export function openServers(parts: ServersParts): Servers {
  const running = runningServers(parts);
  const offered = new Map<Server, string[]>(running.map(({ server }) => [server, []]));
  const names = new Set<string>();
  const told = new Set<Server>();
  const toolKeys = new Set<string>();

  function takeTools(): readonly Tool[] {
    return running.flatMap(({ server, part }) =>
      server.tools().flatMap((listed) => {
        const key = `${part}\0${listed.name}`;
        if (toolKeys.has(key)) return [];
        toolKeys.add(key);
        const name = toolName(part, listed.name, (one) => parts.isTaken(one) || names.has(fold(one)));
        names.add(fold(name));
        offered.get(server)?.push(name);
        return [serverTool(name, listed, sourceOf(server))];
      }),
    );
  }

  /** Tells the person once about each server that has failed, and about the tools that were left out. */
  function tellProblems(): void {
    for (const { server } of running) {
      const state = server.state();
      if (told.has(server) || (state.kind !== "failed" && state.kind !== "ready")) continue;
      told.add(server);
      const { name } = server.entry;
      if (state.kind === "failed") parts.tell(`the MCP server ${name} cannot be used: ${state.reason}`);
      for (const problem of server.problems()) parts.tell(`the MCP server ${name}: ${problem}`);
    }
  }

  return {
    async newTools(waitMs) {
      const all = Promise.all(
        running.map(({ server }) => (server.state().kind === "idle" ? server.ready() : settled(server))),
      );
      await withinTime(all, waitMs);
      tellProblems();
      return takeTools();
    },
    summaries: () => running.map(({ server }) => summaryOf(server, offered.get(server) ?? [])),
    async close() {
      await Promise.all(running.map(({ server }) => server.close()));
    },
  };
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

/** Resolves when a server that is starting has started or failed; at once for any other. */
async function settled(server: Server): Promise<void> {
  if (server.state().kind === "starting") await server.ready();
}

function sourceOf(server: Server) {
  return {
    name: server.entry.name,
    entryHash: server.hash,
    current: (tool: string) => server.tools().find(({ name }) => name === tool),
    call: (...call: Parameters<Server["call"]>) => server.call(...call),
    longestCallMs,
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
      return "starts with the first message";
    case "starting":
      return "is starting";
    case "ready":
      return `runs: ${state.about}, MCP ${state.protocol}`;
    case "failed":
      return `failed: ${state.reason}`;
  }
}

/** Returns the name as the registry compares it. */
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
