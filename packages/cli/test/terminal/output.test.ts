/** Checks that text output has no control characters, no split characters, and ends each line once. */
import type { SessionEvent } from "@localharness/protocol";
import { expect, test } from "vitest";
import { showSession } from "../../src/modes/show-session.ts";
import { createPaint, createTextOutput } from "../../src/terminal/output.ts";

function record() {
  const written: string[] = [];
  return { written, output: createTextOutput({ write: (text) => written.push(text) }) };
}

test("writes a surrogate pair that comes in two pieces as one character", () => {
  const { written, output } = record();
  for (const piece of ["a", "\ud83d", "\ude00b", "\u001b[2J"]) output.write(piece);
  expect(written).toEqual(["a", "😀b", "[2J"]);
});

test("dims a thought that comes in pieces and keeps its surrogate pairs together", () => {
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

test("ends an open line once", () => {
  const { written, output } = record();
  output.endLine();
  output.write("a");
  output.endLine();
  output.endLine();
  output.write("b\n");
  output.endLine();
  expect(written.join("")).toBe("a\nb\n");
});

test("writes colours only to a terminal that wants them", () => {
  expect([createPaint(true).red("x"), createPaint(false).red("x")]).toEqual(["\u001b[31mx\u001b[0m", "x"]);
});
