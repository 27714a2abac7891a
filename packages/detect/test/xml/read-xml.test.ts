/** XML whose tags are the arguments, with the slips that leave no doubt. */
import { expect, test } from "vitest";
import { parametersSchema } from "../../src/schema/read-schema.ts";
import { parseXmlArguments } from "../../src/xml/read-xml.ts";

const schema = parametersSchema({
  type: "object",
  properties: { path: { type: "string" }, mode: { type: "string" } },
});

test("the line feed behind a value without an end tag is layout", () => {
  expect(parseXmlArguments("\n<path>a.txt\n<mode>fast\n", schema)).toEqual({ path: "a.txt", mode: "fast" });
});
