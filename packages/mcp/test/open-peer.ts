/** Opens servers for tests with the real doors of the program: real processes, real sockets. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Tool, ToolContext, ToolOutput } from "@localharness/engine";
import { createFetchDoor } from "@localharness/models/fetch-door";
import { runServer } from "@localharness/processes/helpers/run-server";
import { cutResult, openToolResources } from "@localharness/tools";
import { afterAll } from "vitest";
import { readEntries } from "../src/config/index.ts";
import { openServers, type Servers, type ServersParts } from "../src/servers/servers.ts";
import type { SignIn, SignIns } from "../src/sign-in/index.ts";

export interface Opened {
  /** What the servers were opened with. */
  readonly parts: ServersParts;
  readonly servers: Servers;
  readonly tools: readonly Tool[];
  /** The messages for the person. */
  readonly told: readonly string[];
  /** The progress that calls reported. */
  readonly reported: readonly string[];
  readonly workspace: string;
  /** Runs a tool by its name, with an own signal if given. */
  call(name: string, args?: Record<string, string>, signal?: AbortSignal): Promise<ToolOutput>;
  close(): Promise<void>;
}

export interface PeerOptions {
  readonly startMs?: number;
  readonly callMs?: number;
  readonly waitMs?: number;
  readonly room?: number;
  readonly taken?: readonly string[];
  readonly signIns?: SignIns;
  readonly memory?: ServersParts["memory"];
  readonly ask?: ServersParts["ask"];
  readonly answer?: ServersParts["answer"];
  readonly environment?: Readonly<Record<string, string>>;
}

const peerFile = join(import.meta.dirname, "fixtures", "peer.ts");

/** Returns the entry of the test server with these modes. */
export function peer(...modes: readonly string[]): object {
  return { command: process.execPath, args: [peerFile, ...modes] };
}

/** Keeps sign-ins in memory. */
export function keptInMemory(...first: readonly SignIn[]): SignIns & { readonly all: readonly SignIn[] } {
  const all: SignIn[] = [...first];
  const at = (server: string, url: string) =>
    all.findIndex((one) => one.server === server && one.url === url);
  return {
    all,
    find: async (server, url) => all[at(server, url)],
    async save(signIn) {
      const index = at(signIn.server, signIn.url);
      all.splice(index === -1 ? all.length : index, 1, signIn);
    },
    remove: async (server) =>
      all.splice(0, all.length, ...all.filter((one) => one.server !== server)).length > 0,
  };
}

const open: Opened[] = [];
afterAll(async () => {
  await Promise.all(open.map((one) => one.close()));
});

/** Starts the servers of a configuration and waits for them. */
export async function openPeers(mcpServers: object, options: PeerOptions = {}): Promise<Opened> {
  const place = mkdtempSync(join(tmpdir(), "lh-mcp-"));
  const resources = await openToolResources({
    workspace: place,
    stateFolder: mkdtempSync(join(tmpdir(), "lh-mcp-state-")),
  });
  const told: string[] = [];
  const reported: string[] = [];
  const door = createFetchDoor();
  const { entries, problems } = readEntries(JSON.stringify({ mcpServers }));
  const parts: ServersParts = {
    entries,
    doors: {
      start: (request) => runServer(resources, request),
      fetch: door.fetch,
      fetchNamedBy: async () => door.fetch,
      cut: (text) => cutResult(resources, text),
    },
    version: "0",
    workspace: place,
    startMs: options.startMs ?? 30_000,
    callMs: options.callMs ?? 30_000,
    environment: options.environment ?? {},
    signIns: options.signIns ?? keptInMemory(),
    tell: (message) => told.push(message),
    memory: options.memory ?? { find: async () => undefined, keep: async () => undefined },
    ask: options.ask ?? (async () => ({ action: "decline" })),
    answer: options.answer,
    isTaken: (name) => (options.taken ?? []).includes(name),
  };
  const servers = openServers(parts);
  told.push(...problems);
  const tools = await servers.newTools(options.waitMs ?? 60_000, options.room);
  const close = async () => {
    await servers.close();
    door.close();
    await resources.close();
    rmSync(place, { recursive: true, force: true });
  };
  const opened: Opened = {
    ...{ parts, servers, tools, told, reported, workspace: resources.workspace.root, close },
    async call(name, args = {}, signal = new AbortController().signal) {
      const tool = tools.find((one) => one.name === name);
      if (tool === undefined) throw new Error(`no tool ${name}: ${tools.map((one) => one.name).join(" ")}`);
      const context: ToolContext = { callId: "call", signal, report: (text) => reported.push(text) };
      return tool.execute(args, context);
    },
  };
  open.push(opened);
  return opened;
}
