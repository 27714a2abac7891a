/** Values as YAML: no reader reads a text as another value. */
import { expect, test } from "vitest";
import type { JsonValue } from "../../src/types.ts";
import { yamlMapping } from "../../src/write/yaml-text.ts";
import { parseYamlArguments } from "../../src/yaml/read-yaml.ts";

test.each<[{ [key: string]: JsonValue }, string]>([
  [{}, ""],
  [{ a: "plain words", b: "a/b-c_d.txt" }, "a: plain words\nb: a/b-c_d.txt"],
  [{ a: "yes", b: "Null", c: "007", d: "" }, 'a: "yes"\nb: "Null"\nc: "007"\nd: ""'],
  [{ a: " x", b: "x ", c: "a: b", d: "- a", e: "#" }, 'a: " x"\nb: "x "\nc: "a: b"\nd: "- a"\ne: "#"'],
  [{ a: "one\ntwo", b: "\u2028" }, 'a: "one\\ntwo"\nb: "\\u2028"'],
  [{ a: 1.5, b: true, c: null }, "a: 1.5\nb: true\nc: null"],
  [{ a: [], b: {} }, "a: []\nb: {}"],
  [{ a: ["x", 2, ["z"]] }, "a:\n  - x\n  - 2\n  -\n    - z"],
  [{ a: { b: { c: 1 } }, d: [{ e: 1 }] }, "a:\n  b:\n    c: 1\nd:\n  -\n    e: 1"],
  [{ on: 1, "a b": 2, "": 3 }, '"on": 1\n"a b": 2\n"": 3'],
])("%j", (value, text) => {
  expect(yamlMapping(value)).toBe(text);
  expect(parseYamlArguments(text)).toEqual(value);
});
