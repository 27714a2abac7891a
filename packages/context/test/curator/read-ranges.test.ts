/** Which line ranges are read from a curator's answer about a file of 100 lines. */
import { expect, test } from "vitest";
import { readRanges } from "../../src/curator/read-ranges.ts";

const range = (first: number, last: number) => ({ first, last });

test.each<[string, string, ReturnType<typeof readRanges>]>([
  ["plain JSON", '{"ranges":[{"start":1,"end":20}]}', [range(1, 20)]],
  ["JSON in prose and a fence", 'Here:\n```json\n{"ranges":[{"start":5,"end":9}]}\n```', [range(5, 9)]],
  [
    "ranges out of order that touch",
    '{"ranges":[{"start":11,"end":20},{"start":1,"end":10}]}',
    [range(1, 20)],
  ],
  ["ranges that overlap", '{"ranges":[{"start":1,"end":30},{"start":10,"end":20}]}', [range(1, 30)]],
  ["one range outside of the file", '{"ranges":[{"start":90,"end":120},{"start":3,"end":4}]}', [range(3, 4)]],
  ["only ranges outside of the file", '{"ranges":[{"start":0,"end":4},{"start":101,"end":102}]}', undefined],
  ["a range backwards", '{"ranges":[{"start":9,"end":5}]}', undefined],
  ["numbers as text", '{"ranges":[{"start":"1","end":"5"}]}', undefined],
  ["no range", '{"ranges":[]}', undefined],
  ["prose", "Lines 1 to 20 are important.", undefined],
  ["nothing", "", undefined],
  ["JSON that is cut", '{"ranges":[{"start":1,"end":', undefined],
  ["another shape", '{"lines":[1,2,3]}', undefined],
])("%s", (_what, answer, expected) => {
  expect(readRanges(answer, 100)).toEqual(expected);
});
