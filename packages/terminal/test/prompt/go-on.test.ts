/** Checks the question after a turn that met a limit. */
import type { SessionEvent, TurnEndReason } from "@localharness/protocol";
import { expect, test } from "vitest";
import { createGoOn } from "../../src/prompt/go-on.ts";
import { chooseTheme } from "../../src/theme/choose-theme.ts";

const theme = chooseTheme("terminal");
const envelope = { sessionId: "s", turnId: "turn-1", seq: 1 };
const begin: SessionEvent = { ...envelope, type: "turn-start" };
const end = (reason: TurnEndReason): SessionEvent => ({ ...envelope, type: "turn-end", reason, denied: 0 });

function question() {
  const sent: string[] = [];
  const clock = { now: 0 };
  const goOn = createGoOn({ submit: (message) => sent.push(message), now: () => clock.now });
  /** Draws, as the screen does after each event, and tells whether the question is shown. */
  const shown = () => goOn.draw(theme).join("").includes("Enter goes on");
  return { goOn, sent, clock, shown };
}

test.each<readonly [TurnEndReason, boolean]>([
  ["iteration-limit", true],
  ["done", false],
  ["interrupted", false],
  ["loop", false],
  ["error", false],
])("after a turn that ended with %s the question is open: %s", (reason, open) => {
  const { goOn, shown } = question();
  goOn.take(begin);
  goOn.take(end(reason));
  expect(shown()).toBe(open);
});

test("Enter goes on once, and only when the question was visible for 300 ms", () => {
  const { goOn, sent, clock, shown } = question();
  goOn.take(end("iteration-limit"));
  expect(goOn.accept()).toBe(false);
  expect(shown()).toBe(true);
  clock.now = 299;
  expect(goOn.accept()).toBe(false);
  clock.now = 300;
  expect(goOn.accept()).toBe(true);
  expect(goOn.accept()).toBe(false);
  expect(shown()).toBe(false);
  expect(sent).toEqual(["go on"]);
});

test("Esc and the next turn close it", () => {
  const { goOn, sent, shown } = question();
  goOn.take(end("iteration-limit"));
  expect(goOn.close()).toBe(true);
  expect(shown()).toBe(false);
  expect(goOn.close()).toBe(false);
  goOn.take(end("iteration-limit"));
  goOn.take(begin);
  expect(shown()).toBe(false);
  expect(sent).toEqual([]);
});
