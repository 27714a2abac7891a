/** The tools on offer while fuzzing: every kind of schema, and names that objects inherit, such as `constructor`. */
import type { ToolSchema } from "../../src/index.ts";

const text = { type: "string" };

export const fuzzTools: readonly ToolSchema[] = [
  {
    name: "read_file",
    parameters: {
      type: "object",
      properties: { path: text, offset: { type: "integer" }, limit: { type: "integer" } },
      required: ["path"],
    },
  },
  {
    name: "write_file",
    parameters: {
      type: "object",
      properties: {
        path: text,
        content: text,
        tags: { type: "array", items: text },
        options: { type: "object", properties: { force: { type: "boolean" } } },
      },
      required: ["path", "content"],
    },
  },
  {
    name: "edit-file",
    parameters: {
      type: "object",
      properties: {
        path: text,
        edits: {
          type: "array",
          items: { type: "object", properties: { find: text, replace: text }, required: ["find", "replace"] },
        },
      },
      required: ["path", "edits"],
    },
  },
  { name: "git_status", parameters: { type: "object", properties: {} } },
  {
    name: "fs.query",
    parameters: { type: "object", properties: { query: text, where: {}, max: { type: "number" } } },
  },
  { name: "anything" },
  {
    name: "strict_note",
    parameters: {
      type: "object",
      properties: { note: text, level: { type: ["integer", "null"] }, done: { type: "boolean" } },
      required: ["note"],
      additionalProperties: false,
    },
  },
  {
    name: "constructor",
    parameters: { type: "object", properties: { value: { anyOf: [text, { type: "number" }] } } },
  },
];
