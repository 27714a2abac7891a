/** `localharness mcp serve --http`, driven by the official client and over raw sockets: sessions, questions, tokens and limits. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { connect as connectSocket } from "node:net";
import { join } from "node:path";
import { Client, type ElicitResult, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterEach, describe, expect, test } from "vitest";
import { makePlace, type Place, type Run, run, start } from "./run-program.ts";

type Era = "legacy" | "auto";
type Answer = () => ElicitResult;

interface Served {
  readonly place: Place;
  readonly run: Run;
  readonly url: URL;
  readonly token: string;
}

const open: Client[] = [];
const running: Run[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()));
  for (const { child } of running) child.kill("SIGKILL");
  await Promise.all(running.splice(0).map(({ ended }) => ended));
});

async function serve(
  flags: readonly string[] = [],
  files: Readonly<Record<string, string>> = {},
): Promise<Served> {
  const place = makePlace(files);
  const served = await start(["mcp", "serve", "--http", "--port", "0", "--sandbox", "off", ...flags], {
    place,
  });
  running.push(served);
  await served.said(/ at http:\S+\n/);
  const url = new URL(/ at (http:\S+)\n/.exec(served.output().stdout)?.[1] ?? "");
  return { place, run: served, url, token: await tokenOf(place) };
}

async function tokenOf(place: Place): Promise<string> {
  return (await run(["mcp", "serve", "token"], { place })).stdout.trim();
}

async function connect({ url, token }: Served, era: Era, answer?: Answer): Promise<Client> {
  const client = new Client(
    { name: "test", version: "1" },
    {
      capabilities: answer === undefined ? {} : { elicitation: {} },
      versionNegotiation: { mode: era },
    },
  );
  if (answer !== undefined) client.setRequestHandler("elicitation/create", () => answer());
  open.push(client);
  const headers = { Authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  return client;
}

const says =
  (answer: string): Answer =>
  () => ({ action: "accept", content: { answer } });

function textOf(result: unknown): string {
  const { content } = result as { readonly content: readonly { readonly text?: string }[] };
  return content.map(({ text }) => text ?? "").join("\n");
}

describe.each<Era>(["auto", "legacy"])("the official client, protocol %s", (era) => {
  test("lists, calls and reads", async () => {
    const client = await connect(await serve([], { "note.txt": "milk\n" }), era);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["ls", "read_file", "bash"]));
    const result = await client.callTool({ name: "read_file", arguments: { path: "note.txt" } });
    expect(textOf(result)).toBe("1: milk");
    const { resources } = await client.listResources();
    const read = await client.readResource({ uri: resources[0]?.uri ?? "" });
    expect(read.contents[0]).toMatchObject({ text: "milk\n" });
  });

  test("asks by elicitation, and the answer decides", async () => {
    const served = await serve();
    const write = { name: "write_file", arguments: { path: "a.txt", content: "new\n" } };
    const denied = await (await connect(served, era, says("deny"))).callTool(write);
    expect(denied).toMatchObject({ isError: true, structuredContent: { error_type: "permission_denied" } });
    const unasked = await (await connect(served, era)).callTool(write);
    expect(textOf(unasked)).toMatch(/nobody could be asked/);
    expect(existsSync(join(served.place.workspace, "a.txt"))).toBe(false);
    expect(await (await connect(served, era, says("once"))).callTool(write)).toMatchObject({
      isError: false,
    });
    expect(readFileSync(join(served.place.workspace, "a.txt"), "utf8")).toBe("new\n");
  });

  test("reports progress, and a cancellation ends the command", async () => {
    const client = await connect(await serve(["--mode", "bypass"]), era);
    const stop = new AbortController();
    const seen: string[] = [];
    const call = client.callTool(
      { name: "bash", arguments: { command: "while :; do echo at work; sleep 0.1; done" } },
      {
        signal: stop.signal,
        onprogress: ({ message = "" }) => {
          seen.push(message);
          stop.abort("enough");
        },
      },
    );
    await expect(call).rejects.toThrow();
    expect(seen.join("")).toContain("at work");
    // A command runs alone, so this call waits until the other has ended.
    const after = await client.callTool({ name: "bash", arguments: { command: "echo over" } });
    expect(textOf(after)).toMatch(/^over/);
  });

  test("two clients that use the same request ids get their own answers", async () => {
    const served = await serve([], { "a.txt": "A\n", "b.txt": "B\n" });
    const names = ["a", "b"] as const;
    const clients = await Promise.all(names.map(() => connect(served, era)));
    const texts = await Promise.all(
      names.map(async (name, index) => {
        const calls = Array.from({ length: 20 }, () =>
          clients[index]?.callTool({ name: "read_file", arguments: { path: `${name}.txt` } }),
        );
        return new Set((await Promise.all(calls)).map(textOf));
      }),
    );
    expect(texts).toEqual([new Set(["1: A"]), new Set(["1: B"])]);
  });
});

/** Sends a request as it is written and resolves to the status and everything after it. */
function send({ url }: Served, request: string): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const socket = connectSocket(Number(url.port), "127.0.0.1", () => socket.write(request));
    let text = "";
    socket.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
    });
    socket.once("error", reject);
    socket.once("close", () => resolve({ status: Number(/^HTTP\/1.1 (\d+)/.exec(text)?.[1]), text }));
  });
}

