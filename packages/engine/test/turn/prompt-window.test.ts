/** When a prompt is shortened, and what a turn does when the server refuses its prompt as too long. */
import type { Compactor } from "@localharness/engine";
import type { ModelEvent } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { done, makeTool } from "../make-tool.ts";
import { expectSound, openSession, runTurn } from "../open-session.ts";
import { call, type Step, say } from "../scripted-model.ts";

const usage = (inputTokens: number, contextWindow: number): ModelEvent => ({
  type: "usage",
  inputTokens,
  contextWindow,
});
const look = (path: string, ...before: readonly ModelEvent[]): Step => [
  ...before,
  ...call(["look", { path }]),
];
const refused: Step = [
  { type: "model-error", code: "context-overflow", message: "The prompt is too long.", retryable: false },
];

/** Shortens the oldest result that is whole, one in each compaction. */
const oldestFirst: Compactor = {
  compact(whole, { shortened }) {
    const next = whole.find(
      (message) => message.role === "tool" && shortened[message.toolCallId] === undefined,
    );
    return next?.role === "tool" ? { shortened: [{ callId: next.toolCallId, content: "short" }] } : undefined;
  },
};

const open = (steps: readonly Step[], compactor: Compactor | undefined = oldestFirst) =>
  openSession({ steps, tools: [makeTool()], ...(compactor === undefined ? {} : { compactor }) });

const contents = (opened: ReturnType<typeof open>, request: number) =>
  (opened.model.requests[request]?.messages ?? []).flatMap((message) =>
    message.role === "tool" ? [message.content === "short" ? "short" : "whole"] : [],
  );

describe("before a request", () => {
  test.each<[string, number, readonly string[]]>([
    ["a prompt of a third of the window stays whole", 3_000, ["whole", "whole"]],
    ["a prompt above four fifths of the window is shortened", 8_100, ["short", "whole"]],
  ])("%s", async (_what, tokens, expected) => {
    const opened = open([look("a"), look("b", usage(tokens, 10_000)), say("done")]);
    expect((await runTurn(opened)).reason).toBe("done");
    expect(contents(opened, 2)).toEqual(expected);
    expectSound(opened);
  });
});

test("the characters of a token are measured, so that text of one character a token is found too long", async () => {
  const long = "字".repeat(3_000);
  const tool = makeTool({ execute: () => Promise.resolve(done(long)) });
  const steps = [2_000, 5_500].map((tokens, index) => look(`${index}`, usage(tokens, 10_000)));
  const opened = openSession({ steps: [...steps, say("done")], tools: [tool], compactor: oldestFirst });
  expect((await runTurn(opened)).reason).toBe("done");
  expect(contents(opened, 2)).toEqual(["short", "whole"]);
});

describe("what the person is told", () => {
  const codes = (opened: ReturnType<typeof open>) => opened.of("notice").map(({ code }) => code);

  test("a warning says that instructions and tools nearly fill the window", async () => {
    const systemPrompt = "Be careful. ".repeat(300);
    const opened = openSession({ steps: [say("done")], systemPrompt, contextWindow: 2_048 });
    await runTurn(opened);
    expect(opened.of("notice")).toMatchObject([
      {
        code: "tight-window",
        message: expect.stringMatching(
          /^The context window of 2048 tokens .* 1 tool take about 12\d\d\. Use fewer tools/,
        ),
      },
    ]);
  });

  test("a window with room for work needs no warning", async () => {
    const opened = openSession({ steps: [say("done")], contextWindow: 4_096 });
    await runTurn(opened);
    expect(codes(opened)).toEqual([]);
  });

  test("a warning says that the server dropped a part of the prompt, and later prompts stay below what it read", async () => {
    const tool = makeTool({ execute: () => Promise.resolve(done("x".repeat(20_000))) });
    const counts = [1_500, 4_000, 4_000, 4_000].map((tokens, index) =>
      look(`${index}`, usage(tokens, 32_768)),
    );
    const opened = openSession({ steps: [...counts, say("done")], tools: [tool], compactor: oldestFirst });
    await runTurn(opened);
    expect(opened.of("notice").find(({ code }) => code === "prompt-cut")?.message).toMatch(
      /^The server dropped a part of the prompt: it read 4000 of at least 6\d\d\d tokens/,
    );
    expect(contents(opened, 3)).toContain("short");
  });
});

test("before the first count, a prompt that is too long for the model's window is shortened", async () => {
  const opened = open([look("a"), say("done")]);
  await runTurn(opened);
  const again = openSession({
    steps: [say("hello")],
    history: opened.events,
    sessionId: opened.session.id,
    compactor: oldestFirst,
    contextWindow: 60,
  });
  await again.session.prompt("go on");
  expect([contents(opened, 1), contents(again, 0)]).toEqual([["whole"], ["short"]]);
});

