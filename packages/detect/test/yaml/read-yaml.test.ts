/** Flow values in YAML: words without quotes beside texts that look like structure or comments. */
import { expect, test } from "vitest";
import { growth } from "../../../../test/measures.ts";
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
  ["a - b  : c", { "a - b": "c" }],
  ["-x: 1\n-#y : 2", { "-x": 1, "-#y": 2 }],
  ["url: http://a b#c", { url: "http://a b#c" }],
  ["tags: [ a b  ,c d ]", { tags: ["a b", "c d"] }],
  ["tags: ['it''s', \"a \\\" b\"] # c", { tags: ["it's", 'a " b'] }],
  ["tags: [a,\n b,\n c]", { tags: ["a", "b", "c"] }],
  ["note: 'it''s\n\n  here' # a comment", { note: "it's\nhere" }],
  ['note: "a \\\n  b"#c', { note: "a  b" }],
  ["note: 'a' b", undefined],
  ["tags: ['it''s', b]", { tags: ["it's", "b"] }],
  ["tags: ['', '''a\\', ''''] # '", { tags: ["", "'a\\", "'"] }],
  ["tags: [a,\n  # it's a comment\n  b]", { tags: ["a", "b"] }],
  ["tags: [\n  a, # one\n  b # two\n  ]", { tags: ["a", "b"] }],
  ["tags: [1, # one\n  2] # done\nb: x", { tags: [1, 2], b: "x" }],
  ['tags: [\'a\n  # b\', "c\n  \\"# d"]', { tags: ["a # b", 'c "# d'] }],
  ["tags: [a\n  b, c]", { tags: ["a b", "c"] }],
  ["tags: [a#b, c]", { tags: ["a#b", "c"] }],
  ["tags: ['it''s\n  b''', c]", { tags: ["it's b'", "c"] }],
  ["'a: b' : c\n\"d\": e", { "a: b": "c", d: "e" }],
  ["'a\": b", undefined],
  ["id: 12345678901234567890\nsize: 12", { id: "12345678901234567890", size: 12 }],
])("%s", (text, expected) => {
  expect(parseYamlArguments(text)).toEqual(expected);
});

test.each([
  ['note: "it is" # a comment', ["comment"]],
  ['note: ""#"', ["comment"]],
  ['note: "it # is"', []],
  ["note: [it, # one\n  # two\n  is]", ["comment"]],
])("%s is reported with %j", (text, expected) => {
  const repairs: Repair[] = [];
  parseYamlArguments(text, repairs);
  expect(repairs).toEqual(expected);
});

test.each<[string, (size: number) => string]>([
  ["spaces in a value", (n) => `a: x${" ".repeat(n)}y`],
  ["spaces behind a key", (n) => `a: x\nb${" ".repeat(n)}c`],
  ["spaces before a value with a line separator", (n) => `a:${" ".repeat(n)}x\u2028y`],
  ["spaces behind a dash", (n) => `a:\n-${" ".repeat(n)}x\u2028y`],
  ["spaces in a list", (n) => `a: [x${" ".repeat(n)}y]`],
  ["quotes in half a list", (n) => `a: [x, "${'\\"'.repeat(n / 2)}`],
  ["lines of a list", (n) => `a: [x,\n${"y,\n".repeat(n / 4)}]`],
  ["closing lines of half a list", (n) => `a: [x,\n${"[],\n[]\n".repeat(n / 8)}`],
  ["lines of a text in quotes", (n) => `a: "x\n${'\\"y\n'.repeat(n / 4)}"`],
  ["empty lines of a block", (n) => `a: |\n  x\n${"\n".repeat(n)}  y`],
])("reads %s in linear time", async (_title, make) => {
  const read = (text: string) => () => parseYamlArguments(text);
  expect(await growth(read(make(2_000)), read(make(16_000)), 24)).toBeLessThan(24);
});

test.each<[string, (size: number) => string]>([
  ["a list", (n) => `a: ["${"b".repeat(n)}"]`],
  ["double quotes", (n) => `a: "${"\\n".repeat(n)}"`],
  ["a key", (n) => `"${"\\a".repeat(n)}": b`],
])("reads a text of millions of characters in %s", (_title, make) => {
  const [value] = Object.entries(parseYamlArguments(make(9_000_000)) ?? {}).flat();
  expect(value).toBeDefined();
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