const list = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });

/** Returns the text of a request; a header that is undefined is left out. */
function post(
  served: Served,
  changed: Readonly<Record<string, string | undefined>> = {},
  body = list,
): string {
  const headers: Readonly<Record<string, string | undefined>> = {
    Host: served.url.host,
    Authorization: `Bearer ${served.token}`,
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
    "Content-Length": String(Buffer.byteLength(body)),
    Connection: "close",
    ...changed,
  };
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}: ${value}`,
  );
  return `POST /mcp HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body}`;
}

test("refuses what is not exactly a client with the token", async () => {
  const served = await serve();
  const other = JSON.stringify({ JSONRPC: "2.0", Id: 1, Method: "tools/list" });
  const rows: readonly (readonly [string, string, number])[] = [
    ["no token", post(served, { Authorization: undefined }), 401],
    ["another token", post(served, { Authorization: "Bearer wrong" }), 401],
    ["the token as a password", post(served, { Authorization: `Basic ${served.token}` }), 401],
    ["a rebound name", post(served, { Host: `evil.example:${served.url.port}` }), 403],
    ["another port", post(served, { Host: "127.0.0.1:1" }), 403],
    ["no Host", post(served, { Host: undefined }), 400],
    ["a page of another site", post(served, { Origin: "https://evil.example" }), 403],
    ["a page of this machine", post(served, { Origin: "http://127.0.0.1:1337" }), 403],
    ["a form", post(served, { "Content-Type": "text/plain" }), 415],
    ["another path", post(served).replace("/mcp", "/other"), 404],
    ["other field names", post(served, {}, other), 400],
    ["no JSON", post(served, {}, "{"), 400],
    ["no session", post(served, { "MCP-Protocol-Version": "2025-11-25" }), 400],
    ["an unknown session", post(served, { "Mcp-Session-Id": "guessed" }), 404],
    ["a large body", post(served, { "Content-Length": "17000000" }, ""), 413],
  ];
  for (const [what, request, status] of rows) {
    expect((await send(served, request)).status, what).toBe(status);
  }
  expect((await connect(served, "auto")).getServerVersion()).toMatchObject({ name: "localharness" });
});

test("keeps a token of each folder, which only the person can read, until it is replaced", async () => {
  const served = await serve();
  const folder = join(served.place.home, ".local", "state", "localharness", "mcp-serve");
  const [name = ""] = readdirSync(folder).filter((one) => one.endsWith(".json"));
  expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  expect(served.token).toMatch(/^[\w-]{43}$/);
  expect(served.run.output().stdout).not.toContain(served.token);
  const fresh = (await run(["mcp", "serve", "token", "rotate"], { place: served.place })).stdout.trim();
  expect(fresh).not.toBe(served.token);
  expect((await send(served, post(served))).status).toBe(401);
  expect((await connect({ ...served, token: fresh }, "auto")).getServerVersion()).toBeDefined();
});

test("ends with all that it started when a signal arrives", async () => {
  const served = await serve(["--mode", "bypass"]);
  const client = await connect(served, "legacy");
  const started = Promise.withResolvers<void>();
  const command = "echo $$ > pid; while :; do echo at work; sleep 0.1; done";
  const call = client
    .callTool({ name: "bash", arguments: { command } }, { onprogress: () => started.resolve() })
    .catch(() => undefined);
  await started.promise;
  const pid = Number(readFileSync(join(served.place.workspace, "pid"), "utf8"));
  const from = performance.now();
  served.run.child.kill("SIGTERM");
  expect((await served.run.ended).code).toBe(130);
  expect(performance.now() - from).toBeLessThan(2_000);
  expect(() => process.kill(pid, 0)).toThrow();
  await client.close();
  await call;
});

test("says what is wrong with the port", async () => {
  const served = await serve();
  const second = await run(["mcp", "serve", "--http", "--port", served.url.port], { place: makePlace() });
  expect(second).toMatchObject({ code: 2 });
  expect(second.stderr).toMatch(/cannot listen at 127.0.0.1:\d+: .*--port 0/);
  expect((await run(["mcp", "serve", "--port", "0"], { place: makePlace() })).stderr).toMatch(/--http/);
});
