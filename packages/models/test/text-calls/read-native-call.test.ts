/** Names and arguments of native calls are read as those of calls from text are. */
import type { JsonObject } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { createCallIds } from "../../src/answer/call-ids.ts";
import { TextCallReader } from "../../src/text-calls/text-call-reader.ts";
import { lsTool, readTool } from "../test-request.ts";

/** Returns the events of a native call, as a session gets them. */
function read(name: string, args: string | JsonObject) {
  const reader = new TextCallReader({ tools: [lsTool, readTool], formats: "auto", ids: createCallIds([]) });
  const [start] = reader.push({ type: "tool-call-start", index: 0, id: "x", name });
  const [end] = reader.push({ type: "tool-call-end", index: 0, id: "x", name, arguments: args });
  if (start?.type !== "tool-call-start" || end?.type !== "tool-call-end") throw new Error("no call");
  expect(start.name).toBe(end.name);
  return { name: end.name, arguments: end.arguments, repairs: end.repairs ?? [] };
}

describe("names", () => {
  test.each([
    ["read_file", []],
    ["read_file<|channel|>commentary", ["tool-name"]],
    ["functions.read_file:0", ["tool-name"]],
    ["read_filejson", ["tool-name"]],
    ["read_file()", ["tool-name"]],
  ])("%s", (name, repairs) => {
    expect(read(name, { path: "a" })).toEqual({ name: "read_file", arguments: { path: "a" }, repairs });
  });

  test.each(["write_file", "read_files", "ls and read_file"])("%s stays", (name) => {
    expect(read(name, { path: "a" })).toEqual({ name, arguments: { path: "a" }, repairs: [] });
  });
});

describe("arguments", () => {
  test.each<[args: string, value: JsonObject, ...repairs: string[]]>([
    ["[]", {}, "missing-arguments"],
    ["null", {}, "missing-arguments"],
    ['""', {}, "stringified-arguments"],
    ['[{"path":"a"}]', { path: "a" }, "extra-closer"],
    ['"{\\"path\\":\\"a\\"}"', { path: "a" }, "stringified-arguments"],
    ['{"path":"a"}\n```', { path: "a" }, "wrong-end-tag"],
    ['```json\n{"path":"a"}\n```', { path: "a" }, "wrong-end-tag"],
    ['{"path":"a"}<|call|>', { path: "a" }, "wrong-end-tag"],
    ["{'path': 'a'}", { path: "a" }, "single-quotes"],
    ["```json\n{'path': 'a'}\n```", { path: "a" }, "single-quotes"],
    ["\"{'path': 'a'}\"", { path: "a" }, "single-quotes"],
  ])("%j", (args, value, ...repairs) => {
    expect(read("read_file", args)).toEqual({ name: "read_file", arguments: value, repairs });
  });

  test.each([
    '{"path":"a"}',
    '{"path":"a","path":"b"}',
    '[{"path":"a"},{"path":"b"}]',
    '{"path":"a"}{"path":"b"}',
    '{"path":"a',
    "7",
  ])("%s stays", (args) => {
    expect(read("read_file", args)).toMatchObject({ arguments: args, repairs: [] });
  });
});
