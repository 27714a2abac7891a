/** Flow values in YAML: words without quotes beside texts that look like structure or comments. */
import { expect, test } from "vitest";
import type { Repair } from "../../src/index.ts";
import { parseYamlArguments, yamlReader } from "../../src/yaml/read-yaml.ts";

test.each([
  ["tags: [one two, three]", { tags: ["one two", "three"] }],
  ['tags: [plain, "a, word, more"]', { tags: ["plain", "a, word, more"] }],
  ["tags: [plain, 'a, word, more']", { tags: ["plain", "a, word, more"] }],
  ['tags: ["fix # 3", "x"] # two', { tags: ["fix # 3", "x"] }],
  ['map: {note: see # 4, "k: l": "m, n: o"}', undefined],
  ['map: {note: bare word, "k": "m, n: o # p"}', { map: { note: "bare word", k: "m, n: o # p" } }],
  [
    'map: {"quote": "say \\"hi, you\\" # now", b: [1, two]}',
    { map: { quote: 'say "hi, you" # now', b: [1, "two"] } },
  ],
  ["note: it's here # a comment", { note: "it's here" }],
])("%s", (text, expected) => {
  expect(parseYamlArguments(text)).toEqual(expected);
});

test.each([
  ['note: "it is" # a comment', ["comment"]],
  ['note: ""#"', ["comment"]],
  ['note: "it # is"', []],
])("%s is reported with %j", (text, expected) => {
  const repairs: Repair[] = [];
  parseYamlArguments(text, repairs);
  expect(repairs).toEqual(expected);
});

const documents: readonly (readonly [string, unknown])[] = [
  ["path: a\ncontent: |\n  one\n\n    two\nsize: 3\n", { path: "a", content: "one\n\n  two\n", size: 3 }],
  ["\r\n# why\r\npath: a\r\nb:\r\n- 1\r\n- c: 2\r\n  d: 3\r\n", { path: "a", b: [1, { c: 2, d: 3 }] }],
  ["a: one\n  two\nb: 'x\ny: z'\nc: [1,\n2]\n", { a: "one two", b: "x y: z", c: [1, 2] }],
  ["a: >-\n  one\n  two\nb:\n\tc: null\n", { a: "one two", b: { c: null } }],
  ['{"a": [1, {"b": 2}]}', { a: [1, { b: 2 }] }],
  ["\n", {}],
  ["a: 1\n   b: 2\n", undefined],
  ["a:\n  - 1\n    - 2\n", undefined],
  ["a: 'never closed\nb: 2\n", undefined],
];

test.each(documents)("%j is the same in pieces", (text, expected) => {
  expect(parseYamlArguments(text)).toEqual(expected);
  for (let index = 0; index <= text.length; index += 1) {
    const reader = yamlReader();
    for (const piece of [text.slice(0, index), ...text.slice(index)]) reader.push(piece);
    expect(reader.end([]), `whole up to ${index}`).toEqual(expected);
  }
});
