import type { EventBody, SessionEvent } from "@localharness/protocol";
import { expect, test } from "vitest";
import { type PhaseScreen, showPhases } from "../../src/modes/show-phases.ts";

function show(
  events: readonly EventBody[],
  textShows = true,
  how: Partial<PhaseScreen> = {},
  term = "xterm",
): string {
  let written = "";
  let listener: (event: SessionEvent) => void = () => undefined;
  const session = {
    subscribe(next: typeof listener) {
      listener = next;
      return () => undefined;
    },
  };
  const screen = { isTTY: true, columns: 60, write: (text: string) => (written += text), ...how };
  showPhases(session, screen, textShows, { TERM: term });
  for (const [at, event] of events.entries())
    listener({ sessionId: "s", turnId: "t", seq: at + 1, ...event });
  return written;
}

const remove = "\r\u001b[K";
const connecting: EventBody = { type: "model-phase", phase: "connecting", atMs: 0 };
const reading: EventBody = {
  type: "model-phase",
  phase: "reading",
  atMs: 2,
  tokens: 9_000,
  expectedMs: 60_000,
};
const thinking: EventBody = { type: "model-phase", phase: "thinking", atMs: 9 };
const writing: EventBody = { type: "model-phase", phase: "writing", atMs: 20 };
const end: EventBody = { type: "model-end", stopReason: "stop" };

test.each([
  {
    name: "each phase replaces the one before, and nothing is left before the answer",
    events: [
      connecting,
      reading,
      thinking,
      { type: "reasoning-delta", text: "Hm." },
      writing,
      { type: "text-delta", text: "Yes." },
      end,
    ],
    written: [
      `${remove}· connecting to the server`,
      `${remove}· reading the prompt: about 0 % of 9,000 tokens`,
      `${remove}· thinking`,
      remove,
    ],
  },
  {
    name: "progress that the server reports goes before the estimate",
    events: [
      reading,
      { type: "prompt-progress", totalTokens: 9_000, cachedTokens: 0, doneTokens: 3_000 },
      end,
    ],
    written: [
      `${remove}· reading the prompt: about 0 % of 9,000 tokens`,
      `${remove}· reading the prompt: 3,000 of 9,000 tokens`,
      remove,
    ],
  },
  {
    name: "whatever is printed next finds an empty line",
    events: [connecting, { type: "model-retry", attempt: 1, waitMs: 1, message: "again" }],
    written: [`${remove}· connecting to the server`, remove],
  },
] satisfies { name: string; events: EventBody[]; written: string[] }[])("$name", ({ events, written }) => {
  expect(show(events)).toBe(written.join(""));
});

test("an answer that goes elsewhere is a phase too", () => {
  expect(show([writing, { type: "text-delta", text: "Yes." }, end], false)).toBe(
    `${remove}· answering${remove}`,
  );
});

test("a line is not longer than the terminal is wide", () => {
  expect(show([reading], true, { columns: 20 })).toBe(`${remove}· reading the promp`);
});

test("nothing is shown on what is not a terminal, or on a dumb one", () => {
  expect(show([connecting, end], true, { isTTY: false })).toBe("");
  expect(show([connecting, end], true, {}, "dumb")).toBe("");
});
