import type { EventBody } from "@localharness/protocol";
import { expect, test } from "vitest";
import { createServerQuestions } from "../../src/session/server-questions.ts";

const secret = { name: "secret", title: "Secret", type: "integer", required: true } as const;
const asked = { server: "s", message: "?", asks: { kind: "form", fields: [secret] } } as const;
const never = new AbortController().signal;

function open(interactive = true, inTurn = true) {
  const events: EventBody[] = [];
  const told: string[] = [];
  const session = {
    notice: (_level: string, _code: string, message: string) => {
      told.push(message);
    },
  };
  const made = createServerQuestions(session, { interactive }, (body) => events.push(body));
  const turn = inTurn ? never : undefined;
  const questions = {
    ...made,
    ask: (question: typeof asked, signal: AbortSignal) => made.ask(question, signal, turn),
  };
  const idOf = (index: number) => {
    const found = events.filter((event) => event.type === "server-question")[index];
    return found?.type === "server-question" ? found.question.questionId : "";
  };
  return { questions, events, told, idOf };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("asks one question after another, and takes only the answer with its id", async () => {
  const { questions, events, idOf } = open();
  const first = questions.ask(asked, never);
  const second = questions.ask(asked, never);
  await settled();
  expect(events).toHaveLength(1);
  questions.answer({ type: "server-question-answer", questionId: "another", action: "accept" });
  questions.answer({
    type: "server-question-answer",
    questionId: idOf(0),
    action: "accept",
    values: { secret: 4711 },
  });
  expect(await first).toEqual({ action: "accept", values: { secret: 4711 }, by: "person" });
  await settled();
  questions.answer({ type: "server-question-answer", questionId: idOf(1), action: "decline" });
  expect(await second).toEqual({ action: "decline", by: "person" });
  expect(JSON.stringify(events)).not.toContain("4711");
  expect(events.map(({ type }) => type)).toEqual([
    ...["server-question", "server-question-answer"],
    ...["server-question", "server-question-answer"],
  ]);
});

test("is cancelled when its call ends", async () => {
  const { questions, events } = open();
  const ending = new AbortController();
  const answer = questions.ask(asked, ending.signal);
  await settled();
  ending.abort();
  expect(await answer).toEqual({ action: "cancel", by: "nobody" });
  expect(events.at(-1)).toMatchObject({ action: "cancel", by: "nobody" });
});

test("is cancelled by nobody if its call ends while the person answers another", async () => {
  const { questions, idOf } = open();
  const ending = new AbortController();
  const first = questions.ask(asked, never);
  const second = questions.ask(asked, ending.signal);
  await settled();
  ending.abort();
  questions.answer({ type: "server-question-answer", questionId: idOf(0), action: "decline" });
  expect(await first).toEqual({ action: "decline", by: "person" });
  expect(await second).toEqual({ action: "cancel", by: "nobody" });
});

test.each([
  ["without a person", false, true],
  ["outside of a turn", true, false],
] as const)("is declined %s", async (_when, interactive, inTurn) => {
  const { questions, events, told } = open(interactive, inTurn);
  expect(await questions.ask(asked, never)).toEqual({ action: "decline", by: "nobody" });
  expect(events).toEqual([]);
  expect(told).toHaveLength(1);
});

test("open questions are declined when nobody answers any more", async () => {
  const { questions } = open();
  const [first, second] = [questions.ask(asked, never), questions.ask(asked, never)];
  await settled();
  questions.abandon();
  const declined = { action: "decline", by: "nobody" };
  expect(await Promise.all([first, second])).toEqual([declined, declined]);
});

test("stays open after values that do not fit, and says why", async () => {
  const { questions, told, idOf } = open();
  const answer = questions.ask(asked, never);
  await settled();
  const command = { type: "server-question-answer", questionId: idOf(0), action: "accept" } as const;
  questions.answer({ ...command, values: { secret: "one" } });
  expect(told).toEqual(["the answer was not sent: expected a whole number for Secret. Answer again"]);
  questions.answer({ ...command, values: { secret: 1 } });
  expect(await answer).toEqual({ action: "accept", values: { secret: 1 }, by: "person" });
});
