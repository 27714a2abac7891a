/** The registry: register, unregister, list, validate, execute. */
import { createRegistry, HarnessError, type Tool } from "@localharness/engine";
import { describe, expect, test } from "vitest";
import { done, makeTool } from "./make-tool.ts";

const context = { callId: "c1", signal: new AbortController().signal, report: () => undefined };
const read = makeTool({
  name: "read_file",
  aliases: ["view", "cat-file"],
  parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  execute: (args) => Promise.resolve(done(`read ${args["path"]}`)),
});
const list = makeTool({ name: "ls" });

function errorOf(act: () => void): unknown {
  try {
    act();
  } catch (error) {
    return error instanceof HarnessError ? error.code : error;
  }
  return undefined;
}

describe("Onyx: the registry registers, unregisters, lists, validates and executes", () => {
  test("lists tools in the order of registration, and tells models name, description and schema", () => {
    const registry = createRegistry([read, list]);
    expect(registry.list()).toEqual([read, list]);
    expect(registry.definitions()).toEqual([
      { name: "read_file", description: read.description, parameters: read.parameters },
      { name: "ls", description: list.description, parameters: list.parameters },
    ]);
  });

  test("unregisters, says whether there was such a tool, and takes the name again", () => {
    const registry = createRegistry([read]);
    expect(registry.definitions()).toHaveLength(1);
    expect(registry.unregister("read_file")).toBe(true);
    expect(registry.unregister("read_file")).toBe(false);
    expect(registry.definitions()).toEqual([]);
    expect(registry.find("read_file")).toBeUndefined();
    registry.register(read);
    expect(registry.list()).toEqual([read]);
  });

  test.each<readonly [string, Partial<Tool>, string]>([
    ["a name that is taken", { name: "ls" }, "tool-name-taken"],
    ["an empty name", { name: "" }, "tool-invalid"],
    ["a name with a space", { name: "read file" }, "tool-invalid"],
    ["a name that is too long", { name: "x".repeat(65) }, "tool-invalid"],
    [
      "a required parameter without a schema",
      { parameters: { type: "object", properties: {}, required: ["path"] } },
      "tool-invalid",
    ],
    ["aliases of a parameter that it has not", { parameterAliases: { file: ["f"] } }, "tool-invalid"],
    ["no parameters", { parameters: undefined as unknown as Tool["parameters"] }, "tool-invalid"],
    [
      "parameters that are no object",
      { parameters: { type: "string" } as unknown as Tool["parameters"] },
      "tool-invalid",
    ],
    [
      "parameters without properties",
      { parameters: { type: "object" } as unknown as Tool["parameters"] },
      "tool-invalid",
    ],
  ])("refuses %s", (_title, more, code) => {
    const registry = createRegistry([list]);
    expect(errorOf(() => registry.register(makeTool(more)))).toBe(code);
    expect(registry.list()).toEqual([list]);
  });

  test.each<readonly [string, string | undefined, boolean]>([
    ["read_file", "read_file", false],
    ["readFile", "read_file", true],
    ["Read-File", "read_file", true],
    ["functions.read_file", "read_file", true],
    ["view", "read_file", true],
    ["VIEW", "read_file", true],
    ["catFile", "read_file", true],
    ["LS", "ls", true],
    ["delete_file", undefined, false],
    ["", undefined, false],
    ["__proto__", undefined, false],
    ["constructor", undefined, false],
  ])("finds %j as %s", (name, found, renamed) => {
    const registry = createRegistry([read, list]);
    expect(registry.find(name)?.tool.name).toBe(found);
    expect(registry.find(name)?.renamed ?? false).toBe(renamed);
  });

  test("a tool's own name wins over another tool's alias", () => {
    const shell = makeTool({ name: "view" });
    expect(createRegistry([read, shell]).find("view")?.tool).toBe(shell);
    expect(createRegistry([read, shell]).find("View")?.tool).toBe(shell);
  });

  test.each([
    [
      "reed_file",
      'there is no tool named "reed_file". Did you mean "read_file"? The tools are: read_file, ls',
    ],
    ["launch_rocket", 'there is no tool named "launch_rocket". The tools are: read_file, ls'],
    ["x".repeat(500), `there is no tool named "${"x".repeat(80)}". The tools are: read_file, ls`],
  ])("says of an unknown tool what there is: case %#", (name, message) => {
    const registry = createRegistry([read, list]);
    expect(registry.unknownToolMessage(name)).toBe(message);
    expect(registry.validateInput(name, {})).toEqual({ ok: false, message });
  });

  const many = [..."abcdefgh"].map((letter) => makeTool({ name: `tool_${letter}` }));
  const search = makeTool({ name: "grep_search" });

  test.each([
    ["reed_file", "read_file, tool_a, tool_b, tool_c, tool_d, tool_e, tool_f, tool_g, tool_h, ls and 3 more"],
    ["fly", "tool_a, tool_b, tool_c, tool_d, tool_e, tool_f, tool_g, tool_h, ls, read_file and 3 more"],
    [
      "searchCode",
      "grep_search, tool_a, tool_b, tool_c, tool_d, tool_e, tool_f, tool_g, tool_h, ls and 3 more",
    ],
    [
      "list_files",
      "read_file, tool_a, tool_b, tool_c, tool_d, tool_e, tool_f, tool_g, tool_h, ls and 3 more",
    ],
  ])("lists some of many tools for %s, the likeliest first", (name, shown) => {
    const all = createRegistry([
      ...many,
      list,
      read,
      search,
      makeTool({ name: "zip" }),
      makeTool({ name: "zap" }),
    ]);
    expect(all.unknownToolMessage(name)).toMatch(new RegExp(` Tools are: ${shown}$`));
    expect(all.unknownToolMessage(name, true)).not.toContain("tool_b");
  });

  test.each<readonly [string, string | Record<string, string>, unknown]>([
    ["read_file", { path: "a" }, { ok: true, data: "read a" }],
    ["view", '{"path":"a"}', { ok: true, data: "read a" }],
    [
      "read_file",
      {},
      { ok: false, errorType: "validation_failed", message: expect.stringContaining('"path" is missing') },
    ],
    ["nothing", {}, { ok: false, errorType: "not_found", message: expect.stringContaining("no tool named") }],
    ["throws", {}, { ok: false, errorType: "internal_error", message: "throws failed unexpectedly: boom" }],
    [
      "throws_at_once",
      {},
      { ok: false, errorType: "internal_error", message: "throws_at_once failed unexpectedly: boom" },
    ],
  ])("executes %s with %j", async (name, input, output) => {
    const throws = makeTool({ name: "throws", execute: () => Promise.reject(new Error("boom")) });
    const atOnce = makeTool({
      name: "throws_at_once",
      execute: () => {
        throw new Error("boom");
      },
    });
    expect(await createRegistry([read, throws, atOnce]).execute(name, input, context)).toEqual(output);
  });
});
