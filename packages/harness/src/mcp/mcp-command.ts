/** `localharness mcp`: lists, adds, removes, allows, tests and imports MCP servers, and signs in at them. */
import { createInterface } from "node:readline";
import { usageError } from "@localharness/engine";
import { describeEntry, entryJson, readEntries, type ServerEntry } from "@localharness/mcp/config";
import { countText, judgedLine, plainJson, suggestion, visibleLines } from "@localharness/protocol";
import { exitCodes } from "../commands/exit-code.ts";
import { folded } from "../commands/fold-lines.ts";
import { ownFolder } from "../compose/open-resources.ts";
import { openWorkbench, type Workbench } from "../compose/workbench.ts";
import { loadSettings, type Settings } from "../config/settings.ts";
import { type AllowedServers, openAllowedServers } from "./allowed-servers.ts";
import { changeServers } from "./change-servers.ts";
import { findServers } from "./import-servers.ts";
import {
  type LoadedServers,
  loadServers,
  projectServersPath,
  type ServerSources,
  type WaitingServer,
} from "./load-servers.ts";
import { logIn, logOut } from "./login.ts";
import { notAllowed } from "./server-permission.ts";
import { testServers } from "./test-servers.ts";

export interface McpCommand {
  /** The action, followed by its arguments. */
  readonly positionals: readonly string[];
  readonly flags: { readonly workspace?: string | number | true; readonly json?: string | number | true };
}

interface Desk {
  readonly bench: Workbench;
  readonly settings: Settings;
  readonly allowed: AllowedServers;
  readonly sources: ServerSources;
  readonly json: boolean;
  /** Loads the servers as they are configured now. */
  load(): Promise<LoadedServers>;
}

const actions: Readonly<Record<string, (desk: Desk, words: readonly string[]) => Promise<number>>> = {
  list,
  add,
  remove,
  allow,
  forget,
  test: (desk, names) => testServers({ ...desk, environment: process.env, names, say }),
  import: importAll,
  login: (desk, [name = ""]) => logIn({ ...desk, say }, name),
  logout: (desk, [name = ""]) => logOut({ ...desk, say }, name),
};

/** Runs the command and returns the exit code. */
export async function runMcpCommand({ positionals, flags }: McpCommand): Promise<number> {
  const [action = "", ...rest] = positionals;
  const run = Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (run === undefined) {
    const names = Object.keys(actions);
    const meant = action === "" ? "" : suggestion(action, names);
    throw usageError(`usage: localharness mcp ${names.join("|")}.${meant}`);
  }
  const settings = await loadSettings({});
  const workspace = typeof flags.workspace === "string" ? flags.workspace : undefined;
  const bench = await openWorkbench(settings, workspace, "minimal");
  try {
    const { trusted } = await bench.trustStore.find(bench.workspace);
    const allowed = openAllowedServers(settings.folder, bench.journal);
    const { leadsIn } = bench.outside();
    const around = { workspace: bench.files, stateFolder: ownFolder(), environment: process.env, leadsIn };
    const sources = { folder: settings.folder, trusted: trusted === true, around, allowed };
    const load = () => loadServers(sources);
    return await run({ bench, settings, allowed, sources, json: flags.json === true, load }, rest);
  } finally {
    await bench.close();
  }
}

async function list({ load, json }: Desk): Promise<number> {
  const { entries, ofProject, waiting, problems } = await load();
  const stateOf = (entry: ServerEntry) =>
    entry.disabled ? "disabled" : ofProject.includes(entry) ? "allowed, of the project" : "yours";
  const rows = [
    ...entries.map((entry) => ({ entry, state: stateOf(entry) })),
    ...waiting.map((one) => ({ entry: one.entry, state: waitingState(one) })),
  ];
  if (json) {
    const plain = rows.map(({ entry, state }) => ({ name: entry.name, state, entry: entryJson(entry) }));
    process.stdout.write(`${plainJson(plain)}\n`);
  } else for (const { entry, state } of rows) say(`${entry.name}: ${state}`, ...indented(entry));
  for (const problem of problems) process.stderr.write(folded(`! ${visibleLines(problem)}\n`));
  if (rows.length === 0 && !json) process.stderr.write("there are no MCP servers: docs/mcp.md adds one\n");
  return exitCodes.done;
}

function waitingState({ entry, ofProject, permission }: WaitingServer): string {
  if (!permission.runsFolder) return "of the project, not allowed: it does not start";
  return `${ofProject ? "of the project" : "yours"}, does not start: it ${notAllowed(entry.name, permission)}`;
}

