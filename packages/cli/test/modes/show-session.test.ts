/** Checks what the line chat and the print mode print of a session. */
import type { Session } from "@localharness/engine";
import type { EventBody, SessionEvent } from "@localharness/protocol";
import { expect, test } from "vitest";
import { showAround } from "../../src/modes/print.ts";
import { showSession } from "../../src/modes/show-session.ts";
import { createPaint, createTextOutput } from "../../src/terminal/output.ts";

function sessionOf(bodies: readonly EventBody[]): Pick<Session, "subscribe"> {
  return {
    subscribe(listener: (event: SessionEvent) => void) {
      for (const [at, body] of bodies.entries()) {
        listener({ sessionId: "s", turnId: "t", seq: at + 1, ...body });
      }
      return () => undefined;
    },
  };
}

const iteration: EventBody = { type: "iteration-start", iteration: 1 };
const text = (said: string): EventBody => ({ type: "text-delta", text: said });
const thought = (said: string): EventBody => ({ type: "reasoning-delta", text: said });
const begin: EventBody = { type: "tool-call-start", index: 0, id: "c", name: "ls" };
const withdrawn: EventBody = { type: "tool-call-withdrawn", index: 0 };
const written: EventBody = { type: "tool-call-end", index: 0, id: "c", name: "ls", arguments: {} };
const start: EventBody = { type: "tool-start", callId: "c", toolName: "ls", arguments: {} };
const unreadable: EventBody = { type: "tool-call-error", index: 0, raw: "{", reason: "r", message: "m" };
const restart: EventBody = { type: "answer-restart" };
const end: EventBody = { type: "model-end", stopReason: "stop" };
const over: EventBody = { type: "turn-end", reason: "done", denied: 0 };

interface Case {
  readonly what: string;
  readonly events: readonly EventBody[];
  /** What the line chat prints. */
  readonly chat: string;
  /** What the print mode prints beside the final answer. */
  readonly around: string;
}

test.each<Case>([
  {
    what: "a thought and an answer",
    events: [iteration, thought("h"), thought("m"), text("Yes"), text("."), end, over],
    chat: "hm\nYes.\n",
    around: "",
  },
  {
    what: "an answer with a call, and one without",
    events: [
      iteration,
      text("I look."),
      begin,
      written,
      text("Then."),
      end,
      start,
      iteration,
      text("Yes."),
      end,
      over,
    ],
    chat: "I look.\nThen.\n→ ls\nYes.\n",
    around: "I look.\nThen.\n→ ls\n",
  },
  {
    what: "a call that was none",
    events: [iteration, text("a "), begin, withdrawn, text("b"), end, over],
    chat: "a b\n",
    around: "",
  },
  {
    what: "a call that cannot be read",
    events: [iteration, text("a "), unreadable, end, over],
    chat: "a \n! unreadable tool call (r): m\n",
    around: "a\n! unreadable tool call (r): m\n",
  },
  {
    what: "an answer that was the thought",
    events: [iteration, text("hm"), restart, thought("hm"), text("Yes."), end, over],
    chat: "hm\n· the text above was the model's thought\nYes.\n",
    around: "",
  },
  {
    what: "an answer that a note of the harness follows",
    events: [iteration, text("Soon."), end, { type: "user-message", content: "Go on.", from: "harness" }],
    chat: "Soon.\n",
    around: "Soon.\n",
  },
  {
    what: "an interrupt",
    events: [iteration, text("So"), { type: "turn-end", reason: "interrupted", denied: 0 }],
    chat: "So\ninterrupted\n",
    around: "",
  },
  {
    what: "a plan that nobody could approve",
    events: [iteration, { type: "turn-end", reason: "done", denied: 1, plan: "# Plan\n" }],
    chat: "# Plan\n",
    around: "",
  },
])("$what", ({ events, chat, around }) => {
  const printed = { chat: "", around: "" };
  const into = (where: keyof typeof printed) =>
    createTextOutput({
      write(piece) {
        printed[where] += piece;
      },
    });
  showSession(sessionOf(events), into("chat"), createPaint(false));
  showAround(sessionOf(events), into("around"));
  expect(printed).toEqual({ chat, around });
});
