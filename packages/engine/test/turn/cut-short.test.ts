/** Ends of answers that are neither normal nor the limit of length: the person is told, and the turn says so. */
import type { ModelEvent } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { openSession, runTurn } from "../open-session.ts";
import { callEvents, type Step, say } from "../scripted-model.ts";

describe("an answer whose end was not normal", () => {
  const ended = async (last: ModelEvent) => {
    const opened = openSession({ steps: [[{ type: "text-delta", text: "Half of it" }, last]] });
    const { reason, code } = await runTurn(opened);
    return { reason, code, told: opened.of("notice").map((notice) => [notice.code, notice.message]) };
  };

  test.each([
    ["content_filter", "a filter stopped it"],
    ["SAFETY", "a filter stopped it"],
    ["error", "the server failed"],
    ["abort", "the server broke it off"],
    ["insufficient_system_resource", "the server could not go on"],
    ["MALFORMED_FUNCTION_CALL", "the server could not read a call in it"],
    ["frob", undefined],
  ])("names the reason %s", async (reason, meaning) => {
    const words = `The answer may be incomplete: the server ended it with "${reason}"`;
    expect(await ended({ type: "model-end", stopReason: "other", reason })).toEqual({
      reason: "done",
      code: "cut-short",
      told: [["cut-short", `${words}${meaning === undefined ? "" : ` (${meaning})`}.`]],
    });
  });

  test("is told beside whole calls too", async () => {
    const steps: Step[] = [
      [...callEvents(["look"]), { type: "model-end", stopReason: "tool-calls", reason: "abort" }],
      say("ok"),
    ];
    const opened = openSession({ steps });
    expect(await runTurn(opened)).not.toHaveProperty("code");
    expect(opened.notices()).toEqual(["cut-short"]);
  });

  test("is told without marking the turn if the server gives no reason", async () => {
    expect(await ended({ type: "model-end", stopReason: "stop", reason: "" })).toEqual({
      reason: "done",
      code: undefined,
      told: [["end-unsaid", "The server does not say why its answers end, so an answer may be incomplete."]],
    });
  });
});