async function add({ settings, bench }: Desk, [name, ...words]: readonly string[]): Promise<number> {
  const [first = ""] = words;
  const usage = "usage: localharness mcp add NAME URL | NAME 'JSON' | NAME -- COMMAND [ARGUMENTS]";
  if (name === undefined || first === "") throw usageError(usage);
  const plain = /^https?:\/\//.test(first) ? { url: first } : { command: first, args: words.slice(1) };
  const entry = first.startsWith("{") ? first : JSON.stringify(plain);
  const read = readEntries(`{"mcpServers": {${JSON.stringify(name)}: ${entry}}}`);
  const [one] = read.entries;
  if (one === undefined) throw usageError(read.problems.join("; "));
  await changeServers(settings.folder, bench.journal, (servers) => {
    if (Object.hasOwn(servers, name)) throw usageError(`there is a server ${name} already: remove it first`);
    return { ...servers, [name]: entryJson(one) };
  });
  say(`added: ${name}`, ...indented(one), `localharness mcp test ${name} starts it and shows its tools`);
  return exitCodes.done;
}

async function remove({ settings, bench }: Desk, [name = ""]: readonly string[]): Promise<number> {
  await changeServers(settings.folder, bench.journal, (servers) => {
    const { [name]: gone, ...others } = servers;
    if (gone === undefined) throw usageError(`you have no server ${name}; localharness mcp list shows them`);
    return others;
  });
  say(`removed: ${name}`);
  return exitCodes.done;
}

async function allow({ load, bench, allowed }: Desk, [name = ""]: readonly string[]): Promise<number> {
  const { trusted } = await bench.trustStore.find(bench.workspace);
  if (trusted !== true) throw usageError("this folder is not trusted: run localharness trust add first");
  const { waiting, ofProject } = await load();
  if (ofProject.some((one) => one.name === name)) {
    say(`${name} is allowed already`);
    return exitCodes.done;
  }
  const found = waiting.find(({ entry }) => entry.name === name);
  if (found === undefined) throw usageError(`${projectServersPath} has no usable server ${name}`);
  const { entry, permission } = found;
  if (!permission.complete) throw usageError(`${name} ${notAllowed(name, permission)}`);
  say(`${name}, of this ${found.ofProject ? "project" : "machine"}:`, ...indented(entry));
  const what = permission.runsFolder
    ? "It runs files of this folder. Start it in sessions in this folder, as long as its entry and these files are the same?"
    : "Start this server in sessions in this folder, as long as its entry is the same?";
  if (!(await confirmed(what))) return exitCodes.error;
  await allowed.allow(bench.workspace, name, permission.hash);
  say(`allowed: ${name}`);
  return exitCodes.done;
}

async function forget({ bench, allowed }: Desk, [name = ""]: readonly string[]): Promise<number> {
  const known = await allowed.forget(bench.workspace, name);
  say(`${known ? "forgotten" : "nothing was allowed"}: ${name}`);
  return known ? exitCodes.done : exitCodes.error;
}

async function importAll({ settings, bench, load }: Desk): Promise<number> {
  const own = new Set((await load()).entries.map(({ name }) => name));
  const found = findServers();
  const fresh = new Map<string, ServerEntry>();
  for (const { program, path, entries, problems } of found) {
    say(`${program}, ${path}:`);
    for (const problem of problems) say(`  ! ${problem}`);
    for (const entry of entries) {
      const known = own.has(entry.name) || fresh.has(entry.name);
      say(`  ${entry.name}${known ? " (there is one of this name already, so it is left out)" : ""}`);
      if (known) continue;
      fresh.set(entry.name, entry);
      say(...indented(entry).map((line) => `  ${line}`));
    }
  }
  if (fresh.size === 0) {
    say("there is nothing to import");
    return exitCodes.done;
  }
  if (!(await confirmed(`Add ${countText(fresh.size, "server")} to your mcp.json?`))) return exitCodes.error;
  const added = Object.fromEntries([...fresh].map(([name, entry]) => [name, entryJson(entry)]));
  await changeServers(settings.folder, bench.journal, (servers) => ({ ...added, ...servers }));
  say(`added: ${[...fresh.keys()].join(", ")}`);
  return exitCodes.done;
}

function indented(entry: ServerEntry): readonly string[] {
  return describeEntry(entry).map((line) => `  ${line}`);
}

/** Prints lines. Text from other programs is made visible, so that it cannot change what the terminal shows. */
function say(...lines: readonly string[]): void {
  for (const line of lines) process.stdout.write(folded(`${judgedLine(line)}\n`));
}

/** Asks a question. Resolves to true for the line `y` or `yes`; the end of the input counts as no. */
async function confirmed(question: string): Promise<boolean> {
  process.stdout.write(folded(`${question} [y/N] `));
  const lines = createInterface({ input: process.stdin });
  const line = await new Promise<string>((resolve) => {
    lines.once("line", resolve);
    lines.once("close", () => resolve(""));
  });
  lines.close();
  if (process.stdin.isTTY !== true) process.stdout.write("\n");
  return /^y(?:es)?$/i.test(line.trim());
}
