import { expect, test } from "vitest";
import { readPlain } from "../../src/shell/plain-reader.ts";

test("keeps what stands between the calls", () => {
  expect(readPlain("a && b || c | d; e\nf")).toEqual({
    ok: true,
    calls: [
      { words: ["a"], after: "&&" },
      { words: ["b"], after: "||" },
      { words: ["c"], after: "|" },
      { words: ["d"], after: ";" },
      { words: ["e"], after: ";" },
      { words: ["f"], after: "" },
    ],
  });
});

test.each(["a &&", "a |", "&& a", ";", "a;;b", "a && ; b", "a | | b", "a\n&& b"])(
  "%j is no whole command",
  (text) => {
    expect(readPlain(text)).toMatchObject({ ok: false });
  },
);
