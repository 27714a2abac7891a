/** One model call: ids, broken streams, models that break their contract, interrupts while it streams. */
import { defaultLimits } from "@localharness/engine";
import type { AnswerCut, ModelEvent } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { makeTool } from "../make-tool.ts";
import { expectSound, openSession, runTurn } from "../open-session.ts";
import { call, callEvents, type Step, say } from "../scripted-model.ts";

const text: ModelEvent = { type: "text-delta", text: "partial " };
const end: ModelEvent = { type: "model-end", stopReason: "stop" };

function throwing(...before: readonly ModelEvent[]): Step {
  return async function* () {
    yield* before;
    throw new Error("socket hang up");
  };
}

/** Streams, then never says anything again and does not heed the signal. */
function hanging(...before: readonly ModelEvent[]): Step {
  return async function* () {
    yield* before;
    await new Promise(() => undefined);
  };
}

describe("ZodoLlama: missing ids are generated, ids are unique in a session", () => {
  test.each<readonly [string, readonly Step[], readonly unknown[]]>([
    ["an id is kept", [call(["look", {}, "call_a"])], ["call_a"]],
    ["a missing id is made", [call(["look"])], [expect.stringMatching(/^call_[0-9a-z]+$/)]],
    [
      "an id that comes twice in one answer is replaced",
      [call(["look", { path: "1" }, "x"], ["look", { path: "2" }, "x"])],
      ["x", expect.stringMatching(/^call_/)],
    ],
    [
      "an id that was used in an earlier answer is replaced",
      [call(["look", { path: "1" }, "0"]), call(["look", { path: "2" }, "0"])],
      ["0", expect.stringMatching(/^call_/)],
    ],
    [
      "start and end of a call agree, also when the id comes late",
      [
        [
          { type: "tool-call-start", index: 0, id: "", name: "look" },
          { type: "tool-call-end", index: 0, id: "late", name: "look", arguments: "" },
          end,
        ],
      ],
      [expect.stringMatching(/^call_/)],
    ],
    [
      "calls without a start get their ids",
      [
        [
          ...callEvents(["look", { path: "1" }, "a"]).slice(1),
          ...callEvents(["look", { path: "2" }, "b"]).slice(1),
          end,
        ],
      ],
      ["a", "b"],
    ],
  ])("%s", async (_title, steps, ids) => {
    const opened = openSession({ steps: [...steps, say("ok")] });
    await runTurn(opened);
    expect(opened.of("tool-result").map((event) => event.callId)).toEqual(ids);
    expect(opened.of("tool-call-end").map((event) => event.id)).toEqual(ids);
    const starts = opened.of("tool-call-start").map((event) => event.id);
    if (starts.length > 0) expect(starts).toEqual(ids);
  });
});

describe("an answer of very many calls", () => {
  const many = (count: number, from = 0) =>
    Array.from({ length: count }, (_, place) => callEvents(["look", { path: `${place}` }], from + place));
  const stop: ModelEvent = { type: "model-end", stopReason: "tool-calls" };
  const half = many(3_000);
  test.each<readonly [string, Step]>([
    ["one after the other", [...many(3_000).flat(), stop]],
    [
      "all begun before one ends",
      [...half.flatMap((c) => c.slice(0, 1)), ...half.flatMap((c) => c.slice(1)), stop],
    ],
    ["without a beginning", [...many(3_000).flatMap((events) => events.slice(1)), stop]],
  ])(
    "%s is cut, each that is taken has its result, and the model is told of the rest",
    async (_title, step) => {
      const opened = openSession({ steps: [step, say("ok")] });
      expect((await runTurn(opened)).reason).toBe("done");
      expect(opened.results()).toHaveLength(200);
      expect(opened.results().filter(({ result }) => result.success)).toHaveLength(
        defaultLimits.callsPerMinute,
      );
      expect(opened.model.requests.at(-1)?.messages.at(-1)).toMatchObject({
        from: "harness",
        content: expect.stringMatching(
          /^Not run: .*3000 tool calls; only the first 200 .* 2800 were not run/,
        ),
      });
      expectSound(opened);
    },
  );

  test("a call that is withdrawn is waited for no longer, and counts for nothing", async () => {
    const withdrawn: ModelEvent[] = [
      { type: "tool-call-start", index: 0, id: "t", name: "look" },
      { type: "tool-call-withdrawn", index: 0 },
      { type: "text-delta", text: "<tool>" },
    ];
    const opened = openSession({
      steps: [[...withdrawn, ...many(200, 1).flat(), stop], say("ok")],
      limits: { callsPerIteration: 200 },
    });
    expect((await runTurn(opened)).reason).toBe("done");
    expect(opened.results()).toHaveLength(200);
    expect(opened.of("user-message").filter((event) => event.from === "harness")).toEqual([]);
  });
});

