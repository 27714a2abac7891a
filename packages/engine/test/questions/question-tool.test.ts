/** Questions of the model to the person: what the person sees, and what the model gets in each way that one can end. */
import { createRegistry, type Tool } from "@localharness/engine";
import type { Command, JsonObject } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { makeTool } from "../make-tool.ts";
import { type Opened, type Opening, openSession, runTurn } from "../open-session.ts";
import { call, say } from "../scripted-model.ts";

type Answer = Omit<Extract<Command, { type: "server-question-answer" }>, "type" | "questionId">;

function asking(args: JsonObject, given: readonly Answer[] = [], more: Partial<Opening> = {}): Opened {
  const opened = openSession({
    steps: [call(["ask_person", args]), say("done")],
    questions: true,
    ...more,
  });
  const left = [...given];
  opened.session.subscribe((event) => {
    const answer = event.type === "server-question" ? left.shift() : undefined;
    if (event.type !== "server-question" || answer === undefined) return;
    opened.session.send({ type: "server-question-answer", questionId: event.question.questionId, ...answer });
  });
  return opened;
}

const outcome = ({ results }: Opened) =>
  results().map(({ result }) => [result.error_type, result.success ? result.data : result.error_message])[0];

const question = { question: "Which door?", answers: ["red", "blue"] };

test("the person sees the question and its answers; the model gets the answer", async () => {
  const opened = asking({ ...question, default: "red" }, [
    { action: "accept", values: { answer: "the green one" } },
  ]);
  await runTurn(opened);
  expect(outcome(opened)).toEqual(["none", "the green one"]);
  expect(opened.of("permission-request")).toEqual([]);
  expect(opened.of("server-question")[0]?.question).toEqual({
    questionId: expect.any(String),
    message: "Which door?",
    asks: {
      kind: "form",
      fields: [
        {
          ...{ name: "answer", title: "Your answer", type: "text", required: true },
          ...{ suggestions: ["red", "blue"], preset: "red" },
        },
      ],
    },
  });
});

describe("without an answer of the person", () => {
  test.each<[string, JsonObject, readonly Answer[], Partial<Opening>, readonly [string, RegExp]]>([
    ["declined", question, [{ action: "decline" }], {}, ["cancelled", /does not answer/]],
    [
      "declined with a default",
      { ...question, default: "red" },
      [{ action: "cancel" }],
      {},
      ["cancelled", /does not/],
    ],
    ["alone", question, [], { interactive: false }, ["not_found", /nobody can be asked here/]],
    ["alone with a default", { ...question, default: "red" }, [], { interactive: false }, ["none", /^red$/]],
    ["only calls are asked about", question, [], { answersServers: false }, ["not_found", /nobody/]],
    [
      "interrupted",
      { ...question, default: "red" },
      [],
      { when: { "server-question": { type: "interrupt" } } },
      ["cancelled", /interrupt/],
    ],
  ])("%s", async (_title, args, given, more, [type, text]) => {
    const opened = asking(args, given, more);
    await runTurn(opened);
    expect(outcome(opened)).toEqual([type, expect.stringMatching(text)]);
    const isDeclined = given[0]?.action === "decline" || given[0]?.action === "cancel";
    expect(opened.results()[0]?.why).toBe(isDeclined ? "you did not answer" : undefined);
    expect(opened.notices()).toEqual([]);
  });
});

test.each([
  [{ question: " " }, /is empty/],
  [{ question: "?".repeat(2_001) }, /has 2001 characters, at most 2000/],
  [{ question: "?", answers: ["a", "b", "c", "d", "e"] }, /there are 5 answers, at most 4/],
  [{ question: "?", answers: ["a".repeat(201)] }, /has 201 characters, at most 200/],
  [{ question: "?", answers: ["a", " "] }, /an answer is empty/],
])("%j is not asked", async (args, message) => {
  const opened = asking(args);
  await runTurn(opened);
  expect(outcome(opened)).toEqual(["validation_failed", expect.stringMatching(message)]);
  expect(opened.of("server-question")).toEqual([]);
});

test("the model gets the tool only where somebody can answer", () => {
  const names = (more: Partial<Opening>) =>
    asking(question, [], more)
      .session.tools()
      .map(({ name }) => name);
  expect(names({})).toContain("ask_person");
  expect(names({ interactive: false })).not.toContain("ask_person");
  expect(names({ questions: false })).not.toContain("ask_person");
});

test("an agent asks under its name", async () => {
  const delegating: Tool = {
    ...makeTool({ name: "delegating" }),
    execute: async (_args, context) => {
      const end = await context.delegate?.({ agent: "scout", task: "look", systemPrompt: "Ask." });
      return { ok: true, data: end?.answer ?? "" };
    },
  };
  const opened = openSession({
    steps: [call(["delegating", {}]), call(["ask_person", question]), say("It is blue."), say("done")],
    registry: createRegistry([delegating]),
    questions: true,
    when: {},
  });
  opened.session.subscribe((event) => {
    if (event.type !== "server-question") return;
    const { questionId } = event.question;
    opened.session.send({
      type: "server-question-answer",
      questionId,
      action: "accept",
      values: { answer: "blue" },
    });
  });
  await opened.session.prompt("go");
  expect(opened.of("server-question")[0]?.question).toMatchObject({ agent: "scout", message: "Which door?" });
  expect(opened.results().at(-1)?.result.data).toBe("It is blue.");
});
