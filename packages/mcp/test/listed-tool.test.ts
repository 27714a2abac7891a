/** Checks how the tools of a server are read: broken ones are left out in a sentence, texts are cleaned and bounded. */
import { createRegistry } from "@localharness/engine";
import { describe, expect, test } from "vitest";
import { readTools } from "../src/tools/listed-tool.ts";
import { openPeers, peer } from "./open-peer.ts";

const schema = { type: "object", properties: { text: { type: "string" } } };
const one = (more: object) =>
  readTools([{ name: "t", description: "d", inputSchema: schema, ...more } as never]);

describe("a tool is left out with a sentence", () => {
  const deep = JSON.parse(`${'{"items":'.repeat(40)}{}${"}".repeat(40)}`);
  const cases: readonly (readonly [what: string, tool: object, problem: RegExp])[] = [
    ["without a name", { name: "" }, /no name/],
    ["with a name of 300 characters", { name: "n".repeat(300) }, /no name, or one of more than 200/],
    [
      "without a schema",
      { inputSchema: undefined },
      /"t" is left out: its schema is broken \(it is no object\)/,
    ],
    ["whose schema is a list", { inputSchema: [] }, /it is no object/],
    ["of another type", { inputSchema: { type: "array" } }, /its type is "array"/],
    [
      "with wrong properties",
      { inputSchema: { type: "object", properties: [] } },
      /"properties" is no object/,
    ],
    ["with a wrong property", { inputSchema: { type: "object", properties: { a: 5 } } }, /"a" has no schema/],
    ["with wrong required", { inputSchema: { type: "object", required: "a" } }, /"required" is no list/],
    [
      "nested too deeply",
      { inputSchema: { type: "object", properties: { a: deep } } },
      /more than 24 levels/,
    ],
    [
      "with a huge schema",
      { inputSchema: { type: "object", description: "x".repeat(40_000) } },
      /at most 32000 are read/,
    ],
    ["that runs only as a task", { execution: { taskSupport: "required" } }, /tasks are not supported/],
  ];
  test.each(cases)("%s", (_what, tool, problem) => {
    const { tools, problems } = one(tool);
    expect(tools).toEqual([]);
    expect(problems).toEqual([expect.stringMatching(problem)]);
  });

  test("when its name was used before", () => {
    const twice = readTools([
      { name: "t", inputSchema: schema },
      { name: "t", inputSchema: schema },
    ]);
    expect([twice.tools.length, twice.problems]).toEqual([1, ['it lists "t" twice']]);
  });
});

describe("what is read", () => {
  test.each([
    [{ type: "object" }, { type: "object", properties: {}, additionalProperties: true }],
    [{}, { type: "object", properties: {}, additionalProperties: true }],
    [
      { type: "object", required: ["a"], properties: { b: true }, $schema: "x" },
      { type: "object", required: ["a"], properties: { a: {}, b: {} }, additionalProperties: true },
    ],
  ])("the schema %j", (inputSchema, parameters) => {
    expect(one({ inputSchema }).tools[0]?.parameters).toEqual(parameters);
  });

  test("invisible characters of descriptions become escapes, long ones are cut", () => {
    expect(one({ description: "a\u200bb\u{e0041}\u001b[2J" }).tools[0]?.description).toBe(
      "a\\u200bb\\u{e0041}\\x1b[2J",
    );
    const long = one({ description: "x".repeat(5_000) }).tools[0]?.description ?? "";
    expect(long).toMatch(/x \[\.\.\. 3000 more characters\]$/);
    const inner = one({
      inputSchema: { type: "object", properties: { description: { description: "\u202ex" } } },
    });
    expect(inner.tools[0]?.parameters.properties["description"]?.description).toBe("\\u202ex");
  });

  test("every change of name, description or schema changes the hash, and annotations do not", () => {
    const hash = (more: object) => one(more).tools[0]?.hash;
    const hashes = [
      hash({}),
      hash({ name: "u" }),
      hash({ description: "e" }),
      hash({ inputSchema: { type: "object" } }),
    ];
    expect(new Set(hashes).size).toBe(4);
    expect(hash({ annotations: { readOnlyHint: true } })).toBe(hash({}));
  });
});

test("a server with broken tools offers the others, and the registry takes them", async () => {
  const { tools, told } = await openPeers({ p: peer("broken-schemas", "lying") });
  expect(told).toHaveLength(5);
  expect(told.every((message) => message.startsWith("the MCP server p: "))).toBe(true);
  expect(createRegistry(tools).list().length).toBe(tools.length);
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["p__echo", "p__wipe", "p__a_b_c"]));
  for (const { risk, readOnly } of tools) expect([risk, readOnly]).toEqual(["medium", false]);
});
