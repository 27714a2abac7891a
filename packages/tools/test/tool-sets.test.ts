import { createRegistry, type Tool } from "@localharness/engine";
import { describe, expect, test } from "vitest";
import { createTools, toolSet } from "../src/tool-sets.ts";
import { openWebBench } from "./web-bench.ts";

async function allTools(): Promise<Tool[]> {
  return createTools(
    (await openWebBench(false, { provider: "searxng", address: "http://127.0.0.1" })).resources,
  );
}

/** The tools as they are offered to models. */
function definitions(tools: readonly Tool[]): string {
  return JSON.stringify(
    createRegistry(tools)
      .definitions()
      .map((definition) => ({ type: "function", function: definition })),
  );
}

describe("tool sets", () => {
  test.each([
    ["minimal", 6, 2050],
    ["standard", 17, 5800],
    ["all", 24, 10_500],
  ])("%s has %d tools in less than %d bytes", async (name, count, bytes) => {
    const tools = toolSet(await allTools(), name);
    expect(tools).toHaveLength(count);
    expect(Buffer.byteLength(definitions(tools))).toBeLessThan(bytes);
  });

  test("names are chosen in the order of the tools", async () => {
    const tools = toolSet(await allTools(), ["bash", "ls"]);
    expect(tools.map((tool) => tool.name)).toEqual(["ls", "bash"]);
    expect(() => toolSet(tools, ["none"])).toThrow(
      /There is no tool "none".*minimal, standard, all.*ls, bash/,
    );
    expect(() => toolSet(tools, "big")).toThrow(/"big"/);
  });

  test.each([
    ["sets and tools", ["minimal", "remove"], 7],
    ["a set without a tool", ["minimal", "-bash"], 5],
    ["only tools that are left out, from the standard set", ["-bash", "-ls"], 15],
    ["a tool that is chosen and left out", ["ls", "bash", "-bash"], 1],
  ])("a list may have %s", async (_what, choice, count) => {
    expect(toolSet(await allTools(), choice)).toHaveLength(count);
  });

  test("no name or alias belongs to two tools, and none to a parameter twice", async () => {
    const tools = await allTools();
    const fold = (name: string) => name.toLowerCase().replaceAll(/[_-]/g, "");
    const names = tools.flatMap((tool) => [...new Set([tool.name, ...(tool.aliases ?? [])].map(fold))]);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    for (const tool of tools) {
      const aliases = Object.values(tool.parameterAliases ?? {}).flatMap((list) => [
        ...new Set(list.map(fold)),
      ]);
      const own = Object.keys(tool.parameters.properties).map(fold);
      const all = [...aliases, ...own];
      expect(
        all.filter((name, index) => all.indexOf(name) !== index),
        tool.name,
      ).toEqual([]);
      expect(
        Object.keys(tool.parameterAliases ?? {}).filter((name) => !(name in tool.parameters.properties)),
      ).toEqual([]);
    }
  });

  test("every schema is flat", async () => {
    for (const tool of await allTools()) {
      for (const schema of Object.values(tool.parameters.properties)) {
        expect(["string", "integer", "number", "boolean"]).toContain(schema.type);
      }
    }
  });

  test.each([
    [
      "safe",
      [
        "ls",
        "get_file_tree",
        "read_output",
        "add_task",
        "list_tasks",
        "update_task",
        "get_current_time",
        "get_working_directory",
      ],
    ],
    ["low", ["grep_search", "git_status", "git_diff", "git_log", "git_current_branch"]],
    ["medium", ["read_file", "web_fetch", "web_search"]],
    [
      "high",
      [
        "edit_file",
        "write_file",
        "replace_lines",
        "insert_lines",
        "mkdir",
        "remove",
        "bash",
        "git_commit_all",
      ],
    ],
  ])("the risk is %s for %j", async (risk, names) => {
    const tools = await allTools();
    expect(tools.filter((tool) => tool.risk === risk).map((tool) => tool.name)).toEqual(names);
  });

  test("only bash narrows what an answer covers: to the exact command", async () => {
    const tools = await allTools();
    expect(tools.filter((tool) => tool.grantScope !== undefined).map((tool) => tool.name)).toEqual(["bash"]);
    expect(tools.find((tool) => tool.name === "bash")?.grantScope?.({ command: "ls -la" })).toBe("ls -la");
  });

  test.each([
    ["Read", "read_file"],
    ["view", "read_file"],
    ["create_file", "write_file"],
    ["str_replace", "edit_file"],
    ["Edit", "edit_file"],
    ["Grep", "grep_search"],
    ["list_dir", "ls"],
    ["listDirectory", "ls"],
    ["run_cmd", "bash"],
    ["run_shell_command", "bash"],
    ["functions.execute", "bash"],
    ["rm", "remove"],
    ["Glob", undefined],
  ])("%s is %s", async (alias, name) => {
    expect(createRegistry(await allTools()).find(alias)?.tool.name).toBe(name);
  });
});
