/** A turn from the person's message to its end: iterations, limits, steering, guards. */
import type { ModelEvent } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { makeTool } from "./make-tool.ts";
import { expectSound, openSession, runTurn } from "./open-session.ts";
import { call, callEvents, type Step, say } from "./scripted-model.ts";

const harnessNotes = (opened: ReturnType<typeof openSession>) =>
  opened.of("user-message").flatMap((event) => (event.from === "harness" ? [event.content] : []));
const look = (path: string) => call(["look", { path }]);
const unreadable: readonly ModelEvent[] = [
  { type: "tool-call-error", index: 0, raw: "<tool>{", reason: "cut", message: "The call is cut." },
  { type: "model-end", stopReason: "stop" },
];

describe("Grok terminal: the request with the results follows the call, until the model answers", () => {
  test("call, result, call, result, answer; the model sees all of it", async () => {
    const opened = openSession({ steps: [look("a"), look("b"), say("Both are fine.")] });
    expect(await runTurn(opened)).toEqual({ type: "turn-end", reason: "done", denied: 0 });
    expect(
      opened.model.requests.map((request) => request.messages.map((message) => message.role).join(" ")),
    ).toEqual(["system user", "system user assistant tool", "system user assistant tool assistant tool"]);
    expect(opened.session.view().messages.at(-1)).toEqual({ role: "assistant", content: "Both are fine." });
    expect(opened.model.requests[0]?.tools).toEqual([expect.objectContaining({ name: "look" })]);
  });

  test("the history of earlier turns stays", async () => {
    const opened = openSession({ steps: [say("one"), say("two")] });
    await runTurn(opened, "first");
    await runTurn(opened, "second");
    expect(opened.model.requests[1]?.messages).toEqual([
      { role: "system", content: "You are a test." },
      { role: "user", content: "first", from: "person" },
      { role: "assistant", content: "one" },
      { role: "user", content: "second", from: "person" },
    ]);
  });

  test("events come in the order in which things happen", async () => {
    const opened = openSession({ steps: [look("a"), say("ok")] });
    await runTurn(opened);
    expect(
      opened.events.map((event) => (event.type === "executor-state" ? event.state : event.type)),
    ).toEqual([
      ..."session-start turn-start user-message iteration-start tool-call-start tool-call-end model-end".split(
        " ",
      ),
      ..."evaluating_policy executing tool-start tool-result completed idle iteration-end".split(" "),
      ..."iteration-start text-delta model-end iteration-end turn-end".split(" "),
    ]);
    expect(opened.events.map((event) => event.turnId)).toEqual([
      "",
      ...Array(opened.events.length - 1).fill("turn-1"),
    ]);
  });
});

describe("images of results", () => {
  const image = { mediaType: "image/png", data: "iVBORw0KGgo=" } as const;
  const tool = makeTool({
    execute: async ({ path }) => ({ ok: true, data: "seen", images: [{ ...image, name: String(path) }] }),
  });
  const twice = call(["look", { path: "a" }], ["look", { path: "b" }]);

  test("follow the results of the answer in one message, which the model gets", async () => {
    const opened = openSession({ tools: [tool], steps: [twice, say("ok")] });
    await runTurn(opened);
    const sent = opened.model.requests[1]?.messages ?? [];
    expect(sent.map(({ role }) => role).slice(-3)).toEqual(["tool", "tool", "user"]);
    expect(sent.at(-1)).toEqual({
      role: "user",
      from: "harness",
      content: expect.stringMatching(/no instruction\.\n\[Image a, 1 KB\]\n\[Image b, 1 KB\]$/),
      images: [
        { ...image, name: "a" },
        { ...image, name: "b" },
      ],
    });
    expectSound(opened);
  });

  test("beyond ten are counted", async () => {
    const many = makeTool({
      execute: async () => ({ ok: true, data: "seen", images: Array.from({ length: 7 }, () => image) }),
    });
    const opened = openSession({ tools: [many], steps: [twice, say("ok")] });
    await runTurn(opened);
    const { images, content } = opened.of("user-message").at(-1) ?? {};
    expect([images?.length, content]).toEqual([10, expect.stringContaining("4 more images did not fit.")]);
  });
});

describe("ZodoLlama: multi-turn tool calling keeps a display message for people and an API message for the model", () => {
  test("the tool message carries its call's id and the result as JSON; the display message never goes to the model", async () => {
    const opened = openSession({ steps: [call(["look", { path: "a" }, "call_1"]), say("ok")] });
    await runTurn(opened);
    const [, , , display, tool] = opened.session.view().messages;
    expect(display).toEqual({
      role: "display",
      toolCallId: "call_1",
      content: expect.stringMatching(/^\[Tool: look\]\nStatus: ✅ SUCCESS/),
    });
    expect(tool).toEqual({
      role: "tool",
      toolCallId: "call_1",
      toolName: "look",
      content: expect.any(String),
    });
    expect(JSON.parse(tool?.role === "tool" ? tool.content : "")).toEqual(opened.results()[0]?.result);
    expect(JSON.stringify(opened.model.requests)).not.toContain("[Tool: look]");
  });
});

