import { describe, expect, test } from "vitest";
import { decodeText, encodeText } from "../../src/files/decode-text.ts";

const cases: readonly [string, Buffer, string, string][] = [
  ["plain UTF-8", Buffer.from("naïve 日本\n"), "utf-8", "naïve 日本\n"],
  ["UTF-8 with a mark", Buffer.from("\ufeffone\n"), "utf-8-bom", "one\n"],
  ["UTF-16 little endian", Buffer.from("\ufeffone\r\n", "utf16le"), "utf-16le", "one\r\n"],
  ["UTF-16 big endian", Buffer.from("\ufeffone", "utf16le").swap16(), "utf-16be", "one"],
  ["latin-1", Buffer.from("caf\xe9\n", "latin1"), "latin-1", "café\n"],
  [
    "Windows-1252",
    Buffer.from("\x8cuvre \x85 10 \x80 \x96 na\xefve\n", "latin1"),
    "windows-1252",
    "Œuvre … 10 € – naïve\n",
  ],
  [
    "the bytes that Windows-1252 does not define",
    Buffer.from("a\x81\x8d\x8f\x90\x9d\x99z", "latin1"),
    "windows-1252",
    "a\x81\x8d\x8f\x90\x9d™z",
  ],
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

  test("reads and writes every byte of Windows-1252", () => {
    const bytes = Buffer.from(Array.from({ length: 224 }, (_, index) => index + 32));
    const decoded = decodeText(bytes);
    expect(decoded?.encoding).toBe("windows-1252");
    expect(new Set(decoded?.text).size).toBe(224);
    expect(encodeText(decoded?.text ?? "", "windows-1252")).toEqual(bytes);
  });

  test.each([
    ["日", undefined],
    ["Ā", undefined],
    ["\x80", undefined],
    ["😀", undefined],
    ["\ud800", undefined],
    ["„Ÿ‰”", "\x84\x9f\x89\x94"],
  ])("%j in latin-1 and Windows-1252 is %j", (text, bytes) => {
    const expected = bytes === undefined ? undefined : Buffer.from(bytes, "latin1");
    expect(encodeText(text, "latin-1")).toEqual(expected);
    expect(encodeText(text, "windows-1252")).toEqual(expected);
  });
});
