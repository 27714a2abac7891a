import { describe, expect, test } from "vitest";
import { lookKey, visibleName } from "../../src/paths/look-key.ts";

describe("lookKey", () => {
  test.each([
    ["a space that does not break", "Q3 report.txt", "Q3\u00a0report.txt"],
    ["a narrow space", "9.30 AM.png", "9.30\u202fAM.png"],
    ["an ideographic space", "a b", "a\u3000b"],
    ["decomposed letters", "über.md", "u\u0308ber.md"],
    ["decomposed Hangul", "\ud55c\uae00.txt", "\u1112\u1161\u11ab\u1100\u1173\u11af.txt"],
    ["a typographic apostrophe", "don't.txt", "don\u2019t.txt"],
    ["typographic quotes", 'the "end".md', "the \u201cend\u201d.md"],
    ["low quotes", '"so".md', "\u201eso\u201c.md"],
    ["an en dash", "2019-2020.csv", "2019\u20132020.csv"],
    ["a hyphen that does not break", "x-ray", "x\u2011ray"],
    ["a minus sign", "-1.txt", "\u22121.txt"],
    ["a zero-width space", "notes.txt", "no\u200btes.txt"],
    ["a byte order mark", "notes.txt", "\ufeffnotes.txt"],
    ["a soft hyphen", "notes.txt", "no\u00adtes.txt"],
    ["a joiner inside of a decomposed letter", "é", "e\u200d\u0301"],
    ["an ellipsis", "wait...txt", "wait\u2026txt"],
  ])("is the same with %s", (_, one, other) => {
    expect(lookKey(other)).toBe(lookKey(one));
  });

  test.each([
    ["case", "Notes", "notes"],
    ["accents", "resume", "résumé"],
    ["two spaces", "a b", "a  b"],
    ["wide letters", "a.txt", "\uff41.txt"],
    ["an underscore", "a-b", "a_b"],
  ])("differs with %s", (_, one, other) => {
    expect(lookKey(other)).not.toBe(lookKey(one));
  });
});

test.each([
  ["plain name-1 'x'.txt", "plain name-1 'x'.txt"],
  ["über", "über"],
  ["u\u0308ber", "u\\u0308ber"],
  ["a\u202fb\u200bc\u2013d\u2019e", "a\\u202fb\\u200bc\\u2013d\\u2019e"],
  ["日本\u3000語", "日本\\u3000語"],
  ["x\u{e0041}y", "x\\u{e0041}y"],
  ["l\nr\u202e", "l\\u000ar\\u202e"],
])("visibleName of %j is %j", (name, shown) => {
  expect(visibleName(name)).toBe(shown);
});
