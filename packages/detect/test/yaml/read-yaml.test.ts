/** Flow values in YAML: words without quotes beside texts that look like structure or comments. */
import { expect, test } from "vitest";
import type { Repair } from "../../src/index.ts";
import { parseYamlArguments } from "../../src/yaml/read-yaml.ts";

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