describe("beyond the limit of an answer", () => {
  const some = (count: number, from = 0) =>
    Array.from({ length: count }, (_, place) =>
      callEvents(["look", { path: `${place}` }], from + place),
    ).flat();
  const stop: ModelEvent = { type: "model-end", stopReason: "tool-calls" };

  test("calls that the adapter has counted and not kept are told of", async () => {
    const counted: ModelEvent = {
      type: "tool-call-error",
      index: 200,
      raw: "",
      reason: "too-many",
      message: "",
      calls: 700_000,
    };
    const opened = openSession({ steps: [[...some(200), counted, stop], say("ok")] });
    expect((await runTurn(opened)).reason).toBe("done");
    expect(opened.results()).toHaveLength(200);
    expect(opened.model.requests.at(-1)?.messages.at(-1)).toMatchObject({
      content: expect.stringMatching(/700200 tool calls; only the first 200 .* 700000 were not run/),
    });
  });

  test("a higher limit of the person's holds", async () => {
    const opened = openSession({
      steps: [[...some(230), stop], say("ok")],
      limits: { callsPerIteration: 230 },
    });
    await runTurn(opened);
    expect(opened.results()).toHaveLength(230);
  });

  test("nothing is heard of a call, and one that is withdrawn is not counted", async () => {
    const [begun] = callEvents(["look", {}], 250);
    const beyond: ModelEvent[] = [
      ...some(2, 200),
      ...(begun === undefined ? [] : [begun]),
      { type: "tool-call-delta", index: 250, argumentsText: "{" },
      { type: "tool-call-withdrawn", index: 250 },
    ];
    const opened = openSession({ steps: [[...some(200), ...beyond, stop], say("ok")] });
    await runTurn(opened);
    const heard = opened.events.filter((event) => "index" in event && event.index >= 200);
    expect(heard).toMatchObject([
      { type: "tool-call-error", message: expect.stringMatching(/held 202 tool calls.* other 2 /) },
    ]);
  });

  test("an answer that breaks off tells of its end alone", async () => {
    const failure: ModelEvent = {
      type: "model-error",
      code: "server-error",
      message: "500",
      retryable: true,
    };
    const opened = openSession({ steps: [[...some(201), failure]] });
    expect(await runTurn(opened)).toMatchObject({ reason: "error" });
    expect(opened.of("tool-call-error")).toEqual([]);
  });
});

describe("a stream that breaks", () => {
  const calls = callEvents(["look", { path: "a" }]);
  const opening: ModelEvent = { type: "tool-call-start", index: 1, id: "", name: "look" };
  test.each<readonly [string, Step, object]>([
    [
      "a model-error",
      [text, ...calls, { type: "model-error", code: "server-error", message: "500", retryable: true }],
      { code: "server-error", message: "500", retryable: true },
    ],
    [
      "an exception",
      throwing(text, ...calls),
      { code: "bad-response", message: "the model's adapter failed: socket hang up", retryable: false },
    ],
    [
      "no end",
      [text, ...calls, opening],
      { code: "bad-response", message: expect.stringMatching(/ended without an end/), retryable: true },
    ],
  ])(
    "by %s ends the turn; its text is kept, none of its calls run, each is answered",
    async (_title, step, error) => {
      const opened = openSession({ steps: [step, say("ok")] });
      expect(await runTurn(opened)).toEqual({ type: "turn-end", reason: "error", denied: 0, ...error });
      expect(opened.of("tool-start")).toEqual([]);
      expect(opened.results()).toMatchObject([
        { result: { error_type: "cancelled", error_message: "not run: the model's answer broke off" } },
      ]);
      expect(opened.session.view().messages[2]).toMatchObject({ content: "partial ", partial: "error" });
      expect(await runTurn(opened, "again")).toMatchObject({ reason: "done" });
    },
  );

  test("before it began leaves no message", async () => {
    const opened = openSession({ steps: [throwing(), say("ok")] });
    expect((await runTurn(opened)).reason).toBe("error");
    expect(opened.session.view().messages.map((message) => message.role)).toEqual(["system", "user"]);
    expect((await runTurn(opened)).reason).toBe("done");
  });

  test("by a model that throws instead of streaming ends the turn", async () => {
    const opened = openSession({
      steps: [
        () => {
          throw new Error("no such model");
        },
      ],
    });
    expect(await runTurn(opened)).toMatchObject({
      reason: "error",
      message: "the model's adapter failed: no such model",
    });
  });

  test("events after the end are not read", async () => {
    let closed = false;
    const opened = openSession({
      steps: [
        async function* () {
          try {
            yield* say("ok");
            yield* callEvents(["look"]);
          } finally {
            closed = true;
          }
        },
      ],
    });
    await runTurn(opened);
    expect(opened.of("tool-call-end")).toEqual([]);
    expect(closed).toBe(true);
  });
});

