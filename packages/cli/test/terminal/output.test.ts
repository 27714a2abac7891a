/** Text output: harmless, whole characters, lines that are ended once. */
import type { SessionEvent } from "@localharness/protocol";
import { expect, test } from "vitest";
import { showSession } from "../../src/modes/show-session.ts";
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

test("a thought that comes in pieces is dimmed, and its characters are written whole", () => {
  const { written, output } = record();
  const thoughts = ["hm ", "\ud83d", "\ude00", "\u001b[2J\n"].map((text, seq) => ({
    type: "reasoning-delta" as const,
    text,
    seq,
    at: 0,
    sessionId: "s",
    turnId: "t",
  }));
  const subscribe = (listener: (event: SessionEvent) => void) => {
    for (const event of thoughts) listener(event);
    return () => undefined;
  };
  showSession({ subscribe }, output, createPaint(true));
  output.endLine();
  expect(written).toEqual(["hm ", "😀", "[2J\n"].map((text) => `\u001b[2m${text}\u001b[0m`));
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
