import { expect, test } from "vitest";
import { readTools } from "../src/tools/listed-tool.ts";
import { headerProblem } from "../src/tools/mirrored-headers.ts";

const at = (inner: object) => ({ type: "object", properties: { p: inner } });

test.each([
  ["no header", at({ type: "string" }), undefined],
  ["a text", at({ type: "string", "x-mcp-header": "Region" }), undefined],
  ["inside of an object", at(at({ type: "boolean", "x-mcp-header": "Deep" })), undefined],
  ["at the top", { ...at({}), "x-mcp-header": "Top" }, /not at a parameter/],
  ["in a list", at({ type: "array", items: { type: "string", "x-mcp-header": "X" } }), /not at a parameter/],
  ["in a choice", at({ anyOf: [{ type: "string", "x-mcp-header": "X" }] }), /not at a parameter/],
  ["in a choice of objects", { anyOf: [at({ type: "string", "x-mcp-header": "X" })] }, /not at a parameter/],
  ["no name", at({ type: "string", "x-mcp-header": "" }), /no name of a header/],
  ["a line break", at({ type: "string", "x-mcp-header": "A\r\nB" }), /no name of a header/],
  ["a number", at({ type: "number", "x-mcp-header": "N" }), /of the type "number"/],
  [
    "a name twice",
    {
      properties: {
        a: { type: "string", "x-mcp-header": "One" },
        b: { type: "string", "x-mcp-header": "ONE" },
      },
    },
    /two parameters/,
  ],
] as const)("%s", (_what, schema, problem) => {
  const found = headerProblem(schema as never);
  if (problem === undefined) expect(found).toBeUndefined();
  else expect(found).toMatch(problem);
});

test("a tool with a wrong header is left out only where parameters are mirrored", () => {
  const listed = [{ name: "t", inputSchema: at({ type: "number", "x-mcp-header": "N" }) }] as never;
  expect(readTools(listed).tools).toHaveLength(1);
  expect(readTools(listed, true)).toMatchObject({ tools: [], problems: [/"t" is left out/] });
});
