import { describe, expect, test } from "vitest";
import { decodeText, encodeText } from "../../src/files/decode-text.ts";

const cases: readonly [string, Buffer, string, string][] = [
  ["plain UTF-8", Buffer.from("naïve 日本\n"), "utf-8", "naïve 日本\n"],
  ["UTF-8 with a mark", Buffer.from("\ufeffone\n"), "utf-8-bom", "one\n"],
  ["UTF-16 little endian", Buffer.from("\ufeffone\r\n", "utf16le"), "utf-16le", "one\r\n"],
  ["UTF-16 big endian", Buffer.from("\ufeffone", "utf16le").swap16(), "utf-16be", "one"],
  ["latin-1", Buffer.from("caf\xe9\n", "latin1"), "latin-1", "café\n"],
  ["nothing", Buffer.alloc(0), "utf-8", ""],
  [
    "escape sequences of a terminal",
    Buffer.from("\u001b[31mred\u001b[0m"),
    "utf-8",
    "\u001b[31mred\u001b[0m",
  ],
];

describe("decodeText", () => {
  test.each(cases)("reads %s and writes the same bytes", (_, bytes, encoding, text) => {
    const before = Buffer.from(bytes);
    const decoded = decodeText(bytes);
    expect(decoded).toEqual({ text, encoding });
    expect(bytes).toEqual(before);
    expect(encodeText(text, decoded?.encoding ?? "utf-8")).toEqual(before);
  });

  test.each([
    ["a NUL", Buffer.from("ELF\0\x01")],
    ["control characters", Buffer.from([1, 2, 3, 4, 65, 66, 5, 6])],
    ["half a character in UTF-16", Buffer.from([0xff, 0xfe, 0x41, 0, 0x42])],
  ])("takes %s for binary", (_, bytes) => {
    expect(decodeText(bytes)).toBeUndefined();
  });

  test("does not encode characters that latin-1 lacks", () => {
    expect(encodeText("日", "latin-1")).toBeUndefined();
  });
});
