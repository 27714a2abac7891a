/**
 * The registry of tools for programs (as in Onyx): tools and results in MCP's shape, and their conversion to
 * `ToolResult` and back.
 */
import { defineTool, failed } from "@localharness/engine";
import type { ToolResult } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import {
  type CallResult,
  createToolService,
  fromCallResult,
  type McpTool,
  toCallResult,
} from "../src/registry/tool-service.ts";

const files: Readonly<Record<string, string>> = { "README.md": "hello" };
const readFile: McpTool = {
  name: "read_file",
  description: "Read contents of a file",
  inputSchema: {
    type: "object",
    properties: { path: { type: "string", description: "File path to read (relative to workspace root)" } },
    required: ["path"],
  },
  execute: ({ path }) => {
    const text = files[String(path)];
    if (text === undefined) throw new Error(`Invalid path '${path}'`);
    return { content: [{ type: "text", text }], isError: false };
  },
};
const shout = defineTool({
  name: "shout",
  description: "Writes in capitals.",
  parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  risk: "safe",
  readOnly: true,
  execute: async ({ text }) =>
    text === "" ? failed("not_found", "no text") : { ok: true, data: String(text).toUpperCase() },
});

describe("Onyx: tools and results in MCP's shape", () => {
  test("registerTool, listTools and unregisterTool", () => {
    const service = createToolService([readFile]);
    service.registerTool(shout);
    expect(service.listTools().map(({ name }) => name)).toEqual(["read_file", "shout"]);
    expect(service.listTools()[0]).toMatchObject({
      description: readFile.description,
      inputSchema: readFile.inputSchema,
    });
    expect(() => service.registerTool(readFile)).toThrow(/already registered/);
    expect(() => service.registerTool({ ...readFile, name: "x", inputSchema: { type: "array" } })).toThrow(
      expect.objectContaining({ code: "tool-invalid", message: expect.stringMatching(/broken/) }),
    );
    expect([service.unregisterTool("read_file"), service.unregisterTool("read_file")]).toEqual([true, false]);
    expect(service.listTools().map(({ name }) => name)).toEqual(["shout"]);
  });

  test.each([
    ["read_file", { path: "a" }, true],
    ["read_file", { path: 5 }, true],
    ["read_file", {}, false],
    ["read_file", undefined, false],
    ["read_file", '{"path": "a"}', true],
    ["read_file", [1], false],
    ["read_file", () => 1, false],
    ["no_such_tool", { path: "a" }, false],
  ])("validateToolInput(%j, %j) is %j", (name, params, valid) => {
    expect(createToolService([readFile]).validateToolInput(name, params)).toBe(valid);
  });

  test("arguments that JSON cannot hold are refused", async () => {
    const list: unknown[] = [];
    list.push(list);
    const service = createToolService([readFile]);
    for (const params of [1n, list]) {
      expect(service.validateToolInput("read_file", params)).toBe(false);
      expect(await service.executeTool("read_file", params)).toMatchObject({ isError: true });
    }
  });

  const text = (words: unknown) => [{ type: "text", text: words }];
  test.each([
    ["read_file", { path: "README.md" }, { content: text("hello"), isError: false }],
    [
      "read_file",
      { path: "nonexistent/path" },
      { content: text("Error: Invalid path 'nonexistent/path'"), isError: true },
    ],
    ["read_file", {}, { content: text(expect.stringMatching(/^Error: read_file: /)), isError: true }],
    [
      "nothing",
      {},
      { content: text(expect.stringMatching(/^Error: there is no tool named "nothing"/)), isError: true },
    ],
    [
      "shout",
      { text: "a" },
      { content: text("A"), isError: false, structuredContent: expect.objectContaining({ success: true }) },
    ],
    [
      "shout",
      { text: "" },
      {
        content: text("Error: no text"),
        isError: true,
        structuredContent: expect.objectContaining({ error_type: "not_found" }),
      },
    ],
  ])("executeTool(%j, %j)", async (name, params, result) => {
    expect(await createToolService([readFile, shout]).executeTool(name, params)).toEqual(result);
  });

  test("a session gets the same tools, and asks about those in MCP's shape", async () => {
    const { registry } = createToolService([readFile]);
    const tool = registry.find("read_file")?.tool;
    expect([tool?.risk, tool?.readOnly]).toEqual(["medium", false]);
    const context = { callId: "1", signal: new AbortController().signal, report: () => undefined };
    expect(await tool?.execute({ path: "README.md" }, context)).toEqual({ ok: true, data: "hello" });
  });
});

describe("nothing is lost", () => {
  const metadata = { execution_time_ms: 5, data_size_bytes: 1, timestamp: 1 };
  const results: readonly ToolResult[] = [
    { success: true, data: "a", error_message: null, error_type: "none", metadata },
    { success: true, data: null, error_message: null, error_type: "none", metadata, notes: ["n"] },
    { success: false, data: null, error_message: "no", error_type: "timeout", metadata },
    { success: false, data: "part", error_message: "Error: no", error_type: "io_error", metadata },
  ];
  test.each(results)("of a ToolResult on the way to MCP and back: %j", (result) => {
    const sent = JSON.parse(JSON.stringify(toCallResult(result))) as CallResult;
    expect(fromCallResult(sent, 9)).toEqual(result);
    expect(sent.isError).toBe(!result.success);
  });

  const image = { type: "image", data: "AAAA", mimeType: "image/png" };
  const link = { type: "resource_link", uri: "file:///a", name: "a" };
  const received: readonly CallResult[] = [
    { content: [{ type: "text", text: "a" }] },
    { content: [{ type: "text", text: "a" }, image, link], isError: false },
    { content: [{ type: "text", text: "two" }], structuredContent: { n: 2 } },
    { content: [{ type: "text", text: "Error: no" }], isError: true },
    { content: [], structuredContent: null },
    { content: [{ type: "text", text: "a", annotations: { audience: ["user"] } }] },
  ];
  test.each(received)("of a result of MCP on the way to ToolResult and back: %j", (result) => {
    const kept = JSON.parse(JSON.stringify(fromCallResult(result, 9))) as ToolResult;
    expect(toCallResult(kept)).toEqual(result);
    expect([kept.success, kept.metadata.timestamp]).toEqual([result.isError !== true, 9]);
  });

  test("the error of a result of MCP is its message", () => {
    const result = fromCallResult({ content: [{ type: "text", text: "Error: no" }], isError: true }, 9);
    expect(result).toMatchObject({
      success: false,
      data: null,
      error_message: "no",
      error_type: "internal_error",
    });
  });
});
