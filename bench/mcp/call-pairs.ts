/** Opens the same server twice, through this program's client and through the bare library, for equal calls. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mcpDoors } from "@localharness/harness/mcp/mcp-doors";
import { openServers } from "@localharness/mcp";
import { readEntries } from "@localharness/mcp/config";
import { openToolResources } from "@localharness/tools";
import { Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

export interface Pair extends AsyncDisposable {
  /** Makes one call of the tool `echo` through this program's client. Rejects if the call fails. */
  ours(): Promise<void>;
  bare(): Promise<void>;
}

const root = join(import.meta.dirname, "../..");
export const peerFile = join(root, "packages", "mcp", "test", "fixtures", "peer.ts");
const everything = join(root, "node_modules/@modelcontextprotocol/server-everything/dist/index.js");

/** Opens a server that answers at once, as a child process of each client. */
export async function overProcess(): Promise<Pair> {
  const entry = { command: process.execPath, args: [peerFile] };
  return openPair(entry, new StdioClientTransport({ ...entry, stderr: "ignore" }), { text: "hello" });
}

/** Starts the real server-everything, and opens it over streamable HTTP with each client. */
export async function overHttp(): Promise<Pair> {
  const port = await freePort();
  const env = { ...process.env, PORT: String(port) };
  const child = spawn(process.execPath, [everything, "streamableHttp"], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  await Promise.race([once(child.stdout, "data"), once(child.stderr, "data")]);
  await new Promise((resolve) => setTimeout(resolve, 500));
  const url = `http://127.0.0.1:${port}/mcp`;
  const pair = await openPair({ url }, new StreamableHTTPClientTransport(new URL(url)), { message: "hello" });
  return {
    ...pair,
    async [Symbol.asyncDispose]() {
      await pair[Symbol.asyncDispose]();
      child.kill("SIGKILL");
    },
  };
}

async function openPair(entry: object, transport: Transport, args: Record<string, string>): Promise<Pair> {
  const place = mkdtempSync(join(tmpdir(), "lh-bench-mcp-"));
  const resources = await openToolResources({ workspace: place, stateFolder: join(place, "state") });
  const { entries } = readEntries(JSON.stringify({ mcpServers: { s: entry } }));
  const servers = openServers({
    ...{ entries, doors: mcpDoors(resources), version: "0", workspace: place },
    ...{ startMs: 30_000, callMs: 30_000, environment: {} },
    signIns: { find: async () => undefined, save: async () => undefined, remove: async () => false },
    tell: (message) => console.error(message),
    memory: { find: async () => undefined, keep: async () => undefined },
    ask: async () => ({ action: "decline" }),
    isTaken: () => false,
  });
  const tools = await servers.newTools(30_000);
  const tool = tools.find(({ name }) => name === "s__echo");
  const client = new Client({ name: "bench", version: "0" });
  await client.connect(transport);
  const context = { callId: "1", signal: new AbortController().signal, report: () => undefined };
  return {
    async ours() {
      const output = await tool?.execute(args, context);
      if (output?.ok !== true) throw new Error(`no answer: ${JSON.stringify(output)}`);
    },
    async bare() {
      const result = await client.callTool({ name: "echo", arguments: args });
      if (result.isError === true) throw new Error("no answer");
    },
    async [Symbol.asyncDispose]() {
      await client.close();
      await servers.close();
      await resources.close();
      rmSync(place, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
