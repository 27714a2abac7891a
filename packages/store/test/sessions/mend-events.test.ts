/** Repairs sessions with lost events: the transcript is valid, no executed call is denied, and no result is dropped. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EventBody, SessionEvent, ToolResult } from "@localharness/protocol";
import { beforeAll, describe, expect, test } from "vitest";
import { makeTool } from "../../../engine/test/make-tool.ts";
import { openSession, runTurn } from "../../../engine/test/open-session.ts";
import { call, callEvents, say } from "../../../engine/test/scripted-model.ts";
import { mendEvents } from "../../src/sessions/mend-events.ts";
import { fold, numbered, openSessions, soundMessages, start, turn } from "./place.ts";

const mend = (events: readonly SessionEvent[]) =>
  mendEvents(events, { workspace: "/w", systemPrompt: "Begin." });

/** Returns assistant messages as their text and calls, tool results as their call and text. */
function saidIn(events: readonly SessionEvent[]): readonly string[] {
  return fold(events).messages.flatMap((message) => {
    if (message.role === "assistant") {
      return [[message.content, ...(message.toolCalls ?? []).map(({ id }) => `<${id}>`)].join("")];
    }
    if (message.role !== "tool") return [];
    const { success, data, error_message } = JSON.parse(message.content) as ToolResult;
    return [`${message.toolCallId}: ${success ? data : error_message}`];
  });
}

const whole = ["look 1<call-1>", "call-1: found 1", "answer 1"].map((text) =>
  text.startsWith("look") ? `I ${text}` : text,
);
const begun =
  "the result of this call is lost from the session's file: it began, and may have been done in part or in full. Look before you do it again";
const perhaps =
  "the result of this call is lost from the session's file: it may have run. Look before you do it again";

describe("a turn without", () => {
  test.each<{ without: readonly EventBody["type"][]; but?: number; said: readonly string[] }>([
    { without: ["tool-result"], said: [whole[0] ?? "", `call-1: ${begun}`, "answer 1"] },
    { without: ["tool-result", "tool-start"], said: [whole[0] ?? "", `call-1: ${perhaps}`, "answer 1"] },
    { without: ["model-end"], said: whole },
    { without: ["model-end", "iteration-end", "turn-end"], said: whole },
    {
      without: ["model-end", "tool-start", "tool-result"],
      said: [whole[0] ?? "", `call-1: ${perhaps}`, "answer 1"],
    },
    { without: ["tool-call-end"], said: whole },
    { without: ["tool-call-start", "tool-call-end", "tool-start"], said: whole },
    { without: ["tool-call-end", "model-end"], said: whole },
    { without: ["tool-call-end", "tool-result"], said: [whole[0] ?? "", `call-1: ${begun}`, "answer 1"] },
    {
      without: ["text-delta", "reasoning-delta", "model-end", "tool-call-end"],
      said: ["<call-1>", "call-1: found 1"],
    },
    {
      without: ["text-delta", "reasoning-delta", "tool-call-end", "model-end", "tool-start", "tool-result"],
      said: [],
    },
  ])("$without says what is left of it", ({ without, said }) => {
    const events = numbered("s1", [start, ...turn(1, "one")]).filter(({ type }) => !without.includes(type));
    const mended = mend(events);
    expect(soundMessages(mended)).toEqual(["one"]);
    expect(saidIn(mended)).toEqual(said);
    expect(fold(mended).turn.running).toBe(false);
  });

  test("its arguments has them from the call's start, or says that they are lost", () => {
    const bodies = turn(1, "one").map((body) =>
      body.type === "tool-start" ? { ...body, arguments: { path: "src" } } : body,
    );
    const events = numbered("s1", [start, ...bodies]).filter(({ type }) => type !== "tool-call-end");
    const callsOf = (all: readonly SessionEvent[]) =>
      fold(all).messages.flatMap((one) => (one.role === "assistant" ? (one.toolCalls ?? []) : []));
    expect(callsOf(mend(events))).toEqual([{ id: "call-1", name: "ls", arguments: { path: "src" } }]);
    const less = mend(events.filter(({ type }) => type !== "tool-start"));
    expect(callsOf(less)).toEqual([{ id: "call-1", name: "ls", arguments: {} }]);
    expect(
      fold(less)
        .messages.filter(({ role }) => role === "tool")
        .map(({ content }) => content),
    ).toEqual([expect.stringContaining('"notes":["the arguments of this call are lost')]);
  });
});

