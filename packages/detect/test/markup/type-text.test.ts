/** Types for the text of arguments. */
import { expect, test } from "vitest";
import { growth } from "../../../../test/measures.ts";
import { typeText } from "../../src/markup/type-text.ts";
import type { JsonValue } from "../../src/types.ts";

const texts = { type: "array", items: { type: "string" } };

test.each<[string, string, object | undefined, JsonValue]>([
  ["a text stays as it is", " 5 ", { type: "string" }, " 5 "],
  ["a number is read", " 5 ", { type: "integer" }, 5],
  ["null is a text where only texts are wanted", "null", { type: "string" }, "null"],
  ["null is none where it may be", "null", { type: ["string", "null"] }, null],
  ["without a schema it is a text", " 5 ", undefined, " 5 "],
  ["a list is read", "[1, 2]", { type: "array" }, [1, 2]],
  ["so is one with the escapes of a text", ' [ \\"a\\", \\"b\\" ]', texts, ["a", "b"]],
  ["and an object in it", '[ { \\"a\\": 1}]', { type: "array" }, [{ a: 1 }]],
  [
    "a number with more digits than one keeps is none",
    "12345678901234567890",
    { type: "number" },
    "12345678901234567890",
  ],
  ["what is no list loses the white space around it", " two ", { type: "array" }, "two"],
  ["texts on lines are a list", "\n  a.txt\n\n  b.txt\n", texts, ["a.txt", "b.txt"]],
  ["so are texts on marked lines", "- a\n- -b", texts, ["a", "-b"]],
  ["a mark on some lines belongs to the text", "- a\nb", texts, ["- a", "b"]],
  ["numbers on lines are a list", "1\n2", { type: "array", items: { type: "integer" } }, [1, 2]],
  ["lines without a type are a text", "a\nb", { type: "array" }, "a\nb"],
])("%s", (_title, text, node, expected) => {
  const schema = node && { node: node as { [key: string]: unknown }, root: {} };
  expect(typeText(text, schema, "text")).toEqual(expected);
});

test.each<[string, (size: number) => string]>([
  ["spaces in a list", (n) => `[${" ".repeat(n)}x`],
  ["spaces in an object", (n) => `{${" ".repeat(n)}x`],
  ["digits", (n) => `${"1".repeat(n)}x`],
])("reads %s in linear time", async (_title, make) => {
  const schema = { node: { type: ["array", "object", "number"] }, root: {} };
  const read = (text: string) => () => typeText(text, schema, "text");
  expect(await growth(read(make(2_500)), read(make(20_000)), 24)).toBeLessThan(24);
});