describe("steering", () => {
  test("images go along with a message, also with one that comes while a turn runs", async () => {
    const gif = { mediaType: "image/gif", data: "R0lGODlhAQAB" } as const;
    const opened = openSession({
      steps: [look("a"), say("ok")],
      when: { "tool-start": { type: "user-message", content: "and this?", images: [gif, gif] } },
    });
    await opened.session.prompt("see", [gif]);
    expectSound(opened);
    expect(opened.model.requests[1]?.messages.filter(({ role }) => role === "user")).toEqual([
      { role: "user", content: "see", from: "person", images: [gif] },
      { role: "user", content: "and this?", from: "person", images: [gif, gif] },
    ]);
  });

  test("a message that comes while tools run is taken in before the next model call", async () => {
    const opened = openSession({
      steps: [look("a"), say("ok")],
      when: { "tool-start": { type: "user-message", content: "look at b instead" } },
    });
    await runTurn(opened);
    expect(opened.model.requests[1]?.messages.slice(3)).toEqual([
      expect.objectContaining({ role: "tool" }),
      { role: "user", content: "look at b instead", from: "person" },
    ]);
    expect(opened.of("turn-start")).toHaveLength(1);
  });

  test("a message that comes while a prompt is open waits for it", async () => {
    const opened = openSession({
      steps: [look("a"), say("ok")],
      tools: [makeTool({ risk: "high" })],
      answers: ["once"],
      when: { "permission-request": { type: "user-message", content: "mind the tests" } },
    });
    await runTurn(opened);
    expect(opened.results()[0]?.result.success).toBe(true);
    expect(opened.model.requests[1]?.messages.at(-1)).toMatchObject({
      content: "mind the tests",
      from: "person",
    });
  });

  test("a message that comes while the last answer streams is answered in the same turn", async () => {
    const opened = openSession({
      steps: [say("done"), say("more")],
      when: { "text-delta": { type: "user-message", content: "and b?" } },
    });
    expect((await runTurn(opened)).reason).toBe("done");
    expect(opened.of("turn-start")).toHaveLength(1);
    expect(opened.model.requests).toHaveLength(2);
  });

  test.each(["iteration-end", "turn-end"] as const)(
    "a message that comes at %s is answered",
    async (type) => {
      const opened = openSession({
        steps: [say("done"), say("more")],
        when: { [type]: { type: "user-message", content: "and b?" } },
      });
      await opened.session.prompt("go");
      await opened.session.idle();
      expectSound(opened);
      expect(opened.model.requests).toHaveLength(2);
      expect(opened.of("turn-start")).toHaveLength(type === "turn-end" ? 2 : 1);
    },
  );

  test("a message at the last iteration begins the next turn, and the first ends as done", async () => {
    const opened = openSession({
      steps: [say("done"), say("more")],
      limits: { iterationsPerTurn: 1 },
      when: { "text-delta": { type: "user-message", content: "and b?" } },
    });
    await runTurn(opened);
    expect(opened.of("turn-end").map((event) => event.reason)).toEqual(["done", "done"]);
  });

  test("the model is told of an unreadable call although a message waits", async () => {
    const opened = openSession({
      steps: [unreadable, say("ok")],
      when: { "tool-call-error": { type: "user-message", content: "and b?" } },
    });
    await runTurn(opened);
    expect(opened.model.requests[1]?.messages.slice(2)).toMatchObject([
      { content: "<tool>{" },
      { content: expect.stringContaining("The call is cut."), from: "harness" },
      { content: "and b?", from: "person" },
    ]);
  });

  test("messages keep their order", async () => {
    const opened = openSession({ steps: [look("a"), say("ok")] });
    const turn = opened.session.prompt("1");
    for (const content of ["2", "3", "4"]) opened.session.send({ type: "user-message", content });
    await turn;
    expectSound(opened);
    expect(opened.of("user-message").map((event) => event.content)).toEqual(["1", "2", "3", "4"]);
  });
});

describe("notes of the harness", () => {
  test("come before the person's message, and at the tail of the next request within a turn", async () => {
    const waiting = ["before"];
    const tool = makeTool({
      execute: async () => {
        waiting.push("meanwhile");
        return { ok: true, data: "seen" };
      },
    });
    const opened = openSession({
      steps: [look("a"), say("ok")],
      tools: [tool],
      notes: () => waiting.splice(0),
    });
    await runTurn(opened);
    expect(harnessNotes(opened)).toEqual(["before", "meanwhile"]);
    expect(
      opened.model.requests.map(({ messages }) => messages.slice(-2).map(({ content }) => content)),
    ).toEqual([
      ["before", "go"],
      [expect.stringContaining("seen"), "meanwhile"],
    ]);
  });
});

