/** Checks that the name of a tool names its server without doubt, and is never the name of another tool. */
import { describe, expect, test } from "vitest";
import { serverPart, toolName } from "../src/tools/tool-name.ts";

const free = () => false;

describe("the part of the server", () => {
  test.each([
    ["files", "files"],
    ["my server", "my_server"],
    ["my__server", "my_server"],
    ["_x_", "x"],
    ["Ünïcode", "n_code"],
    ["\u001b[2Jevil", "2Jevil"],
    ["...", "server"],
    ["a-very-long-name-of-a-server-that-goes-on", "a-very-long-name-of-a-se"],
  ])("%j becomes %s", (name, part) => {
    expect(serverPart(name, new Set())).toBe(part);
  });

  test("two servers never share one", () => {
    const first = serverPart("my server", new Set());
    expect(serverPart("my_server", new Set([first]))).toMatch(/^my_server-[0-9a-f]{6}$/);
  });
});

describe("the name of a tool", () => {
  test.each([
    ["files", "read", "files__read"],
    ["files", "read file/now", "files__read_file_now"],
    ["files", "get.it-now", "files__get_it-now"],
  ])("%s and %j become %s", (server, tool, name) => {
    expect(toolName(server, tool, free)).toBe(name);
  });

  test("has at most 64 characters, and differs for tools that begin alike", () => {
    const one = toolName("s", `${"x".repeat(80)}1`, free);
    const two = toolName("s", `${"x".repeat(80)}2`, free);
    expect([one.length, two.length, one === two]).toEqual([64, 64, false]);
  });

  test("is never one that is taken", () => {
    expect(toolName("s", "read", (name) => name === "s__read")).toMatch(/^s__read_[0-9a-f]{6}$/);
  });

  test("a tool server__tool of the server my has another name than the tool of the server my__server", () => {
    const first = toolName(serverPart("my", new Set()), "server__tool", free);
    const second = toolName(serverPart("my__server", new Set(["my"])), "tool", free);
    expect([first, second]).toEqual(["my__server__tool", "my_server__tool"]);
  });
});
