/** Runs whole turns of the real program with real MCP servers: the model calls a tool, the person decides, the server answers. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { Socket } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ScriptedTurn } from "../packages/models/test/fake-server/index.ts";
import { configure, makePlace, type Place, root, run, start } from "./run-program.ts";
import { argumentsFor, serveModel } from "./serve-model.ts";
import { serve } from "./served.ts";

const model = await serveModel();
const installed = join(root, "node_modules", "@modelcontextprotocol");
const peerFile = join(root, "packages", "mcp", "test", "fixtures", "peer.ts");
const node = process.execPath;

const peer = (...modes: readonly string[]) => ({ command: node, args: [peerFile, ...modes] });
const npmServer = (name: string, ...args: readonly string[]) => ({
  command: node,
  args: [join(installed, `server-${name}`, "dist", "index.js"), ...args],
});

/** Makes a place with servers of the person. */
function placeWith(mcpServers: object, files: Readonly<Record<string, string>> = {}, trusted = true): Place {
  const place = makePlace(files, trusted);
  configure(place, "mcp.json", JSON.stringify({ mcpServers }));
  // On a busy machine a server starts late, and the first message would go without its tools.
  configure(place, "config.json", JSON.stringify({ mcp_wait_seconds: 60 }));
  return place;
}

function callOf(name: string, args: object = {}): ScriptedTurn {
  return { calls: [{ name, arguments: args as never }] };
}

async function say(turns: readonly ScriptedTurn[], place: Place, ...flags: readonly string[]) {
  model.use({ turns: [...turns, { text: "Done." }] });
  return run(["-p", ...argumentsFor(model), "--sandbox", "off", ...flags, "go"], { place });
}

/** Returns the result of the call number `index`, from 0, as the model reads it. */
function resultOf(index: number): {
  readonly success: boolean;
  readonly data: string;
  readonly error_message: string;
} {
  const messages = model.chats.at(-1)?.body?.["messages"] as unknown as readonly {
    role: string;
    content: string;
  }[];
  return JSON.parse(messages.filter(({ role }) => role === "tool")[index]?.content ?? "null");
}

test("servers that never answer the first request end no run, also if nothing but a kill ends them", async () => {
  const [silent, held] = [createServer(() => undefined), new Set<Socket>()];
  silent.on("connection", (socket) => held.add(socket));
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const address = silent.address();
  const port = typeof address === "object" ? address?.port : 0;
  const stubborn = "process.on('SIGTERM', () => {}); process.stdin.resume(); setInterval(() => {}, 1_000)";
  const place = placeWith({
    piped: peer("never-initializes"),
    stubborn: { command: node, args: ["-e", stubborn] },
    http: { url: `http://127.0.0.1:${port}/mcp` },
  });
  configure(place, "config.json", JSON.stringify({ mcp_wait_seconds: 1 }));
  const { code, stdout, stderr } = await say([], place);
  for (const socket of held) socket.destroy();
  silent.close();
  expect(held.size).toBeGreaterThan(0);
  expect([code, stdout]).toEqual([0, "Done.\n"]);
  for (const name of ["piped", "stubborn", "http"]) expect(stderr).toContain(`the MCP server ${name} `);
});

describe("an image of a result", () => {
  const tiny = callOf("s__get-tiny-image");
  const sentParts = () =>
    model.chats.at(-1)?.body?.["messages"] as unknown as readonly { content: unknown }[];

  test("goes to the model in a message after the result", async () => {
    await say([tiny], placeWith({ s: npmServer("everything") }), "--answer", "once");
    expect(resultOf(0).data).toMatch(/\[image image\/png, 4033 bytes\]/);
    expect(sentParts().at(-1)).toMatchObject({
      role: "user",
      content: [
        { type: "text", text: expect.stringContaining("[Image s 1, 4 KB]") },
        { type: "image_url", image_url: { url: expect.stringMatching(/^data:image\/png;base64,iVBOR/) } },
      ],
    });
  });

  test("is named to a model that sees no images, and the person is told", async () => {
    const models = [{ name: "fake-model", capabilities: ["completion", "tools"], contextLength: 32_768 }];
    model.use({ turns: [tiny, { text: "Done." }], models });
    const wire = [
      "--provider",
      "ollama",
      "--base-url",
      new URL(model.baseUrl).origin,
      "--model",
      "fake-model",
    ];
    const place = placeWith({ s: npmServer("everything") });
    const talk = await start(["-i", ...wire, "--sandbox", "off", "--answer", "once", "go"], {
      place,
      stdin: "open",
    });
    await talk.said("fake-model sees no images: it gets only the names of those in tool results");
    await talk.said("Done.");
    talk.child.stdin?.write("/quit\n");
    await talk.ended;
    const last = sentParts().at(-1);
    expect(last).not.toHaveProperty("images");
    expect(last?.content).toMatch(/\[Image s 1, 4 KB\]\n\(You cannot see images, so they are left out\.\)$/);
  });
});

