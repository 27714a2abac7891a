import { describe, expect, test } from "vitest";
import { outline } from "../../src/curator/outline.ts";

const filler = Array.from({ length: 9 }, (_, index) => `    value = ${index}`);
/** Returns the outline's lines after the first five, of a file with a declaration after ten other lines. */
const found = (line: string) => {
  const lines = ["# x", ...filler, line, ...filler];
  return outline(lines)?.ranges.some(({ first, last }) => first <= 11 && last >= 11) ?? false;
};

describe("outline", () => {
  test.each([
    ["export async function run(a: string): void {", true],
    ["  private readonly name = 1;", false],
    ["class Reader:", true],
    ["    def read(self):", true],
    ["pub(crate) fn main() {", true],
    ["func (s *Server) Run() error {", true],
    ["static int parse(char *text) {", true],
    ["  render(props) {", true],
    ["## Settings", true],
    ["if (ready) {", false],
    ["    for (const one of all) {", false],
    ["call(one, two);", false],
    ["                def deep(self):", false],
    ["", false],
  ])("%j is a declaration: %j", (line, expected) => {
    expect(found(line)).toBe(expected);
  });

  test.each<[string, readonly string[]]>([
    ["no declaration", filler],
    ["only declarations", Array.from({ length: 30 }, (_, index) => `function f${index}() {}`)],
    ["no line", []],
  ])("a file with %s has none", (_, lines) => {
    expect(outline(lines)).toBeUndefined();
  });

  test("ranges are in order, within the file, and apart", () => {
    const lines = Array.from({ length: 200 }, (_, index) => (index % 7 === 0 ? "def f():" : "  x = 1"));
    const ranges = outline(lines)?.ranges ?? [];
    expect(ranges[0]?.first).toBe(1);
    expect(ranges.at(-1)?.last).toBe(197);
    ranges.slice(1).forEach(({ first }, index) => {
      expect(first - (ranges[index]?.last ?? 0)).toBeGreaterThan(3);
    });
  });
});
