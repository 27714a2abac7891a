/** Checks that encoded lines decode to the same values, however they are split into chunks. */
import { createLineDecoder, type DecodedLine, encodeLine } from "@localharness/protocol";
import { describe, expect, test } from "vitest";

function decodeChunks(chunks: readonly string[], maxLineChars?: number): DecodedLine[] {
  const decoder = createLineDecoder(maxLineChars);
  return [...chunks.flatMap((chunk) => decoder.push(chunk)), ...decoder.end()];
}

function values(lines: readonly DecodedLine[]): unknown[] {
  return lines.map((line) => (line.ok ? line.value : `not read: ${line.line}`));
}

const cases: readonly { name: string; text: string; values: unknown[]; max?: number }[] = [
  { name: "reads one value a line", text: '{"a":1}\n[2]\n"three"\n', values: [{ a: 1 }, [2], "three"] },
  { name: "reads a last line without its end", text: '1\n{"a":2}', values: [1, { a: 2 }] },
  { name: "skips empty and blank lines", text: "\n\n1\n  \n\r\n2\n", values: [1, 2] },
  { name: "takes CRLF as a line end", text: '{"a":1}\r\n{"a":2}\r\n', values: [{ a: 1 }, { a: 2 }] },
  {
    name: "does not end a line at U+2028 or U+2029",
    text: '"a\u2028b"\n"c\u2029d"\n',
    values: ["a\u2028b", "c\u2029d"],
  },
  {
    name: "does not end a line at U+0085, form feed or vertical tab",
    text: '"a\u0085b"\n',
    values: ["a\u0085b"],
  },
  { name: "keeps an escaped line end inside a value", text: '"a\\nb"\n', values: ["a\nb"] },
  {
    name: "reports a line of garbage and goes on",
    text: "1\nnonsense {\n2\n",
    values: [1, "not read: nonsense {", 2],
  },
  { name: "reports a torn last line", text: '1\n{"a":', values: [1, 'not read: {"a":'] },
  { name: "reads no value as undefined", text: "null\nfalse\n0\n", values: [null, false, 0] },
  {
    name: "reports an overlong line once, skips to its end and goes on",
    text: `1\n"${"x".repeat(50)}"\n2\n`,
    values: [1, `not read: "${"x".repeat(15)}`, 2],
    max: 16,
  },
  {
    name: "reports an overlong last line",
    text: `"${"x".repeat(50)}"`,
    values: [`not read: "${"x".repeat(15)}`],
    max: 16,
  },
  {
    name: "reads a line of exactly the limit",
    text: `"${"x".repeat(14)}"\n1\n`,
    values: ["x".repeat(14), 1],
    max: 16,
  },
  { name: "keeps astral characters", text: '"🦊🦊"\n', values: ["🦊🦊"] },
];

describe("the line decoder", () => {
  for (const { name, text, values: expected, max } of cases) {
    test(`${name}: whole, split at every index, and one character at a time`, () => {
      expect(values(decodeChunks([text], max))).toEqual(expected);
      for (let index = 0; index <= text.length; index += 1) {
        expect(values(decodeChunks([text.slice(0, index), text.slice(index)], max))).toEqual(expected);
      }
      expect(values(decodeChunks(text.split(""), max))).toEqual(expected);
    });
  }

  test("says of an overlong line what the limit is", () => {
    const [line] = decodeChunks(["x".repeat(20)], 16);
    expect(line).toEqual({ ok: false, line: "x".repeat(16), message: "a line is longer than 16 characters" });
  });

  test("starts again after its end", () => {
    const decoder = createLineDecoder();
    expect(values([...decoder.push('{"a"'), ...decoder.end()])).toEqual(['not read: {"a"']);
    expect(values(decoder.push("1\n"))).toEqual([1]);
  });
});

describe("encodeLine", () => {
  test.each([{ a: "x\ny" }, "\r\n", "\u2028\u2029", "\ud800", [null, 1.5, true], {}])(
    "writes %j as one line that reads back",
    (value) => {
      const line = encodeLine(value);
      expect(line.indexOf("\n")).toBe(line.length - 1);
      expect(values(decodeChunks([line]))).toEqual([value]);
    },
  );
});
