/** The limits of a turn: calls in a batch, iterations without progress, iterations of a message. */
import type { Limits } from "@localharness/engine";
import { describe, expect, test } from "vitest";
import { done, makeTool } from "../make-tool.ts";
import { openSession, runTurn } from "../open-session.ts";
import { call, say } from "../scripted-model.ts";

const harnessNotes = (opened: ReturnType<typeof openSession>) =>
  opened.of("user-message").flatMap((event) => (event.from === "harness" ? [event.content] : []));
const look = (path: string) => call(["look", { path }]);

describe("ZodoLlama: 15 tool calls a batch, 10 iterations without progress, 100 iterations a message", () => {
  const batches = (opened: ReturnType<typeof openSession>) =>
    opened.of("executor-state").filter(({ state }) => state === "completed").length;

  test("calls beyond 15 run in the next batch of the same iteration", async () => {
    const asked = Array.from({ length: 40 }, (_, index) => ["look", { path: `${index}` }] as const);
    const opened = openSession({ steps: [call(...asked), say("ok")] });
    expect((await runTurn(opened)).reason).toBe("done");
    expect(opened.results().map((one) => one.result.data)).toEqual(
      asked.map(([, args]) => `looked at ${JSON.stringify(args)}`),
    );
    expect(batches(opened)).toBe(3);
    expect(opened.model.requests).toHaveLength(2);
    expect(opened.notices()).toEqual([]);
  });

  test("40 calls with denials and an interrupt in the middle have one result each, in order", async () => {
    const ran: string[] = [];
    const write = makeTool({
      name: "write",
      readOnly: false,
      risk: "medium",
      execute: async (args) => {
        ran.push(String(args["path"]));
        if (ran.length === 12) opened.session.send({ type: "interrupt" });
        return done(String(args["path"]));
      },
    });
    const asked = Array.from({ length: 40 }, (_, index) => ["write", { path: `${index}` }] as const);
    const opened = openSession({ steps: [call(...asked), say("never asked")], tools: [write] });
    let questions = 0;
    opened.session.subscribe((event) => {
      if (event.type !== "permission-request") return;
      const answer = questions % 2 === 0 ? "once" : "deny";
      questions += 1;
      opened.session.send({ type: "permission-answer", requestId: event.request.requestId, answer });
    });
    expect((await runTurn(opened)).reason).toBe("interrupted");
    const even = Array.from({ length: 12 }, (_, index) => `${2 * index}`);
    expect(ran).toEqual(even);
    const ends = opened.results().map(({ result }) => result.data ?? result.error_type);
    const first = Array.from({ length: 22 }, (_, index) =>
      index % 2 === 0 ? `${index}` : "permission_denied",
    );
    expect(ends).toEqual([...first, "22", ...Array(17).fill("cancelled")]);
    expect(opened.of("turn-end")[0]?.denied).toBe(11);
    expect(opened.model.requests).toHaveLength(1);
  });

  test("a batch that the guard against duplicates ends is the last of its answer", async () => {
    const again = Array.from({ length: 5 }, () => ["look", { path: "a" }] as const);
    const opened = openSession({
      steps: [call(...again, ["look", { path: "b" }]), say("ok")],
      tools: [makeTool({ fingerprint: async () => "same" })],
      limits: { callsPerIteration: 1 },
    });
    await runTurn(opened);
    expect(opened.results().map(({ result }) => result.error_type)).toMatchObject([
      "none",
      "none",
      "validation_failed",
      "validation_failed",
      "cancelled",
      "cancelled",
    ]);
  });

  test("iterations that make progress go on to the limit; the model is told before and after, the person is told", async () => {
    // Two calls in turns, whose results are always new: progress that leads nowhere.
    const clock = makeTool({ execute: async () => done(`${ticks++}`) });
    let ticks = 0;
    const opened = openSession({
      steps: Array.from({ length: 120 }, (_, index) => look(index % 2 === 0 ? "a" : "b")),
      tools: [clock],
      limits: { callsPerMinute: 1000 },
    });
    expect(await runTurn(opened)).toMatchObject({ reason: "iteration-limit", code: "iteration-limit" });
    expect(opened.model.requests).toHaveLength(100);
    expect(opened.results()).toHaveLength(100);
    expect(harnessNotes(opened)).toEqual([
      expect.stringMatching(/^This is the last of 100 iterations/),
      expect.stringMatching(/^The limit of 100 iterations for one message is reached/),
    ]);
    expect(opened.notices()).toEqual(["iteration-limit"]);
  });

  test("10 iterations in a row without progress end the turn; the model and the person are told", async () => {
    const opened = openSession({
      steps: Array.from({ length: 20 }, (_, index) => look(`${index}`)),
      tools: [makeTool({ execute: async () => done("the same") })],
    });
    expect(await runTurn(opened)).toMatchObject({ reason: "iteration-limit", code: "no-progress" });
    // The first brought something new.
    expect(opened.model.requests).toHaveLength(11);
    expect(harnessNotes(opened)).toEqual([
      expect.stringMatching(/^You have made no progress in 5 iterations/),
      expect.stringMatching(/^9 iterations in a row brought no progress, and one more ends your work/),
      expect.stringMatching(/^Your work ended after 10 iterations without progress/),
    ]);
    expect(opened.notices()).toEqual(["no-progress", "no-progress-limit"]);
  });

  test("iterations without progress count from the person's last message", async () => {
    const opened = openSession({
      steps: [look("a"), look("b"), look("c"), look("d"), say("ok")],
      tools: [makeTool({ execute: async () => done("the same") })],
      limits: { iterationsWithoutProgress: 2 },
      when: { "tool-result": { type: "user-message", content: "and b" } },
    });
    expect(await runTurn(opened)).toMatchObject({ code: "no-progress" });
    expect(opened.model.requests).toHaveLength(3);
  });

  test("the next message has its own iterations", async () => {
    const opened = openSession({
      steps: [look("a"), look("b"), look("c"), say("ok")],
      limits: { iterationsPerTurn: 2 },
    });
    expect((await runTurn(opened)).reason).toBe("iteration-limit");
    expect((await runTurn(opened, "go on")).reason).toBe("done");
  });

  test.each<readonly [Partial<Limits>, number, string]>([
    [{ callsPerIteration: 2, iterationsPerTurn: 1 }, 3, "iteration-limit"],
    [{ callsPerIteration: 0, iterationsPerTurn: 5 }, 3, "done"],
    [{ callsPerIteration: 3, iterationsWithoutProgress: 1 }, 3, "done"],
  ])("all are settable: %j runs %i of 3 calls and ends with %s", async (limits, count, reason) => {
    const opened = openSession({
      steps: [call(["look", { path: "a" }], ["look", { path: "b" }], ["look", { path: "c" }]), say("ok")],
      limits,
    });
    expect((await runTurn(opened)).reason).toBe(reason);
    expect(opened.of("tool-start")).toHaveLength(count);
    expect(opened.results()).toHaveLength(3);
  });
});