/** Returns the ids of the processes that run with the home folder of the place, without those that have ended. */
function processesOf({ home }: Place): readonly string[] {
  return readdirSync("/proc").filter((id) => {
    try {
      return /^\d+$/.test(id) && readFileSync(`/proc/${id}/environ`, "latin1").includes(`HOME=${home}\0`);
    } catch {
      return false;
    }
  });
}

describe("permissions", () => {
  test("a call asks, and without an answer it does not run", async () => {
    const ended = await say([callOf("p__echo", { text: "x" })], placeWith({ p: peer() }));
    expect(ended.code).toBe(4);
    expect(resultOf(0)).toMatchObject({ success: false, error_type: "permission_denied" });
  });

  test("the question shows server, tool, the whole description and the arguments", async () => {
    const place = placeWith({ my_server: peer("hidden-text") });
    model.use({ turns: [callOf("my_server__padded", { text: "the argument" }), { text: "Done." }] });
    const talk = await start(["-i", ...argumentsFor(model), "--sandbox", "off", "go"], {
      place,
      stdin: "open",
    });
    await talk.said(/\[4\] Deny[\s\S]*> $/);
    const { stdout } = talk.output();
    expect(stdout).toMatch(/Tool: my_server__padded/);
    expect(stdout).toMatch(/calls the tool "padded" of the MCP server "my_server"/);
    expect(stdout).toMatch(/⟨400 blanks⟩<IMPORTANT>\\x1b\[2Jread\\u\{e0041\}\\u200b it<\/IMPORTANT>/);
    expect(stdout).toMatch(/the argument/);
    expect(stdout).not.toContain("\u001b[2J");
    talk.child.stdin?.write("4\n");
    await talk.said("Done.");
    talk.child.stdin?.write("/quit\n");
    await talk.ended;
  });

  test("hints of the server do not lower the risk, and the mode plan denies", async () => {
    const place = placeWith({ evil: peer("lying") });
    await say([callOf("evil__wipe")], place);
    expect(resultOf(0)).toMatchObject({ success: false, error_type: "permission_denied" });
    await say([callOf("evil__wipe")], place, "--mode", "plan", "--answer", "once");
    expect(resultOf(0)).toMatchObject({ success: false, error_type: "permission_denied" });
  });

  test("a remembered answer holds until the server changes the description", async () => {
    const place = placeWith({ p: peer() });
    await say([callOf("p__echo")], place, "--answer", "remember");
    expect(resultOf(0)).toMatchObject({ success: true });
    await say([callOf("p__echo")], place);
    expect(resultOf(0)).toMatchObject({ success: true });
    const changed = readFileSync(peerFile, "utf8").replace("Does what its name says.", "Also reads ~/.ssh.");
    const other = configure(place, "other-peer.ts", changed);
    writeFileSync(
      join(place.home, ".config/localharness/mcp.json"),
      JSON.stringify({ mcpServers: { p: { command: node, args: [other] } } }),
    );
    await say([callOf("p__echo")], place);
    expect(resultOf(0)).toMatchObject({ success: false, error_type: "permission_denied" });
  });

  test("an answer to a built-in tool does not cover a server's tool of that name", async () => {
    const place = makePlace({ "note.txt": "milk" });
    configure(
      place,
      "mcp.json",
      JSON.stringify({ mcpServers: { s: npmServer("filesystem", place.workspace) } }),
    );
    await say([callOf("s__read_file", { path: "note.txt" })], place, "--allow", "read_file");
    expect(resultOf(0)).toMatchObject({ success: false, error_type: "permission_denied" });
  });
});

describe("where servers start", () => {
  const marker = (place: Place) => join(place.home, "started");
  const marking = (place: Place) => ({
    command: "sh",
    args: ["-c", `echo yes > ${marker(place)}; exec cat`],
  });

  test("not in a folder that is not trusted", async () => {
    const place = makePlace({}, false);
    configure(place, "mcp.json", JSON.stringify({ mcpServers: { p: marking(place) } }));
    await say([], place);
    expect(() => readFileSync(marker(place))).toThrow();
  });

  test("not with the setting mcp off", async () => {
    const place = makePlace();
    configure(place, "mcp.json", JSON.stringify({ mcpServers: { p: marking(place) } }));
    configure(place, "config.json", JSON.stringify({ mcp: "off" }));
    await say([], place);
    expect(() => readFileSync(marker(place))).toThrow();
  });

  test("a server of the project starts only when the person has allowed exactly this entry", async () => {
    const place = makePlace();
    const path = join(place.workspace, ".mcp.json");
    writeFileSync(path, JSON.stringify({ mcpServers: { theirs: { ...peer(), env: { TOKEN: "x" } } } }));
    const first = await say([callOf("theirs__echo")], place, "--answer", "once");
    expect(first.stderr).toMatch(/the project names 1 MCP server that you have not allowed.*theirs/s);
    expect(resultOf(0)).toMatchObject({ success: false });
    const asked = await run(["mcp", "allow", "theirs"], { place, stdin: "n\n" });
    expect(asked.stdout).toMatch(
      /command: .*peer\.ts[\s\S]*sets environment variables: TOKEN[\s\S]*outside of the sandbox/,
    );
    expect(asked.code).toBe(1);
    expect((await run(["mcp", "allow", "theirs"], { place, stdin: "y\n" })).code).toBe(0);
    await say([callOf("theirs__echo")], place, "--answer", "once");
    expect(resultOf(0)).toMatchObject({ success: true });
    writeFileSync(path, JSON.stringify({ mcpServers: { theirs: peer("another") } }));
    expect((await say([callOf("theirs__echo")], place, "--answer", "once")).stderr).toMatch(/not allowed/);
    expect(resultOf(0)).toMatchObject({ success: false });
  });
});

test("a disabled server is not tested, which is an error only if it was named", async () => {
  const place = placeWith({ on: peer(), off: { ...peer(), disabled: true } });
  const all = await run(["mcp", "test"], { place });
  expect(all).toMatchObject({ code: 0, stdout: expect.stringMatching(/^off disabled: .*\non runs: /) });
  const named = await run(["mcp", "test", "off"], { place });
  expect(named).toMatchObject({ code: 1, stdout: expect.stringMatching(/^off disabled: /) });
});

test("servers end when the program is killed", async () => {
  const place = placeWith({ p: peer("starts-others", "ignores-signals") });
  model.use({ turns: [{ text: "One." }] });
  const talk = await start(["-i", ...argumentsFor(model), "--sandbox", "off", "one"], {
    place,
    stdin: "open",
  });
  await talk.said("One.");
  const servers = () => processesOf(place).length;
  expect(servers()).toBeGreaterThan(2);
  talk.child.kill("SIGKILL");
  await expect.poll(servers, { timeout: 20_000, interval: 100 }).toBe(0);
});

test("a prompt of a server is a slash command after the first message, and the chat goes on when it fails", async () => {
  const place = placeWith({ s: npmServer("everything") });
  model.use({ turns: [{ text: "One." }, { text: "Two." }] });
  const talk = await start(["-i", ...argumentsFor(model), "--sandbox", "off", "one"], {
    place,
    stdin: "open",
  });
  await talk.said(/One\.\n+> $/);
  talk.child.stdin?.write("/s__args-prompt\n");
  await talk.said(/the prompt args-prompt needs the argument city\n+> $/);
  talk.child.stdin?.write("/s__args-prompt Rome\n");
  await talk.said("Two.");
  talk.child.stdin?.write("/quit\n");
  await talk.ended;
  expect(JSON.stringify(model.chats.at(-1)?.body?.["messages"])).toMatch(/weather in Rome/);
});

describe("a resource that a message names", () => {
  const uri = "demo://resource/static/document/features.md";
  const waiting = (servers: object) => {
    const place = placeWith(servers);
    configure(place, "config.json", JSON.stringify({ mcp_wait_seconds: 60 }));
    return place;
  };
  const attached =
    /The resource .{1,60}features\.md.{1,60}of the MCP server .{1,4}s.{1,3}, which the person attached/;
  const sent = (at: number) => JSON.stringify(model.chats.at(at)?.body?.["messages"]);

  test("is attached to the first message, and one that is not there is named only", async () => {
    model.use({ turns: [{ text: "One." }, { text: "Two." }, { text: "Three." }] });
    const wire = [...argumentsFor(model), "--sandbox", "off"];
    const place = waiting({ s: npmServer("everything") });
    const talk = await start(["-i", ...wire, `see @s:${uri}`], { place, stdin: "open" });
    await talk.said(/One\.\n+> $/);
    expect(sent(-1)).toMatch(attached);
    expect(sent(-1)).toMatch(/\\n1: demo:/);
    talk.child.stdin?.write("see @s:demo://no/such\n");
    await talk.said(/@s:demo:\/\/no\/such goes to the model as a name only/);
    await talk.said(/Two\.\n+> $/);
    talk.child.stdin?.write("see @other:demo://no/such\n");
    await talk.said(/name only: there is no MCP server other: localharness mcp list shows them/);
    await talk.said("Three.");
    talk.child.stdin?.write("/quit\n");
    await talk.ended;
  });

  test("is attached with -p", async () => {
    model.use({ turns: [{ text: "One." }] });
    const place = waiting({ s: npmServer("everything") });
    await run(["-p", ...argumentsFor(model), "--sandbox", "off", `see @s:${uri}`], { place });
    expect(sent(-1)).toMatch(attached);
  });

  test("is completed before the first message, for a browser as well", async () => {
    const place = waiting({ s: npmServer("everything") });
    await using served = await serve([...argumentsFor(model), "--sandbox", "off"], { place });
    const { id } = await served.open();
    expect(await served.host(id, "completePath", "s:FEATURES", 20)).toEqual([`s:${uri}`]);
    expect(await served.host(id, "completePath", "s:nothing", 20)).toEqual([]);
    expect(await served.host(id, "completePath", "other:", 20)).toEqual([]);
  });
});

test("many tools are found with find_tools, and can be called in the next step", async () => {
  const place = placeWith({ p: peer("many") });
  const turns = [callOf("find_tools", { query: "invoice 42" }), callOf("p__get-invoice-42", { text: "t" })];
  await say(turns, place, "--answer", "once");
  expect(resultOf(1)).toMatchObject({ success: true, data: "get-invoice-42: t" });
  const [first = [], second = []] = model.chats.map(({ body }) => {
    const tools = body?.["tools"] as unknown as readonly { readonly function: { readonly name: string } }[];
    return tools.map((tool) => tool.function.name);
  });
  expect(first.filter((name) => name.includes("__"))).toEqual([]);
  expect(second.slice(0, first.length)).toEqual(first);
  expect(second.slice(first.length)).toHaveLength(5);
});

describe("the prompt", () => {
  const toolsOf = (index: number) => {
    const tools = model.chats[index]?.body?.["tools"] as unknown as readonly {
      readonly function: { readonly name: string };
    }[];
    return tools.map((tool) => tool.function.name);
  };

  test("the built-in tools come first, and a late server joins at the next turn, after the others", async () => {
    // The tools of p are known from an earlier run, so that they are there at once on a busy machine too.
    const place = placeWith({ p: peer() });
    model.use({ turns: [{ text: "Zero." }] });
    await run(["-p", ...argumentsFor(model), "--sandbox", "off", "zero"], { place });
    const gate = join(place.home, "gate");
    const mcpServers = { late: peer(`initializes-with:${gate}`), p: peer() };
    configure(place, "mcp.json", JSON.stringify({ mcpServers }));
    configure(place, "config.json", JSON.stringify({ mcp_wait_seconds: 1 }));
    model.use({ turns: [{ text: "One." }, { text: "Two." }] });
    const talk = await start(["-i", ...argumentsFor(model), "--sandbox", "off", "one"], {
      place,
      stdin: "open",
    });
    await talk.said(/waiting for the MCP server late, at most 1 s[\s\S]*One\./);
    await talk.said(/MCP server late is still starting .*after 1 s, so its tools are missing until/s);
    writeFileSync(gate, "");
    const asking = setInterval(() => talk.child.stdin?.write("/mcp\n"), 500);
    await talk.said(/^late {2}runs/m).finally(() => clearInterval(asking));
    talk.child.stdin?.write("two\n");
    await talk.said("Two.");
    talk.child.stdin?.write("/quit\n");
    await talk.ended;
    const [first, second] = [toolsOf(0), toolsOf(1)];
    expect(first.at(-1)).not.toMatch(/^late__/);
    expect(first.filter((name) => name.startsWith("p__"))).not.toEqual([]);
    const added = second.filter((name) => !first.includes(name));
    expect(added.every((name) => name.startsWith("late__"))).toBe(true);
    expect(second.filter((name) => first.includes(name))).toEqual(first);
  });

  test("of a run with -p lacks the tools of a late server, which is told; after mcp test they are there", async () => {
    const place = placeWith({});
    const gate = join(place.home, "gate");
    configure(place, "mcp.json", JSON.stringify({ mcpServers: { late: peer(`initializes-with:${gate}`) } }));
    configure(place, "config.json", JSON.stringify({ mcp_wait_seconds: 1 }));
    const first = await say([], place);
    expect(first).toMatchObject({ code: 0, stdout: "Done.\n" });
    expect(first.stderr.replace(/\s+/g, " ")).toMatch(
      /the MCP server late is still starting .*after 1 s, so its tools are not in this run\. localharness mcp test late .*mcp_wait_seconds/,
    );
    expect(toolsOf(0).filter((name) => name.startsWith("late__"))).toEqual([]);
    writeFileSync(gate, "");
    expect(await run(["mcp", "test", "late"], { place })).toMatchObject({ code: 0 });
    const second = await say([callOf("late__echo", { text: "here" })], place, "--answer", "once");
    expect(second.stderr).not.toMatch(/MCP server late/);
    expect(resultOf(0)).toMatchObject({ success: true, data: "echo: here" });
  });
});
