/** Checks the tokens of the families: the model's texts are split so that each token occurs once and no text is lost. */
import { expect, test } from "vitest";
import { families } from "./families.ts";
import { cutIntoPieces, inLetters, kinds, vocabularyOf } from "./vocabulary.ts";

test.each(families)("$name writes its texts, each token once, and stops at its end mark", (family) => {
  const { tokens, types, call, answer, numberOf } = vocabularyOf(family);
  expect(new Set(tokens).size).toBe(tokens.length);
  expect(types).toHaveLength(tokens.length);
  const written = [...call.slice(0, -1), ...answer.slice(0, -1)];
  expect(new Set(written).size).toBe(written.length);
  const lettersOf = (chain: readonly number[]) => chain.map((token) => tokens[token]).join("");
  for (const [chain, { text, end }] of [
    [call, family.call],
    [answer, family.answer],
  ] as const) {
    expect(lettersOf(chain.slice(0, -1))).toBe(inLetters(text));
    expect(chain.at(-1)).toBe(numberOf(end));
  }
});

test.each(families)("$name has a token for every mark and every byte", (family) => {
  const { tokens, types } = vocabularyOf(family);
  const [marks, bytes] = [family.marks.length, 256];
  expect(tokens.slice(0, marks)).toEqual(family.marks.map(({ text }) => text));
  expect(tokens.slice(marks, marks + bytes).map((letter) => letter.length)).toEqual(Array(bytes).fill(1));
  for (const text of ["\0\t\n !~", "é", "ÿ\u00ad", "🌿☕"]) {
    expect(tokens.slice(marks, marks + bytes)).toEqual(expect.arrayContaining([...inLetters(text)]));
    expect(inLetters(text)).toHaveLength(Buffer.byteLength(text));
  }
  expect(types.slice(marks).every((type) => type === kinds.text)).toBe(true);
});

const cuts: readonly [text: string, taken: readonly string[], pieces: readonly string[]][] = [
  ["", [], []],
  ["abcdefgh", [], ["abcde", "fgh"]],
  ["abcdefgh", ["abcde"], ["abcdef", "gh"]],
  ["abcdefgh", ["fgh"], ["abcdefgh"]],
  ["abcdeabcdeabcde", [], ["abcde", "abcdea", "bcde"]],
  ["aaaaaaa", ["aa"], ["aaaaaaa"]],
];

test.each(cuts)("%j with %j taken is split into %j", (text, taken, pieces) => {
  expect(cutIntoPieces(text, new Map(taken.map((piece) => [piece, true])))).toEqual(pieces);
});

test("refuses a text whose every piece is taken", () => {
  expect(() => cutIntoPieces("abc", new Map([["abc", true]]))).toThrow('Every piece of "abc" is taken.');
});
