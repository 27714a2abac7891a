/** Text output: harmless, whole characters, lines that are ended once. */
import { expect, test } from "vitest";
import { createPaint, createTextOutput } from "../../src/terminal/output.ts";

function record() {
  const written: string[] = [];
  return { written, output: createTextOutput({ write: (text) => written.push(text) }) };
}

test("a character that comes in two halves is written whole", () => {
  const { written, output } = record();
  for (const piece of ["a", "\ud83d", "\ude00b", "\u001b[2J"]) output.write(piece);
  expect(written).toEqual(["a", "😀b", "[2J"]);
});

test("an open line is ended once", () => {
  const { written, output } = record();
  output.endLine();
  output.write("a");
  output.endLine();
  output.endLine();
  output.write("b\n");
  output.endLine();
  expect(written.join("")).toBe("a\nb\n");
});

test("colours are written only where they are wanted", () => {
  expect([createPaint(true).red("x"), createPaint(false).red("x")]).toEqual(["\u001b[31mx\u001b[0m", "x"]);
});
