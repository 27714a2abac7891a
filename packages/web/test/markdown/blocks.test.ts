/** Checks that an answer that grows is parsed as the whole answer would be. */
import { expect, test } from "vitest";
import { type Block, blocksOf } from "../../src/markdown/blocks.ts";

const answers = [
  "# Title\n\nA paragraph.\n\n- one\n- two\n\n  more\n\n```ts\nconst a = 1;\n\nconst b = 2;\n```\n\nend",
  "a\n===\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n> quote\n> more\n\n1. x\n\n2. y\n\ntext",
  "```\nnever closed\n\nmore",
];
const raws = (blocks: readonly Block[]) => blocks.map(({ raw }) => raw);

test.each(answers)("%j gives the same blocks in pieces of every size", (answer) => {
  const whole = raws(blocksOf(answer));
  for (let size = 1; size <= 12; size += 1) {
    let blocks: readonly Block[] = [];
    for (let end = size; end < answer.length + size; end += size)
      blocks = blocksOf(answer.slice(0, end), blocks);
    expect(raws(blocks)).toEqual(whole);
  }
});

test("blocks that cannot change are the same objects", () => {
  const before = blocksOf("one\n\ntwo\n\nthree\n\nfour");
  const after = blocksOf("one\n\ntwo\n\nthree\n\nfour and more", before);
  expect(after[0]).toBe(before[0]);
  expect(after.at(-1)).not.toBe(before.at(-1));
});

test("text that would take too long to parse is one plain block", () => {
  expect(blocksOf(`${"*a ".repeat(2_000)}`).map(({ kind }) => kind)).toEqual(["plain"]);
  expect(blocksOf("> ".repeat(5_000)).map(({ kind }) => kind)).toEqual(["plain"]);
});
