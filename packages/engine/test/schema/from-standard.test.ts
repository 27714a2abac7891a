import { expect, it } from "vitest";
import * as z from "zod";
import { parametersFromStandard } from "../../src/schema/from-standard.ts";

it("takes a zod schema without what small models need not read", () => {
  const schema = z.strictObject({
    path: z.string().describe("A path."),
    depth: z.number().int().max(5).optional(),
    tags: z.array(z.object({ name: z.string() })),
  });
  expect(parametersFromStandard(schema)).toEqual({
    type: "object",
    properties: {
      path: { type: "string", description: "A path." },
      depth: { type: "integer", maximum: 5 },
      tags: {
        type: "array",
        items: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
      },
    },
    required: ["path", "tags"],
  });
});

it("refuses a schema that describes no object", () => {
  expect(() => parametersFromStandard(z.array(z.string()))).toThrow(/must be an object schema, not "array"/);
});
