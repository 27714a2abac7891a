/** `localharness mcp serve`, driven by the official client as a child process: tools, resources, questions, undo and audit. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Client, type ElicitResult } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, describe, expect, test } from "vitest";
import { cachedCode, makePlace, type Place, program, type Run, run, start } from "./run-program.ts";

type Era = "legacy" | "auto";
type Answer = (message: string) => ElicitResult;

const open: Client[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()));
});

interface Connected {
  readonly client: Client;
  readonly errors: () => string;
  /** The questions that were asked. */
  readonly asked: readonly string[];
}

/** Connects the official client to the program. Without `answer` the client cannot ask anybody. */
async function connect(
  place: Place,
  era: Era,
  flags: readonly string[] = [],
  answer?: Answer,
): Promise<Connected> {
  const asked: string[] = [];
  const client = new Client(
    { name: "test", version: "1" },
    {
      capabilities: answer === undefined ? {} : { elicitation: {} },
      versionNegotiation: { mode: era },
    },
  );
  if (answer !== undefined) {
    client.setRequestHandler("elicitation/create", ({ params }) => {
      asked.push(params.message);
      return answer(params.message);
    });
  }
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program(), "mcp", "serve", "--sandbox", "off", ...flags],
    cwd: place.workspace,
    env: { ...cachedCode(), HOME: place.home, LANG: "C.UTF-8", NO_COLOR: "1" },
    stderr: "pipe",
  });
  let errors = "";
  transport.stderr?.on("data", (chunk: Buffer) => {
    errors += chunk.toString();
  });
  open.push(client);
  await client.connect(transport);
  return { client, errors: () => errors, asked };
}

const says =
  (answer: string): Answer =>
  () => ({ action: "accept", content: { answer } });

const write = (path: string, content = "new\n") => ({ name: "write_file", arguments: { path, content } });

function textOf(result: unknown): string {
  const { content } = result as { readonly content: readonly { readonly text?: string }[] };
  return content.map(({ text }) => text ?? "").join("\n");
}

