/** Starts configured MCP servers and prints their state and their tools, for `localharness mcp test`. */
import { usageError } from "@localharness/engine";
import { exitCodes } from "../commands/exit-code.ts";
import { version } from "../compose/version.ts";
import type { Workbench } from "../compose/workbench.ts";
import { stateFolder } from "../config/location.ts";
import type { Settings } from "../config/settings.ts";
import { openSignIns } from "./kept-sign-ins.ts";
import { openKnownTools } from "./kept-tools.ts";
import { defaultCallSeconds } from "./limits.ts";
import { allowedHashes, findServer, type LoadedServers, type ServerSources } from "./load-servers.ts";
import { guardedDoors, notAllowed } from "./server-permission.ts";

export interface ServerTest {
  readonly bench: Workbench;
  readonly settings: Settings;
  /** The names of the servers to start; all servers if empty. */
  readonly names: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly sources: ServerSources;
  load(): Promise<LoadedServers>;
  say(...lines: readonly string[]): void;
}

const startMs = 60_000;
/** The milliseconds after which no server is waited for, also if it is downloaded first. Each ends by its own limit. */
const longestStartMs = 10 * startMs;
/** The milliseconds that a server has to end after its start has failed. */
const marginMs = 10_000;

/** Starts the servers and returns the exit code: an error if a server does not run, or if a named server is disabled. */
export async function testServers(test: ServerTest): Promise<number> {
  const { bench, settings, names, environment, say } = test;
  const loaded = await test.load();
  const { entries } = loaded;
  const allowed = names.length === 0 ? entries : entries.filter(({ name }) => names.includes(name));
  const missing = names.find((name) => allowed.every((entry) => entry.name !== name));
  const waiting = loaded.waiting.find(({ entry }) => entry.name === missing);
  if (missing !== undefined) {
    const why = waiting && `${missing} ${notAllowed(missing, waiting.permission)}`;
    throw usageError(why ?? `no server ${missing} may start: localharness mcp list`);
  }
  const disabled = allowed.filter((entry) => entry.disabled);
  for (const { name } of disabled) say(`${name} disabled: it does not start while its entry has "disabled"`);
  const { openServers } = await import("@localharness/mcp");
  const servers = openServers({
    entries: allowed,
    doors: guardedDoors({
      doors: bench.doors,
      around: test.sources.around,
      find: (name) => findServer(loaded, name),
      hashes: () => allowedHashes(test.sources),
    }),
    version,
    workspace: bench.workspace,
    startMs,
    callMs: (settings.values.mcp_call_seconds ?? defaultCallSeconds) * 1000,
    environment,
    signIns: openSignIns(settings.folder, bench.journal),
    tell: () => undefined,
    // The tools are read from the server, and the next run knows them before the server has started.
    memory: { ...openKnownTools(stateFolder(), bench.journal), find: async () => undefined },
    ask: async () => ({ action: "decline" }),
    isTaken: (name) => bench.allTools.find(name) !== undefined,
  });
  const tools = await servers.newTools(longestStartMs + marginMs);
  const all = servers.summaries();
  for (const { name, state, problems, tools: offered } of all) {
    say(`${name} ${state}`);
    for (const problem of problems) say(`  ! ${problem}`);
    for (const tool of offered) {
      say(`  ${tool}: ${tools.find((one) => one.name === tool)?.description.split("\n")[0] ?? ""}`);
    }
  }
  await servers.close();
  const isAsked = names.length > 0 && disabled.length > 0;
  return all.every(({ running }) => running) && !isAsked ? exitCodes.done : exitCodes.error;
}
