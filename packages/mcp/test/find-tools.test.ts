/** Checks the search for tools, and that many tools are left to it. */
import { createRegistry } from "@localharness/engine";
import { describe, expect, test } from "vitest";
import { rankTools } from "../src/tools/rank-tools.ts";
import { openPeers, peer } from "./open-peer.ts";

const tools = [
  { name: "files__readFile", description: "Reads a file of the disk." },
  { name: "files__write_file", description: "Writes a file." },
  { name: "git__log", description: "Shows the commits of a branch." },
  { name: "mail__send", description: "Sends a message with a file." },
];

describe("tools are ranked", () => {
  test.each([
    ["read a file", ["files__readFile", "files__write_file", "mail__send", "git__log"]],
    ["commits", ["git__log"]],
    ["SEND mail", ["mail__send"]],
    ["write", ["files__write_file"]],
    ["weather", []],
    ["", []],
  ])("for %j", (query, names) => {
    expect(rankTools(tools, query).map(({ name }) => name)).toEqual(names);
  });
});

describe("descriptions that fill more than the room", () => {
  test("are hidden until the model has searched for them, and are then added at the end", async () => {
    const opened = await openPeers({ p: peer("many") }, { room: 3_000 });
    const registry = createRegistry(opened.tools);
    const before = registry.definitions().map(({ name }) => name);
    expect(before).toEqual(["find_tools"]);
    expect(registry.unknownToolMessage("x")).toMatch(/The tools are: find_tools$/);
    const found = (await opened.call("find_tools", { query: "invoice 42" })) as { data: string };
    expect(found.data.split("\n")[0]).toMatch(/^p__get-invoice-42: \[p\] Gets the invoice number 42\./);
    const after = registry.definitions().map(({ name }) => name);
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after).toHaveLength(6);
    await opened.call("find_tools", { query: "weather 5" });
    expect(
      registry
        .definitions()
        .map(({ name }) => name)
        .slice(0, 6),
    ).toEqual(after);
    expect(await opened.call("p__get-invoice-42", { text: "t" })).toEqual({
      ok: true,
      data: "get-invoice-42: t",
    });
  });

  test("that no words fit say which servers there are", async () => {
    const opened = await openPeers({ p: peer("many") }, { room: 3_000 });
    const output = await opened.call("find_tools", { query: "zzz" });
    expect(output).toEqual({
      ok: true,
      data: expect.stringMatching(/^No tool fits these words\. There are 210 tools of the servers p\.$/),
    });
  });

  test("are shown if they fit", async () => {
    const opened = await openPeers({ p: peer() }, { room: 100_000 });
    expect(createRegistry(opened.tools).definitions()).toHaveLength(10);
  });
});
