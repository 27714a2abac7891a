/** Bad servers, each a real child process: every case ends in one clear sentence, and the servers go on. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Tool } from "@localharness/engine";
import { describe, expect, onTestFinished, test } from "vitest";
import type { KnownTools } from "../src/servers/known-tools.ts";
import { openPeers, peer } from "./open-peer.ts";

const installed = join(import.meta.dirname, "../../../node_modules/@modelcontextprotocol");
const good = { ok: true, data: "echo: still there" };

describe("a call of a bad tool", () => {
  const cases: readonly (readonly [tool: string, result: object])[] = [
    [
      "exit",
      {
        ok: false,
        errorType: "io_error",
        message: expect.stringMatching(
          /^the MCP server p gave no answer to the call of exit: it ended with exit code 3\. It is unknown whether the call had an effect\. The next call starts it again\.$/,
        ),
      },
    ],
    [
      "huge",
      {
        ok: false,
        errorType: "io_error",
        message: expect.stringMatching(
          /gave no answer to the call of huge: it sent a message of more than 16 MB, so it was ended\./,
        ),
      },
    ],
    [
      "silent",
      {
        ok: false,
        errorType: "timeout",
        message: expect.stringMatching(
          /^the MCP server p did not answer the call of silent within 1 s, so the call was cancelled\. It is unknown/,
        ),
      },
    ],
    ["flood", { ok: true, data: "after the flood" }],
    ["junk", { ok: true, data: "after the junk" }],
    ["progress", { ok: true, data: "done" }],
    [
      "wrong",
      {
        ok: false,
        errorType: "io_error",
        message: expect.stringMatching(/^the MCP server p gave no usable answer to the call of wrong: /),
      },
    ],
    [
      "refuse",
      {
        ok: false,
        errorType: "validation_failed",
        message: expect.stringMatching(
          /^the MCP server p refused the call of refuse: .*it refuses\[31m this$/,
        ),
      },
    ],
  ];
  test.each(cases)("%s ends, and the next call is answered", async (tool, result) => {
    const { call } = await openPeers({ p: peer() }, { callMs: tool === "silent" ? 1000 : 30_000 });
    expect(await call(`p__${tool}`)).toEqual(result);
    expect(await call("p__echo", { text: "still there" })).toEqual(good);
  });

  test("progress prolongs the call and is shown", async () => {
    const { call, reported } = await openPeers({ p: peer() }, { callMs: 2000 });
    expect(await call("p__progress")).toEqual({ ok: true, data: "done" });
    expect(reported.slice(0, 2)).toEqual(["1 of 4: works", "2 of 4: works"]);
  });

  test("an interrupt sends a cancellation", async () => {
    const { call } = await openPeers({ p: peer() });
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 200);
    expect(await call("p__silent", {}, stop.signal)).toMatchObject({ ok: false });
    const { data } = (await call("p__counter")) as { data: string };
    expect(JSON.parse(data).cancelled).toHaveLength(1);
  });

  test("a server that ends again and again is started three more times, and no more", async () => {
    const { call } = await openPeers({ p: peer() });
    const ends: string[] = [];
    for (let count = 0; count < 6; count += 1) {
      const output = await call("p__exit");
      ends.push(output.ok ? "ok" : output.message);
    }
    expect(ends.filter((message) => message.includes("gave no answer"))).toHaveLength(4);
    expect(ends.at(-1)).toMatch(
      /^the MCP server p cannot be used: .*it was started 4 times and is not started again$/,
    );
  });

  test("a result of 5 MB is cut like any other", async () => {
    const { call } = await openPeers({ p: peer() });
    const output = (await call("p__huge", { text: "5" })) as { data: string };
    expect(output.data.length).toBeLessThan(17_000);
    expect(output.data).toMatch(/bytes left out[\s\S]*5242880 bytes; the whole output is in /);
  });
});

/** The cases that end by a time limit. */
const hangs = /never answers|only junk|lists no tools/;

