/**
 * An earlier session can be continued wherever it stopped: the transcript is valid, `seq` continues, each call has
 * one result.
 */
import { closeHistory, createRegistry, createSession, createTranscript } from "@localharness/engine";
import { applyEvent, emptyView, type SessionEvent } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { makeTool } from "../make-tool.ts";
import { openSession, runTurn } from "../open-session.ts";
import { call, say, scriptedModel } from "../scripted-model.ts";

const looks = makeTool({ name: "look", risk: "safe", readOnly: true });
const changes = makeTool({ name: "change", risk: "high", readOnly: false });

/** Two turns with every kind of event in them. */
async function wholeSession(): Promise<readonly SessionEvent[]> {
  const opened = openSession({
    sessionId: "earlier",
    tools: [looks, changes],
    steps: [
      [
        { type: "reasoning-delta", text: "Hm. " },
        ...call(["look", {}, "a"], ["change", {}, "b"], ["look", {}, "c"]),
      ],
      say("Half of it."),
      call(["change", {}, "d"]),
      say("All of it."),
    ],
    answers: ["once", "deny"],
  });
  await runTurn(opened, "do it");
  await runTurn(opened, "and the rest");
  return opened.events;
}

/** The results of each call that the view shows, by its id. */
function resultsOf(events: readonly SessionEvent[]): readonly string[] {
  return events.flatMap((event) => (event.type === "tool-result" ? [event.callId] : []));
}

function expectClosed(events: readonly SessionEvent[]): void {
  const view = events.reduce(applyEvent, emptyView);
  const transcript = createTranscript();
  for (const message of view.messages) transcript.append(message);
  expect(transcript.openCalls).toEqual([]);
  expect({ running: view.running, permission: view.permission, turn: view.turn.running }).toEqual({
    running: [],
    permission: undefined,
    turn: false,
  });
  expect(view.draft.text + view.draft.reasoning).toBe("");
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  expect(new Set(resultsOf(events)).size).toBe(resultsOf(events).length);
}

describe("an earlier session that broke off", () => {
  test("after any of its events is closed, and goes on", async () => {
    const whole = await wholeSession();
    for (let length = 1; length <= whole.length; length += 1) {
      const history = whole.slice(0, length);
      const closed = closeHistory(history);
      expect(closed.slice(0, length)).toEqual(history);
      expectClosed(closed);

      const model = scriptedModel([call(["look", {}, "a"]), say("Done.")]);
      const events: SessionEvent[] = [];
      const session = createSession({
        model,
        registry: createRegistry([looks]),
        systemPrompt: "Another prompt.",
        workspace: "/workspace",
        interactive: false,
        sessionId: "earlier",
        history,
        store: { append: (event) => void events.push(event) },
      });
      expect((await session.prompt("go on")).reason).toBe("done");
      expectClosed([...history, ...events]);
      expect([...history, ...events].reduce(applyEvent, emptyView)).toEqual(session.view());
      const [first] = model.requests[0]?.messages ?? [];
      expect(first).toEqual({ role: "system", content: "You are a test." });
      expect(events.filter(({ type }) => type === "session-start")).toEqual([]);
      expect(events.some(({ type }) => type === "session-resumed")).toBe(true);
    }
  });

  test("says of a call that had begun that it may be done, and of one that had not that it was not", async () => {
    const whole = await wholeSession();
    const begun = whole.findIndex((event) => event.type === "tool-start" && event.callId === "b");
    const results = closeHistory(whole.slice(0, begun + 1)).flatMap((event) =>
      event.type === "tool-result" ? [`${event.callId}: ${event.result.error_message}`] : [],
    );
    expect(results).toEqual([
      "a: null",
      expect.stringMatching(/^b: interrupted .* Look before you do it again/),
      expect.stringMatching(/^c: not run/),
    ]);
  });

  test("says of a call that its turn left open that it may be done", async () => {
    const whole = await wholeSession();
    const asked = whole.findIndex((event) => event.type === "tool-call-end" && event.id === "d");
    const history = [...whole.slice(0, asked + 2), ...whole.slice(-1)];
    expect(history.slice(-2).map(({ type }) => type)).toEqual(["model-end", "turn-end"]);
    const session = createSession({
      model: scriptedModel([]),
      registry: createRegistry([looks]),
      systemPrompt: "",
      workspace: "/workspace",
      interactive: false,
      history,
    });
    const last = session.view().messages.at(-1);
    expect(last).toMatchObject({ role: "tool", toolCallId: "d" });
    expect(last?.content).toMatch(/may have been done/);
  });

  test("goes on counting turns", async () => {
    const whole = await wholeSession();
    const events: SessionEvent[] = [];
    const session = createSession({
      model: scriptedModel([say("Yes.")]),
      registry: createRegistry([looks]),
      systemPrompt: "",
      workspace: "/workspace",
      interactive: false,
      history: whole,
    });
    session.subscribe((event) => events.push(event));
    await session.prompt("and?");
    expect(new Set(events.map(({ turnId }) => turnId))).toEqual(new Set(["", "turn-3"]));
  });

  test("a history that makes no valid transcript is refused", async () => {
    const whole = await wholeSession();
    const history = whole.filter(({ type }) => type !== "tool-call-end");
    const make = () =>
      createSession({
        model: scriptedModel([]),
        registry: createRegistry([looks]),
        systemPrompt: "",
        workspace: "/workspace",
        interactive: false,
        history,
      });
    expect(make).toThrow(/transcript cannot take/);
  });
});

describe("a word from outside of the session", () => {
  test("comes after its start, and is folded like any other", async () => {
    const opened = openSession({ steps: [say("Hello.")] });
    opened.session.notice("info", "news", "before");
    expect(opened.events).toEqual([]);
    await runTurn(opened);
    opened.session.notice("warning", "news", "after");
    expect(opened.events[0]?.type).toBe("session-start");
    expect(opened.of("notice").map(({ message }) => message)).toEqual(["before", "after"]);
    expect(opened.session.view().notices.map(({ message }) => message)).toEqual(["before", "after"]);
  });
});

test("the store is closed with the session, once", async () => {
  let closed = 0;
  const opened = openSession({
    steps: [say("Hello.")],
    store: {
      append: () => undefined,
      close() {
        closed += 1;
      },
    },
  });
  await runTurn(opened);
  await opened.session.close();
  expect(closed).toBe(1);
});
