import { expect, test } from "vitest";
import { compactTool } from "../../src/schema/compact-tool.ts";

test("a compact tool has its first sentence, and its parameters without explanations", () => {
  const parameters = {
    type: "object",
    properties: {
      title: { type: "string", description: "The title of the issue" },
      labels: { type: "array", items: { type: "string", enum: ["bug", "idea"], title: "Label" } },
      state: { anyOf: [{ type: "string", description: "name" }, { type: "null" }], default: null },
    },
    required: ["title"],
    description: "The arguments",
    additionalProperties: false,
  } as const;
  const tool = {
    name: "make_issue",
    description: "[tracker] Creates an issue, e.g. a bug.\n\nUse it when the person asks. Never twice.",
    parameters,
  };
  expect(compactTool(tool)).toEqual({
    name: "make_issue",
    description: "[tracker] Creates an issue, e.g. a bug.",
    parameters: {
      type: "object",
      properties: {
        title: { type: "string" },
        labels: { type: "array", items: { type: "string", enum: ["bug", "idea"] } },
        state: { anyOf: [{ type: "string" }, { type: "null" }] },
      },
      required: ["title"],
      additionalProperties: false,
    },
  });
});

test.each([
  ["no sentence end", "no sentence end"],
  ["x".repeat(500), `${"x".repeat(157)}...`],
  ["", ""],
])("the description %s", (description, expected) => {
  const parameters = { type: "object", properties: {} } as const;
  expect(compactTool({ description, parameters }).description).toBe(expected);
});