describe("an answer cut at the output limit", () => {
  const cut: ModelEvent = { type: "model-end", stopReason: "length" };

  test("is kept, and the person is told", async () => {
    const opened = openSession({ steps: [[{ type: "text-delta", text: "Half of it" }, cut]] });
    expect(await runTurn(opened)).toMatchObject({ reason: "done", code: "cut-at-limit" });
    expect(opened.notices()).toEqual(["cut-at-limit"]);
  });

  test("does not mark a turn whose later answer is whole", async () => {
    const opened = openSession({ steps: [[...callEvents(["look"]), cut], say("ok")] });
    expect(await runTurn(opened)).not.toHaveProperty("code");
    expect(opened.notices()).toEqual(["cut-at-limit"]);
  });

  test.each<readonly [AnswerCut | undefined, string]>([
    [
      undefined,
      "The answer was cut: it reached the model's output limit, or its window was full. Raise num_predict to get it whole, or start a new session.",
    ],
    [{ at: "output", advice: "Do A." }, "The answer was cut at the model's output limit. Do A."],
    [
      { at: "window", advice: "Do B." },
      "The window filled while the model wrote, and the answer was cut there. Do B.",
    ],
    [
      { at: "reading", advice: "Do C." },
      "The answer became too long: it was cut there, and the request was ended. Do C.",
    ],
  ])("says where it was cut: %j", async (where, message) => {
    const end: ModelEvent = where === undefined ? cut : { ...cut, cut: where };
    const opened = openSession({ steps: [[{ type: "text-delta", text: "Half" }, end]] });
    await runTurn(opened);
    expect(opened.of("notice").map((notice) => notice.message)).toEqual([message]);
  });

  test.each<readonly [ModelEvent, RegExp]>([
    [cut, /^Not run: the call of look was cut off at the output limit before it was complete/],
    [end, /^Not run: the call of look broke off before it was complete/],
  ])("in the middle of a call never runs it, and tells the model: $stopReason", async (last, note) => {
    const half: Step = [
      ...callEvents(["look", { path: "whole" }]),
      { type: "tool-call-start", index: 1, id: "", name: "look" },
      { type: "tool-call-delta", index: 1, argumentsText: '{"path": "ha' },
      last,
    ];
    const opened = openSession({ steps: [half, say("ok")] });
    await runTurn(opened);
    expect(opened.of("tool-start").map((event) => event.arguments)).toEqual([{ path: "whole" }]);
    expect(opened.model.requests[1]?.messages.at(-1)).toMatchObject({
      from: "harness",
      content: expect.stringMatching(note),
    });
  });
});

test("arguments too deep to be written down are a call that cannot be read", async () => {
  const deep = JSON.parse(`${'{"a":'.repeat(9_000)}1${"}".repeat(9_000)}`);
  const opened = openSession({ steps: [call(["look", deep]), say("ok")] });
  await runTurn(opened);
  expect(opened.of("tool-call-error")).toMatchObject([{ reason: "too-deep", name: "look" }]);
  expect(opened.of("tool-start")).toEqual([]);
});

describe("an interrupt while the model streams", () => {
  test.each<readonly [string, Step]>([
    ["that heeds the signal", (_request, signal) => heeding(signal)],
    ["that hangs and does not heed it", hanging(text, ...callEvents(["look"]))],
    ["that streams on without an end", (_request) => endless()],
  ])("ends the turn of a model %s", async (_title, step) => {
    const opened = openSession({
      steps: [step, say("ok")],
      when: { "tool-call-end": { type: "interrupt" } },
    });
    expect(await runTurn(opened)).toEqual({ type: "turn-end", reason: "interrupted", denied: 0 });
    expect(opened.results()).toMatchObject([
      { result: { error_type: "cancelled", error_message: "not run: the person interrupted" } },
    ]);
    expect(opened.session.view().messages[2]).toMatchObject({ content: "partial ", partial: "interrupted" });
    expect((await runTurn(opened)).reason).toBe("done");
  });

  async function* heeding(signal: AbortSignal): AsyncGenerator<ModelEvent> {
    yield text;
    yield* callEvents(["look"]);
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    yield { type: "model-error", code: "aborted", message: "aborted", retryable: false };
  }

  async function* endless(): AsyncGenerator<ModelEvent> {
    yield text;
    yield* callEvents(["look"]);
    for (;;) yield { type: "reasoning-delta", text: "hm" };
  }

  test("before it starts asks no model", async () => {
    const opened = openSession({ steps: [say("never")] });
    const turn = opened.session.prompt("go");
    opened.session.send({ type: "interrupt" });
    expect((await turn).reason).toBe("interrupted");
    expectSound(opened);
    expect(opened.model.requests).toEqual([]);
  });
});

test("a request does not grow after it was made", async () => {
  const opened = openSession({ steps: [call(["look"]), say("ok")], tools: [makeTool()] });
  await runTurn(opened);
  expect(opened.model.requests.map((request) => request.messages.length)).toEqual([2, 4]);
});