test.each(["call-1", ""])("a call that comes again under the id %j is none", (id) => {
  const bodies = turn(1, "one").flatMap((body): EventBody[] =>
    body.type === "tool-call-end" ? [body, { ...body, id }] : [body],
  );
  const mended = mend(numbered("s1", [start, ...bodies]).filter(({ type }) => type !== "model-end"));
  expect(soundMessages(mended)).toEqual(["one"]);
  expect(saidIn(mended)).toEqual(whole);
});

describe("any records of a session that are lost", () => {
  let events: readonly SessionEvent[] = [];

  /** Calls in parallel, alone, allowed, denied, unknown and interrupted, and turns that end in each way. */
  beforeAll(async () => {
    const opened = openSession({
      tools: [makeTool(), makeTool({ name: "change", risk: "high", readOnly: false })],
      steps: [
        [
          { type: "text-delta", text: "First. " },
          ...call(["look", {}, "a"], ["look", { n: 1 }, "b"], ["change", {}, "c"]),
        ],
        call(["change", {}, "d"], ["none", {}, "e"], ["look", { n: 2 }, "f"]),
        say("All of it."),
        [
          ...callEvents(["look", { n: 3 }, "g"]),
          { type: "model-error", code: "server-error", message: "gone", retryable: true },
        ],
        [{ type: "reasoning-delta", text: "Hm." }, ...call(["look", { n: 4 }, "h"])],
        say("Now it is."),
      ],
      answers: ["once", "deny"],
    });
    for (const message of ["one", "two", "three"]) await runTurn(opened, message);
    const state = mkdtempSync(join(tmpdir(), "lh-sessions-"));
    const { sessions } = openSessions(state);
    const writer = sessions.startSession("s1");
    for (const event of opened.events) writer.append(event);
    events = await sessions.readEvents("s1");
    writer.close();
    return () => rmSync(state, { recursive: true, force: true });
  });

  test("in a row leave a conversation that can be gone on with, and that never says of what ran that it did not", () => {
    for (let from = 0; from < events.length; from += 1)
      for (let to = from; to <= Math.min(from + 30, events.length); to += 1)
        expectSound([...events.slice(0, from), ...events.slice(to)], `without ${from} to ${to}`);
  });

  test("here and there leave one as well", () => {
    let random = 7;
    for (let round = 0; round < 300; round += 1) {
      const left = events.filter(() => {
        random = (random * 48_271) % 2_147_483_647;
        return random % 4 !== 0;
      });
      expectSound(left, `round ${round}`);
    }
  });

  function expectSound(left: readonly SessionEvent[], what: string): void {
    const mended = mend(left);
    soundMessages(mended);
    const said = new Map(
      mended.flatMap((event) =>
        event.type === "tool-result" ? [[event.callId, event.result] as const] : [],
      ),
    );
    for (const event of left) {
      if (event.type === "tool-start") {
        const { error_message = null } = said.get(event.callId) ?? {};
        expect(said.has(event.callId), `${what}: ${event.callId}`).toBe(true);
        expect(error_message ?? "", what).not.toMatch(/not run|before it began/);
      }
      if (event.type === "tool-result") {
        expect(said.get(event.callId), what).toMatchObject({ data: event.result.data });
      }
    }
    expect(fold(mended).turn.running, what).toBe(false);
    expect(fold(mended).running, what).toEqual([]);
  }
});