describe.each<Era>(["auto", "legacy"])("the official client, protocol %s", (era) => {
  test("lists tools and calls one that only reads", async () => {
    const { client } = await connect(makePlace({ "note.txt": "milk\n" }), era);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["ls", "read_file", "bash"]));
    expect(tools.find(({ name }) => name === "read_file")).toMatchObject({
      inputSchema: { type: "object", required: ["path"] },
      annotations: { readOnlyHint: true },
    });
    const result = await client.callTool({ name: "read_file", arguments: { path: "note.txt" } });
    expect(textOf(result)).toBe("1: milk");
    expect(result.structuredContent).toMatchObject({ success: true, data: "1: milk", error_type: "none" });
  });

  test("asks by elicitation, and the answer decides", async () => {
    const place = makePlace();
    const answers = ["deny", "once", "session"];
    const { client, asked } = await connect(place, era, [], () => says(answers.shift() ?? "")(""));
    const denied = await client.callTool(write("a.txt"));
    expect(denied).toMatchObject({ isError: true, structuredContent: { error_type: "permission_denied" } });
    expect(existsSync(join(place.workspace, "a.txt"))).toBe(false);
    expect(asked[0]).toMatch(/May the tool write_file run\?\nArguments: \{"path":"a.txt"[\s\S]*\+new/);
    expect(await client.callTool(write("a.txt"))).toMatchObject({ isError: false });
    expect(readFileSync(join(place.workspace, "a.txt"), "utf8")).toBe("new\n");
    await client.callTool(write("b.txt"));
    await client.callTool(write("c.txt"));
    expect(asked).toHaveLength(3);
  });

  test.each<readonly [string, Answer]>([
    ["declined", () => ({ action: "decline" })],
    ["cancelled", () => ({ action: "cancel" })],
    ["remember, which is not offered", says("remember")],
    ["another word", says("sure")],
    ["no content", () => ({ action: "accept" })],
  ])("an answer that is %s denies", async (_what, answer) => {
    const place = makePlace();
    const { client } = await connect(place, era, [], answer);
    const result = await client.callTool(write("a.txt"));
    expect(result).toMatchObject({ isError: true, structuredContent: { error_type: "permission_denied" } });
    expect(readdirSync(place.workspace)).toEqual([]);
  });

  test("denies in a sentence when the client cannot ask, unless a rule allows", async () => {
    const place = makePlace();
    const without = await connect(place, era);
    expect(textOf(await without.client.callTool(write("a.txt")))).toMatch(
      /^Error: nobody could be asked: .*--allow/,
    );
    const { client } = await connect(place, era, ["--allow", "write_file --path a.txt"]);
    expect(await client.callTool(write("a.txt"))).toMatchObject({ isError: false });
    expect(await client.callTool(write("b.txt"))).toMatchObject({ isError: true });
    expect(readdirSync(place.workspace)).toEqual(["a.txt"]);
  });

  test("reports progress, and a cancellation ends the command", async () => {
    const place = makePlace();
    const { client } = await connect(place, era, ["--mode", "bypass"]);
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
});

describe("resources", () => {
  const files = { "a.txt": "milk\n", "sub/b.md": "# b\n", ".env": "TOKEN=abcdef\n", "bin.dat": "\0\u0001" };

  test("list the files of the workspace, and read each whole", async () => {
    const place = makePlace(files);
    const { client } = await connect(place, "auto");
    const { resources } = await client.listResources();
    expect(resources.map(({ name }) => name)).toEqual([".env", "a.txt", "bin.dat", "sub/b.md"]);
    const byName = (name: string) => resources.find((one) => one.name === name)?.uri ?? "";
    expect(await client.readResource({ uri: byName("sub/b.md") })).toMatchObject({
      contents: [{ uri: byName("sub/b.md"), mimeType: "text/plain", text: "# b\n" }],
    });
    expect(await client.readResource({ uri: byName("bin.dat") })).toMatchObject({
      contents: [{ mimeType: "application/octet-stream", blob: "AAE=" }],
    });
  });

  const refused: readonly (readonly [string, (place: Place) => string])[] = [
    ["a file outside", () => "file:///etc/passwd"],
    ["a way out", ({ workspace }) => `${pathToFileURL(workspace).href}/%2e%2e/home/x`],
    ["another scheme", () => "https://example.com/a.txt"],
    ["another host", () => "file://example.com/a.txt"],
    ["no file", ({ workspace }) => `${pathToFileURL(workspace).href}/missing.txt`],
    ["the folder itself", ({ workspace }) => pathToFileURL(workspace).href],
    ["a folder", ({ workspace }) => `${pathToFileURL(workspace).href}/sub`],
    ["a file with secrets, without a person", ({ workspace }) => `${pathToFileURL(workspace).href}/.env`],
  ];
  test.each(refused)("%s is refused", async (_what, uri) => {
    const place = makePlace(files);
    const { client } = await connect(place, "auto");
    await expect(client.readResource({ uri: uri(place) })).rejects.toThrow();
  });

  test("a file with secrets asks", async () => {
    const place = makePlace(files);
    const { client, asked } = await connect(place, "auto", [], says("once"));
    const read = await client.readResource({ uri: `${pathToFileURL(place.workspace).href}/.env` });
    expect(asked[0]).toMatch(/May the tool read_file run\?/);
    expect(read.contents[0]).toMatchObject({ mimeType: "text/plain" });
  });
});

test("calls are in the audit log, and their changes can be undone", async () => {
  const place = makePlace({ "a.txt": "old\n" });
  const { client } = await connect(place, "auto", ["--mode", "accept-edits"]);
  await client.callTool(write("a.txt"));
  await client.callTool(write("../out.txt"));
  await client.close();
  const audit = await run(["audit", "--json"], { place });
  expect(audit.stdout).toMatch(/"tool":\s*"write_file"/);
  expect((await run(["undo"], { place })).code).toBe(0);
  expect(readFileSync(join(place.workspace, "a.txt"), "utf8")).toBe("old\n");
});

test("without trust in the folder only reading tools run", async () => {
  const place = makePlace({ "a.txt": "milk" }, false);
  const { client, errors } = await connect(place, "auto", [], says("once"));
  expect(await client.callTool(write("b.txt"))).toMatchObject({ isError: true });
  expect(errors()).toMatch(/trust/);
  expect(readdirSync(place.workspace)).toEqual(["a.txt"]);
});

test("prints nothing but the protocol on standard output, also for junk, and ends with its input", async () => {
  const talk = await start(["mcp", "serve", "--sandbox", "off"], { stdin: "open", place: makePlace() });
  const ask = (message: object) =>
    talk.child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  talk.child.stdin?.write("junk\n{}\n[1,2\n");
  const clientInfo = { name: "raw", version: "1" };
  ask({
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo },
  });
  ask({ method: "notifications/initialized" });
  ask({ id: 2, method: "tools/call", params: { name: "no_such_tool", arguments: {} } });
  ask({ id: 3, method: "tools/call", params: { name: "read_file", arguments: { path: 7 } } });
  await talk.said(/"id":3/);
  await talk.said(/"id":2/);
  talk.child.stdin?.end();
  const { code, stdout } = await talk.ended;
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split("\n");
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
  expect(stdout).toMatch(/there is no tool named/);
});

/** Starts the server with a command that runs until it is ended, and resolves to the id of the command's process. */
async function startBusy() {
  const place = makePlace();
  const talk = await start(["mcp", "serve", "--sandbox", "off", "--mode", "bypass"], {
    stdin: "open",
    place,
  });
  const ask = (message: object) =>
    talk.child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const clientInfo = { name: "raw", version: "1" };
  ask({
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo },
  });
  ask({ method: "notifications/initialized" });
  const command = "echo $$ > pid; while :; do echo at work; sleep 0.1; done";
  const params = { name: "bash", arguments: { command }, _meta: { progressToken: 1 } };
  ask({ id: 2, method: "tools/call", params });
  await talk.said(/at work/);
  const pid = Number(readFileSync(join(place.workspace, "pid"), "utf8"));
  return { talk, pid };
}

test.each<readonly [string, (talk: Run) => void]>([
  ["its input closes", ({ child }) => void child.stdin?.end()],
  ["nobody reads its output", ({ child }) => void child.stdout?.destroy()],
])("ends within two seconds, with all that it started, when %s", async (_when, leave) => {
  const { talk, pid } = await startBusy();
  const from = performance.now();
  leave(talk);
  expect((await talk.ended).code).toBe(0);
  expect(performance.now() - from).toBeLessThan(2_000);
  expect(() => process.kill(pid, 0)).toThrow();
});