describe("guards of the loop", () => {
  test("announce-then-stop is nudged once a turn", async () => {
    const opened = openSession({
      steps: [say("Let me read the file."), say("I will now read it."), say("never asked")],
    });
    expect((await runTurn(opened)).reason).toBe("done");
    expect(harnessNotes(opened)).toEqual([
      expect.stringMatching(/^You announced a step but made no tool call/),
    ]);
    expect(opened.model.requests).toHaveLength(2);
    await runTurn(opened, "go on");
    expect(opened.model.requests).toHaveLength(3);
  });

  test("an empty answer is nudged once a turn", async () => {
    const silence = say("");
    const opened = openSession({ steps: [silence, silence, say("never asked")] });
    expect((await runTurn(opened)).reason).toBe("done");
    expect(harnessNotes(opened)).toEqual([expect.stringMatching(/^Your last answer was empty/)]);
  });

  test("without tools an announcement is an answer", async () => {
    const opened = openSession({ steps: [say("Let me read the file.")], tools: [] });
    await runTurn(opened);
    expect(opened.model.requests).toHaveLength(1);
  });

  test("a call that cannot be read is corrected at most twice, then the person is told once", async () => {
    const opened = openSession({ steps: [unreadable, unreadable, unreadable, say("never asked")] });
    expect((await runTurn(opened)).reason).toBe("error");
    expect(harnessNotes(opened)).toEqual(["Not run: The call is cut.", "Not run: The call is cut."]);
    expect(opened.notices()).toEqual(["unreadable-call"]);
    expect(opened.session.view().messages.filter((message) => message.role === "assistant")).toEqual(
      Array(3).fill({ role: "assistant", content: "<tool>{" }),
    );
  });

  test("calls beside one that cannot be read run, and the model is told of the other", async () => {
    const both: Step = [...callEvents(["look", { path: "a" }]), ...unreadable];
    const opened = openSession({ steps: [both, say("ok")] });
    await runTurn(opened);
    expect(opened.results()).toMatchObject([{ result: { success: true } }]);
    expect(harnessNotes(opened)).toEqual(["Not run: The call is cut."]);
  });

  test("however often calls beside it ran, the model is told of each that cannot be read", async () => {
    const both = (path: string): Step => [...callEvents(["look", { path }]), ...unreadable];
    const opened = openSession({ steps: [both("a"), both("b"), both("c"), both("d"), say("ok")] });
    expect((await runTurn(opened)).reason).toBe("done");
    expect(harnessNotes(opened)).toEqual(Array(4).fill("Not run: The call is cut."));
    expect(opened.notices()).toEqual([]);
  });

  test("Ralph: after 5 iterations without progress the person is warned and the model told, once", async () => {
    const deny = makeTool({
      execute: async () => ({ ok: false, errorType: "not_found", message: "no such thing" }),
    });
    const opened = openSession({
      steps: Array.from({ length: 9 }, (_, index) => look(`${index}`)),
      tools: [deny],
      limits: { iterationsWithoutProgress: 20 },
    });
    await runTurn(opened);
    expect(opened.notices()).toEqual(["no-progress"]);
    expect(harnessNotes(opened)).toEqual([
      expect.stringMatching(/^You have made no progress in 5 iterations/),
    ]);
    expect(opened.model.requests[5]?.messages.at(-1)).toMatchObject({ from: "harness" });
  });

  test.each([
    [
      "something achieved",
      {
        execute: async () => ({ ok: true as const, data: "ok", achieved: [{ kind: "wrote" as const }] }),
        readOnly: false,
      },
    ],
    ["new information", {}],
  ])("Ralph: %s is progress", async (_title, more) => {
    const opened = openSession({
      steps: Array.from({ length: 9 }, (_, index) => look(`${index}`)),
      tools: [makeTool(more)],
    });
    await runTurn(opened);
    expect(opened.notices()).toEqual([]);
  });
});

describe("a defect of the harness", () => {
  test("in one call is that call's result", async () => {
    let broken = true;
    const clock = {
      now: () => 0,
      monotonic: () => {
        if (broken) throw new Error("no clock");
        return 0;
      },
    };
    const opened = openSession({ steps: [look("a"), say("ok"), look("b"), say("ok")], clock });
    await runTurn(opened);
    expect(opened.results()[0]?.result).toMatchObject({
      error_type: "internal_error",
      error_message: expect.stringContaining("no clock"),
    });
    broken = false;
    await runTurn(opened);
    expect(opened.results()[1]?.result.success).toBe(true);
  });

  test("ends the turn with an error, every open call is answered, and the session goes on", async () => {
    let failures = 1;
    const clock = {
      now: () => {
        if (failures-- > 0) throw new Error("no clock");
        return 0;
      },
      monotonic: () => 0,
    };
    const opened = openSession({ steps: [call(["nothing"], ["look"]), say("ok")], clock });
    expect(await runTurn(opened)).toEqual({
      type: "turn-end",
      reason: "error",
      code: "internal-error",
      message: "the harness failed: no clock",
      retryable: false,
      denied: 0,
    });
    expect(opened.results().map((one) => one.result.error_message)).toEqual(
      Array(2).fill("not run: the harness failed"),
    );
    expect((await runTurn(opened)).reason).toBe("done");
  });
});