describe("a server that does not start", () => {
  const cases: readonly (readonly [name: string, entry: object, told: RegExp])[] = [
    [
      "no program",
      { command: "no-such-program-here" },
      /^the MCP server p cannot be used: there is no program no-such-program-here, or its folder does not exist$/,
    ],
    [
      "it exits",
      peer("exits-at-once"),
      /cannot be used: it ended with exit code 7; its error output ends with: there is no database$/,
    ],
    ["it never answers", peer("never-initializes"), /cannot be used: it did not answer within \d s$/],
    [
      "it prints only junk",
      peer("only-junk"),
      /cannot be used: it did not answer within \d s; it prints text on its standard output that is no MCP message \(\d+ lines?\)$/,
    ],
    ["it lists no tools", peer("no-list"), /cannot be used: it did not list its tools in time$/],
    [
      "a variable is not set",
      { command: "x", env: { A: "$" + "{NOT_SET_HERE}" } },
      /environment variables that are not set: NOT_SET_HERE$/,
    ],
    ["nothing listens", { url: "http://127.0.0.1:9/mcp" }, /cannot be used: .*127\.0\.0\.1:9.*ECONNREFUSED/],
    ["a wrong url", { url: "ftp://127.0.0.1/mcp" }, /cannot be used: its url is no http or https address$/],
    [
      "an address that gives out keys",
      { url: "http://169.254.169.254/mcp" },
      /cannot be used: .*169\.254\.169\.254 is never reached/,
    ],
    ["no sandbox", { ...peer(), sandbox: true }, /its entry asks for the sandbox, and there is none here$/],
  ];
  test.each(cases)("%s: one sentence, and the other server works", async (name, entry, told) => {
    const opened = await openPeers(
      { p: entry, other: peer() },
      { startMs: hangs.test(name) ? 2000 : 30_000 },
    );
    expect(opened.told).toEqual([expect.stringMatching(told)]);
    expect(await opened.call("other__echo", { text: "still there" })).toEqual(good);
  });
});

