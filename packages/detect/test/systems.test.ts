/** The features of the five systems that live in this package, one test each; titles name the system and the feature. */
import { expect, test } from "vitest";
import { detect } from "../src/index.ts";

const tools = [
  { name: "read_file", parameters: { type: "object", properties: { path: { type: "string" } } } },
  { name: "list_directory", parameters: { type: "object", properties: { path: { type: "string" } } } },
] as const;

function calls(text: string) {
  return detect(text, { tools }).flatMap((event) =>
    event.type === "tool-call-end" ? [{ name: event.name, arguments: event.arguments }] : [],
  );
}

const readPrd = [{ name: "read_file", arguments: { path: "prd.json" } }];

test("Ralph: a call as JSON in prose", () => {
  expect(calls('Let me read the file:\n{"name": "read_file", "arguments": {"path": "prd.json"}}')).toEqual(
    readPrd,
  );
});

test("Ralph: a call as Tool: and Arguments: lines", () => {
  expect(calls('Tool: read_file\nArguments: {"path": "prd.json"}')).toEqual(readPrd);
});

test("Ralph: a call as name({...})", () => {
  expect(calls('read_file({"path": "prd.json"})')).toEqual(readPrd);
});

test("Ralph: nested braces are balanced and only known tools are calls", () => {
  const nested = [{ name: "read_file", arguments: { path: "a", extra: { "}": [{ deep: "{" }] } } }];
  expect(calls('{"name": "read_file", "arguments": {"path": "a", "extra": {"}": [{"deep": "{"}]}}}')).toEqual(
    nested,
  );
  expect(calls('{"name": "launch", "arguments": {}}')).toEqual([]);
});

test("Onyx: a call in <tool> tags", () => {
  const text =
    'Let me check.\n<tool>\n{\n  "name": "list_directory",\n  "arguments": {\n    "path": "."\n  }\n}\n</tool>';
  expect(calls(text)).toEqual([{ name: "list_directory", arguments: { path: "." } }]);
});
