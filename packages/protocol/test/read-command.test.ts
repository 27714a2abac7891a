import { expect, test } from "vitest";
import { readCommand } from "../src/read-command.ts";

test.each([
  [{ type: "user-message", content: "hi" }],
  [{ type: "user-message", content: "see", images: [{ mediaType: "image/gif", data: "R0lGODlhAQAB" }] }],
  [{ type: "permission-answer", requestId: "r", answer: "once" }],
  [{ type: "permission-answer", requestId: "r", answer: "deny", note: "no" }],
  [{ type: "permission-answer", requestId: "r", answer: "session", wider: true }],
  [{ type: "permission-answer", requestId: "r", answer: "once", mode: "default", plan: "1. Look." }],
  [{ type: "permission-answer", requestId: "r", answer: "once", offer: "network" }],
  [{ type: "interrupt" }],
  [{ type: "set-mode", mode: "plan" }],
  [{ type: "compact" }],
  [{ type: "compact", keep: "the plan" }],
])("%j is a command, and keys that are not known are left out", (value) => {
  expect(readCommand({ ...value, more: 1 })).toEqual({ ok: true, command: value });
});

test("a message with an empty list of images is one without", () => {
  const command = { type: "user-message", content: "hi" };
  expect(readCommand({ ...command, images: [] })).toEqual({ ok: true, command });
});

test.each([
  [null, /got null/],
  ["interrupt", /got "interrupt"/],
  [{}, /one of user-message.*got nothing/],
  [{ type: "toString" }, /got "toString"/],
  [{ type: "user-message", content: "  " }, /needs "content"/],
  [{ type: "user-message", content: 5 }, /got 5/],
  [{ type: "user-message", content: "x", images: "a.png" }, /"images" must be a list/],
  [{ type: "user-message", content: "x", images: [{ data: "R0lGODlhAQAB" }] }, /image 1 .*image\/gif/],
  [{ type: "permission-answer", answer: "once" }, /needs "requestId"/],
  [{ type: "permission-answer", requestId: "r", answer: "yes" }, /one of once.*got "yes"/],
  [{ type: "permission-answer", requestId: "r", answer: "deny", note: {} }, /"note".*got an object/],
  [{ type: "permission-answer", requestId: "r", answer: "once", mode: "fast" }, /"mode".*got "fast"/],
  [{ type: "permission-answer", requestId: "r", answer: "once", plan: [] }, /"plan".*got a list/],
  [{ type: "permission-answer", requestId: "r", answer: "once", offer: 1 }, /"offer".*got 1/],
  [{ type: "permission-answer", requestId: "r", answer: "session", wider: 1 }, /"wider".*got 1/],
  [{ type: "set-mode", mode: ["plan"] }, /got a list/],
  [{ type: "compact", keep: 5 }, /"keep".*got 5/],
])("%j is none", (value, said) => {
  expect(readCommand(value)).toEqual({ ok: false, message: expect.stringMatching(said) });
});