describe("a server that starts in an odd way", () => {
  test.each(["junk-at-start", "exits-at-discover", "samples"])("%s", async (mode) => {
    const { call, told } = await openPeers({ p: peer(mode) });
    expect(told).toEqual([]);
    expect(await call("p__echo", { text: "still there" })).toEqual(good);
  });

  test("a slow server does not hold up the others, and joins later", async () => {
    const folder = mkdtempSync(join(tmpdir(), "lh-gate-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const gate = join(folder, "open");
    const slow = peer(`initializes-with:${gate}`);
    const { servers } = await openPeers({ slow, p: peer() }, { waitMs: 0 });
    const stateOf = (name: string) => servers.summaries().find((one) => one.name === name)?.state;
    await expect.poll(() => stateOf("p"), { timeout: 30_000 }).toMatch(/^runs/);
    const first = await servers.newTools(0);
    expect(first.length).toBeGreaterThan(0);
    expect(first.every(({ name }) => name.startsWith("p__"))).toBe(true);
    const about = "is still starting (its last line of error output: still fetching)";
    await expect.poll(() => stateOf("slow")).toBe(about);
    expect(servers.late()).toEqual([{ name: "slow", about }]);
    writeFileSync(gate, "");
    const later = await servers.newTools(30_000);
    expect(later.every(({ name }) => name.startsWith("slow__"))).toBe(true);
    expect(later.length).toBe(first.length);
    expect(servers.late()).toEqual([]);
    expect(await servers.newTools(0)).toEqual([]);
  });
});

describe("a server that changes its tools", () => {
  const factsOf = async (tool: Tool | undefined) => await tool?.examine?.({}, new AbortController().signal);

  test("the changed tool asks again with its new description, and keeps the old one in the prompt", async () => {
    const { call, tools, servers } = await openPeers({ p: peer("changes") });
    const echo = tools.find(({ name }) => name === "p__echo");
    const before = await factsOf(echo);
    expect(before?.effect).toMatch(
      /"echo" of the MCP server "p", which it describes as: Does what its name says\./,
    );
    expect(await call("p__change")).toEqual({ ok: true, data: "changed" });
    await expect.poll(async () => (await factsOf(echo))?.scope).not.toBe(before?.scope);
    expect((await factsOf(echo))?.concerns).toEqual([
      {
        id: "mcp:changed",
        decision: "ask",
        reason: expect.stringMatching(/now describes it as: Reads ~\/\.ssh\.$/),
      },
    ]);
    expect(echo?.description).toBe("[p] Does what its name says.");
    expect((await servers.newTools(0)).map(({ name }) => name)).toEqual(["p__new-tool"]);
    expect(await call("p__refuse")).toEqual({
      ok: false,
      errorType: "not_found",
      message: "the MCP server p no longer offers the tool refuse",
    });
  });
});

test("names that servers of models do not take are replaced, no two meet, and each call reaches its tool", async () => {
  const { call, tools } = await openPeers({ p: peer("dotted") });
  const offered = tools.map(({ name }) => name).filter((name) => name.includes("jobs"));
  for (const name of offered) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  expect(new Set(offered).size).toBe(3);
  expect(offered[1]).toBe("p__jobs_get");
  const said = await Promise.all(offered.map((name) => call(name, { text: "x" })));
  expect(said.map((output) => (output as { data: string }).data)).toEqual([
    "jobs.get: x",
    "jobs_get: x",
    "jobs/get: x",
  ]);
});

describe("resources", () => {
  const everything = join(installed, "server-everything/dist/index.js");

  test("of the real server-everything are listed and read; the tools for them are offered once", async () => {
    const s = { command: process.execPath, args: [everything] };
    const { call, tools } = await openPeers({ s, other: s, p: peer() });
    expect(
      tools.filter(({ name }) => name.endsWith("_resource") || name.endsWith("_resources")),
    ).toHaveLength(2);
    const list = (await call("list_resources", { server: "s" })) as { data: string };
    const uri = /^s (\S+)/m.exec(list.data)?.[1] ?? "";
    const read = (await call("read_resource", { server: "s", uri })) as { data: string };
    expect(read.data.startsWith(`${uri}:\n`) || read.data.startsWith(`[${uri} `)).toBe(true);
    expect(read.data.length).toBeGreaterThan(uri.length + 10);
    expect(await call("read_resource", { server: "s", uri: "demo://nothing/here" })).toMatchObject({
      ok: false,
    });
    expect(await call("read_resource", { server: "p", uri })).toEqual({
      ok: false,
      errorType: "not_found",
      message: 'there is no MCP server "p" with resources; there are: s, other',
    });
  });

  test("are not offered if no server has any", async () => {
    const { tools } = await openPeers({ p: peer() });
    expect(tools.map(({ name }) => name)).not.toContain("list_resources");
  });
});

test("the prompts of the real server-everything become messages", async () => {
  const { servers } = await openPeers({
    s: { command: process.execPath, args: [join(installed, "server-everything/dist/index.js")] },
  });
  const prompts = await servers.prompts();
  const args = prompts.find(({ name }) => name === "s__args-prompt");
  expect(args?.argumentHint).toBe("city [state]");
  expect(await args?.expand("Rome the capital")).toMatch(/Rome, the capital/);
  expect(await prompts.find(({ name }) => name === "s__simple-prompt")?.expand("")).toMatch(/simple prompt/);
  await expect(args?.expand("")).rejects.toThrow("the prompt args-prompt needs the argument city");
});

test("a server ends with everything that it has started", async () => {
  const opened = await openPeers({ p: peer("starts-others", "ignores-signals") });
  expect(await opened.call("p__echo", { text: "still there" })).toEqual(good);
  const mine = () =>
    execFileSync("ps", ["-eo", "pid,ppid,args"], { encoding: "utf8" })
      .split("\n")
      .filter((line) => line.includes("sleep 300"));
  const before = mine().length;
  expect(before).toBeGreaterThan(0);
  await opened.close();
  expect(mine().length).toBeLessThan(before);
});

test("a server gets the filtered environment and its own variables, and the workspace as its folder", async () => {
  const environment = { SECRET_ONE: "abc" };
  const entry = { ...peer(), env: { GIVEN: "$" + "{SECRET_ONE}", PLAIN: "1" } };
  const { call, workspace } = await openPeers({ p: entry }, { environment });
  const { data } = (await call("p__counter")) as { data: string };
  const seen = JSON.parse(data);
  expect(seen.cwd).toBe(workspace);
  expect(seen.env).toEqual(expect.arrayContaining(["GIVEN", "PLAIN", "PATH"]));
  expect(seen.env).not.toContain("SECRET_ONE");
});

describe("tools that are known from an earlier session", () => {
  function remembering() {
    const kept = new Map<string, KnownTools>();
    return {
      kept,
      find: async (hash: string) => kept.get(hash),
      keep: async (hash: string, known: KnownTools) => void kept.set(hash, known),
    };
  }

  test("are offered without starting the server, which starts with its first call", async () => {
    const memory = remembering();
    const first = await openPeers({ p: peer() }, { memory });
    const second = await openPeers({ p: peer() }, { memory, waitMs: 0 });
    expect(second.tools.map(({ name }) => name)).toEqual(first.tools.map(({ name }) => name));
    expect(second.servers.summaries()[0]?.state).toMatch(/^starts with its first call/);
    expect(await second.call("p__echo", { text: "x" })).toEqual({ ok: true, data: "echo: x" });
    expect(second.servers.summaries()[0]?.running).toBe(true);
  });

  test("belong to exactly this entry", async () => {
    const memory = remembering();
    await openPeers({ p: peer() }, { memory });
    const other = await openPeers({ p: peer("lying") }, { memory, waitMs: 0 });
    expect(other.tools).toEqual([]);
  });

  test("are not called as they were described, if the server has changed them", async () => {
    const memory = remembering();
    await openPeers({ p: peer() }, { memory });
    for (const [hash, known] of memory.kept) {
      const tools = known.tools.map((tool) => ({ ...tool, description: "Harmless." }));
      memory.kept.set(hash, { ...known, tools });
    }
    const { tools, servers } = await openPeers({ p: peer() }, { memory, waitMs: 0 });
    const tool = tools.find(({ name }) => name === "p__echo");
    if (tool === undefined) throw new Error("the tool is missing");
    const signal = new AbortController().signal;
    const examined = await tool.examine?.({}, signal);
    expect(examined?.effect).toMatch(/Harmless\./);
    const around = { callId: "c", signal, report: () => undefined };
    const refused = await tool.execute({}, { ...around, examined: examined ?? {} });
    expect(refused).toMatchObject({ ok: false, message: expect.stringMatching(/has changed the tool echo/) });
    const again = await tool.examine?.({}, signal);
    expect(again?.effect).toMatch(/Does what its name says/);
    expect(again?.concerns).toMatchObject([{ id: "mcp:changed", decision: "ask" }]);
    expect(await tool.execute({ text: "x" }, { ...around, examined: again ?? {} })).toMatchObject({
      ok: true,
    });
    await servers.close();
  });
});

test("a server is asked for messages of the level info and above", async () => {
  const { servers } = await openPeers({ p: peer() });
  await expect.poll(() => servers.summaries()[0]?.logs).toEqual(["info: from here on"]);
});

test("the resources of running servers have names for the person, and one that does not list them is left out", async () => {
  const file = "node_modules/@modelcontextprotocol/server-everything/dist/index.js";
  const real = { command: process.execPath, args: [join(import.meta.dirname, "../../..", file)] };
  const { servers } = await openPeers({ real, dumb: peer("resources") });
  const named = "real:demo://resource/static/document/features.md";
  await expect.poll(() => servers.resources()).toContain(named);
  expect((await servers.resources()).filter((name) => !name.startsWith("real:"))).toEqual([]);
});
