/** The format `path` is only for the harness: models get the schema without it. */
import { createRegistry, type ParametersSchema } from "@localharness/engine";
import { describe, expect, test } from "vitest";
import { withoutPathMarks } from "../../src/schema/path-marks.ts";
import { makeTool } from "../make-tool.ts";

const marked: ParametersSchema = {
  type: "object",
  properties: {
    path: { type: "string", format: "path", description: "where" },
    paths: { type: "array", items: { type: "string", format: "path" } },
    either: { anyOf: [{ type: "string", format: "path" }, { type: "null" }] },
    deep: { type: "object", properties: { to: { type: "string", format: "path" } } },
    day: { type: "string", format: "date" },
  },
  required: ["path"],
};
const plain: ParametersSchema = {
  type: "object",
  properties: {
    path: { type: "string", description: "where" },
    paths: { type: "array", items: { type: "string" } },
    either: { anyOf: [{ type: "string" }, { type: "null" }] },
    deep: { type: "object", properties: { to: { type: "string" } } },
    day: { type: "string", format: "date" },
  },
  required: ["path"],
};

describe("marks of paths", () => {
  test("are taken out wherever they stand, other formats stay", () => {
    expect(withoutPathMarks(marked)).toEqual(plain);
  });

  test("a schema without any is the same object", () => {
    expect(withoutPathMarks(plain)).toBe(plain);
  });

  test("are not in what models are told, and hold for the call", () => {
    const registry = createRegistry([makeTool({ parameters: marked })]);
    expect(registry.definitions()[0]?.parameters).toEqual(plain);
    expect(registry.validateInput("look", { path: 5 })).toMatchObject({ ok: false });
    expect(registry.validateInput("look", { path: "5" })).toMatchObject({ ok: true });
  });
});