describe("when the person decides", () => {
  test("/compact leaves out results between turns, and says the person's wish to the compactor", async () => {
    const wishes: (string | undefined)[] = [];
    const compactor: Compactor = {
      compact(whole, before, maxChars, keep) {
        wishes.push(keep);
        return oldestFirst.compact(whole, before, maxChars);
      },
    };
    const opened = open([look("a"), say("done"), say("again")], compactor);
    await runTurn(opened);
    opened.session.send({ type: "compact", keep: "the plan" });
    expect(wishes).toEqual(["the plan"]);
    await opened.session.prompt("go on");
    expect(contents(opened, 2)).toEqual(["short"]);
    expectSound(opened);
  });

  test("/compact says so when nothing can be left out, and during a turn", async () => {
    const opened = openSession({
      steps: [look("a"), say("done")],
      tools: [makeTool()],
      compactor: oldestFirst,
      when: { "iteration-start": { type: "compact" } },
    });
    await runTurn(opened);
    opened.session.send({ type: "compact" });
    opened.session.send({ type: "compact" });
    expect(opened.of("notice").map(({ message }) => message)).toEqual([
      expect.stringMatching(/^A turn is running/),
      expect.stringMatching(/^The prompt was made shorter/),
      "There is nothing to leave out of the prompt.",
    ]);
  });

  test("with compactsOnDemand a turn ends when the window is nearly full", async () => {
    const steps = [look("a"), look("b", usage(6_200, 10_000)), say("done")];
    const tool = makeTool({ execute: () => Promise.resolve(done("x".repeat(6_000))) });
    const opened = openSession({
      steps,
      tools: [tool],
      compactor: oldestFirst,
      compactsOnDemand: true,
    });
    expect(await runTurn(opened)).toMatchObject({
      reason: "error",
      code: "window-full",
      message: expect.stringContaining("/compact leaves out old results"),
    });
    opened.session.send({ type: "compact" });
    expect((await opened.session.prompt("go on")).reason).toBe("done");
    expect(contents(opened, 2)).toEqual(["short", "whole"]);
  });
});

describe("a window that stays full", () => {
  /** Cuts one character of the newest result. */
  const inVain: Compactor = {
    compact(whole, { shortened }) {
      const last = whole.findLast((message) => message.role === "tool");
      if (last?.role !== "tool") return undefined;
      const content = shortened[last.toolCallId] ?? last.content;
      return { shortened: [{ callId: last.toolCallId, content: content.slice(0, -1) }] };
    },
  };

  test("ends the turn with words after two compactions in a row without progress, not in a loop", async () => {
    const opened = openSession({
      steps: ["a", "b", "c", "d", "e"].map((path) => look(path, usage(9_500, 10_000))),
      tools: [makeTool()],
      systemPrompt: "Be careful. ".repeat(2_500),
      compactor: inVain,
    });
    expect(await runTurn(opened)).toMatchObject({
      reason: "error",
      code: "window-full",
      message: expect.stringMatching(
        /^The context window is full with what must stay: .* about \d+ of 10000 tokens\. Two compactions in a row made no room\. Use a larger/,
      ),
    });
    expect(opened.of("compaction")).toHaveLength(2);
    expectSound(opened);
  });

  test("goes on if a compaction makes room", async () => {
    const steps = ["a", "b", "c", "d", "e"].map((path) => look(path, usage(8_500, 10_000)));
    const tool = makeTool({ execute: () => Promise.resolve(done("x".repeat(9_000))) });
    const opened = openSession({ steps: [...steps, say("done")], tools: [tool], compactor: oldestFirst });
    expect((await runTurn(opened)).reason).toBe("done");
    expect(opened.of("compaction").length).toBeGreaterThan(2);
  });
});

test("a token count gets the window that the model tells, and no event is added for it", async () => {
  const counted: Step = [{ type: "usage", inputTokens: 100 }, ...say("done")];
  const opened = openSession({ steps: [counted], contextWindow: 8_192 });
  await runTurn(opened);
  expect(opened.of("usage")).toMatchObject([{ inputTokens: 100, contextWindow: 8_192 }]);
});

describe("after a refusal", () => {
  test("results are shortened, and the same request is sent again", async () => {
    const opened = open([look("a"), refused, say("done")]);
    expect((await runTurn(opened)).reason).toBe("done");
    expect([contents(opened, 1), contents(opened, 2)]).toEqual([["whole"], ["short"]]);
    expect(opened.of("compaction")).toHaveLength(1);
    expect(opened.of("notice")).toMatchObject([
      {
        code: "compaction",
        message: expect.stringMatching(/^The prompt was made shorter: old results and answers are/),
      },
    ]);
  });

  test("a turn ends with the error when nothing can be shortened", async () => {
    const opened = open([refused, refused]);
    expect(await runTurn(opened)).toMatchObject({ reason: "error", code: "context-overflow" });
    expect(opened.model.requests).toHaveLength(1);
  });

  test("a turn ends with the error after two compactions in a row, and says what to do", async () => {
    const looks = ["a", "b", "c", "d", "e"].map((path) => look(path));
    const opened = open([...looks, ...Array<Step>(9).fill(refused)]);
    expect(await runTurn(opened)).toMatchObject({
      reason: "error",
      code: "context-overflow",
      message: expect.stringMatching(/^The prompt is too long\. Two compactions in a row .* \/new /),
    });
    expect(opened.of("compaction")).toHaveLength(2);
  });

  test("without a compactor the turn ends with the error", async () => {
    const opened = openSession({ steps: [look("a"), refused] });
    expect(await runTurn(opened)).toMatchObject({ reason: "error", code: "context-overflow" });
  });
});

test("a resumed session sends shortened results as before, and its view keeps the whole results", async () => {
  const opened = open([look("a"), refused, say("done")]);
  await runTurn(opened);
  const again = openSession({ steps: [say("hello")], history: opened.events, sessionId: opened.session.id });
  expect((await again.session.prompt("go on")).reason).toBe("done");
  expect(contents(again, 0)).toEqual(["short"]);
  expect(again.session.view().messages).toContainEqual(
    expect.objectContaining({ role: "tool", content: expect.stringContaining('"success":true') }),
  );
});
