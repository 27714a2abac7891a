/**
 * Duplicates in a session: the reactions step by step, which calls count as duplicates, and which repeated calls are
 * allowed.
 */
import type { Compactor, Tool } from "@localharness/engine";
import { describe, expect, test } from "vitest";
import { aborted, done, makeTool } from "../make-tool.ts";
import { openSession, runTurn } from "../open-session.ts";
import { call, say } from "../scripted-model.ts";

/** A tool that counts its runs; its result depends on `state`, which its fingerprint names when it has one. */
function counting(more: Partial<Tool> = {}) {
  const world = { runs: 0, state: "one" };
  const tool = makeTool({
    execute: async () => {
      world.runs += 1;
      return done(`it is ${world.state}`);
    },
    ...more,
  });
  return { world, tool };
}

/** Shortens each result. */
const shortensAll: Compactor = {
  compact: (whole, { shortened }) => {
    const results = whole.flatMap((message) => (message.role === "tool" ? [message.toolCallId] : []));
    const left = results.filter((callId) => shortened[callId] === undefined);
    return { shortened: left.map((callId) => ({ callId, content: "short" })) };
  },
};

const look = (path = "a") => call(["look", { path }]);
const repeat = (count: number) => Array.from({ length: count }, () => look());
const shown = (opened: ReturnType<typeof openSession>) =>
  opened
    .results()
    .map(({ result }) =>
      result.success
        ? result.notes === undefined
          ? "result"
          : "result again"
        : result.error_message?.slice(0, 40),
    );

const ladder = [
  "result",
  "result again",
  "you have now made this same look call th",
  "look was called again with the same argu",
];

describe("a long result that the model still has is not sent twice", () => {
  const long = "x".repeat(2_000);
  const pointer = expect.stringMatching(/^\[nothing has changed since you made this same call/);
  const others = ["b", "c", "d", "e"].map((path) => look(path));
  const longTool = (state: { version: string }) =>
    makeTool({
      execute: async ({ path }) => done(path === "a" ? long : "short"),
      fingerprint: async () => state.version,
    });
  const dataOf = (opened: ReturnType<typeof openSession>) =>
    opened.results().flatMap(({ result }, index) => (index % 5 === 0 ? [result.data] : []));

  test("the model gets a pointer to it, and the result again when it asks once more", async () => {
    const steps = [look("a"), ...others, look("a"), ...others, look("a"), say("ok")];
    const opened = openSession({ steps, tools: [longTool({ version: "1" })] });
    expect((await runTurn(opened)).reason).toBe("done");
    expect(dataOf(opened)).toEqual([long, pointer, long]);
  });

  const again = [look("a"), ...others, look("a"), say("ok")];

  test("a file that has changed is sent whole", async () => {
    const state = { version: "1" };
    const changes = () => {
      state.version += "1";
      return [];
    };
    const opened = openSession({ steps: again, tools: [longTool(state)], notes: changes });
    await runTurn(opened);
    expect(dataOf(opened)).toEqual([long, long]);
  });

  test("a result that a compaction has shortened is sent whole", async () => {
    const tools = [longTool({ version: "1" })];
    const opened = openSession({ steps: again, tools, compactor: shortensAll, contextWindow: 100 });
    await runTurn(opened);
    expect(dataOf(opened)).toEqual([long, long]);
  });
});

describe("Ralph: a repeated call is answered again, then with an instruction, then ends the iteration", () => {
  test.each([
    ["with a fingerprint it runs once", true, 1],
    ["without one it runs to see whether its result differs", false, 4],
  ])("%s", async (_title, fingerprinted, runs) => {
    const { world, tool } = counting(fingerprinted ? { fingerprint: async () => "same" } : {});
    const opened = openSession({ steps: [...repeat(4), say("ok")], tools: [tool] });
    expect((await runTurn(opened)).reason).toBe("done");
    expect(shown(opened)).toEqual(ladder);
    expect(world.runs).toBe(runs);
    expect(opened.notices()).toEqual(["repeated-calls"]);
  });

  test("the model is given the earlier result, marked as such", async () => {
    const { tool } = counting({ fingerprint: async () => "same" });
    const opened = openSession({ steps: [...repeat(2), say("ok")], tools: [tool] });
    await runTurn(opened);
    expect(opened.results()[1]?.result).toMatchObject({
      data: "it is one",
      notes: [expect.stringMatching(/^you made this same call before/)],
    });
  });

  test("a second iteration that ends so ends the turn", async () => {
    const { tool } = counting({ fingerprint: async () => "same" });
    const opened = openSession({ steps: repeat(9), tools: [tool] });
    expect(await runTurn(opened)).toMatchObject({ reason: "loop", code: "repeated-calls" });
    expect(opened.model.requests).toHaveLength(5);
    expect(opened.notices()).toEqual(["repeated-calls", "repeated-calls"]);
  });

  test("the other calls of an iteration that ends so are not run, and say why", async () => {
    const { tool } = counting({ fingerprint: async () => "same" });
    const write = makeTool({ name: "write", readOnly: false });
    const opened = openSession({
      steps: [...repeat(3), call(["look", { path: "a" }], ["write"]), say("ok")],
      tools: [tool, write],
    });
    await runTurn(opened);
    expect(opened.results().at(-1)).toMatchObject({
      tool: "write",
      result: { error_type: "cancelled", error_message: expect.stringMatching(/repeated again and again/) },
    });
  });

  test("alternating calls (A B A B) count", async () => {
    const opened = openSession({
      steps: [look("a"), look("b"), look("a"), look("b"), look("a"), look("b"), say("ok")],
    });
    await runTurn(opened);
    expect(shown(opened)).toEqual(["result", "result", "result again", "result again", ladder[2], ladder[2]]);
  });

  test("the order of the arguments does not matter", async () => {
    const tool = makeTool({ parameters: { type: "object", properties: { a: {}, b: {} } } });
    const opened = openSession({
      steps: [call(["look", { a: 1, b: 2 }]), call(["look", { b: 2, a: 1 }]), say("ok")],
      tools: [tool],
    });
    await runTurn(opened);
    expect(shown(opened)).toEqual(["result", "result again"]);
  });

  test("a time limit that is reached again and again counts", async () => {
    const tool = makeTool({
      timeoutMs: 1,
      execute: async (_args, { signal }) => aborted(signal).then(() => Promise.reject(new Error("aborted"))),
    });
    const opened = openSession({ steps: [...repeat(4), say("ok")], tools: [tool] });
    await runTurn(opened);
    expect(shown(opened).slice(2)).toEqual([ladder[2], ladder[3]]);
  });

  test("a failure that repeats counts", async () => {
    const tool = makeTool({
      execute: async () => ({ ok: false, errorType: "not_found", message: "no such file" }),
    });
    const opened = openSession({ steps: [...repeat(4), say("ok")], tools: [tool] });
    await runTurn(opened);
    expect(shown(opened)).toEqual(["no such file", "no such file", ladder[2], ladder[3]]);
  });
});

describe("a repeated call stays legal", () => {
  const all = (count: number) => Array<string>(count).fill("result");

  test("when the tool polls", async () => {
    const { world, tool } = counting({ polls: true });
    const opened = openSession({ steps: [...repeat(5), say("ok")], tools: [tool] });
    await runTurn(opened);
    expect(shown(opened)).toEqual(all(5));
    expect(world.runs).toBe(5);
  });

  test("when its result differs each time", async () => {
    let count = 0;
    const tool = makeTool({ execute: async () => done(`${count++}`) });
    const opened = openSession({ steps: [...repeat(6), say("ok")], tools: [tool] });
    await runTurn(opened);
    expect(shown(opened)).toEqual(all(6));
  });

  test("when something was changed in between", async () => {
    const { tool } = counting({ fingerprint: async () => "same" });
    const write = makeTool({ name: "write", readOnly: false });
    const steps = Array.from({ length: 4 }, (_, index) => [
      look(),
      call(["write", { path: `${index}` }]),
    ]).flat();
    const opened = openSession({ steps: [...steps, say("ok")], tools: [tool, write] });
    await runTurn(opened);
    expect(shown(opened)).toEqual(all(8));
  });

  test("when what it depends on was changed from outside", async () => {
    const world = { state: 0, runs: 0 };
    const tool = makeTool({
      fingerprint: async () => `${world.state++}`,
      execute: async () => done(`run ${world.runs++}`),
    });
    const opened = openSession({ steps: [...repeat(4), say("ok")], tools: [tool] });
    await runTurn(opened);
    expect(shown(opened)).toEqual(all(4));
  });

  test("when the tool changes something itself", async () => {
    const opened = openSession({ steps: [...repeat(5), say("ok")], tools: [makeTool({ readOnly: false })] });
    await runTurn(opened);
    expect(shown(opened)).toEqual(all(5));
  });

  test("more than three calls later", async () => {
    const opened = openSession({ steps: [look("a"), look("b"), look("c"), look("d"), look("a"), say("ok")] });
    await runTurn(opened);
    expect(shown(opened)).toEqual(all(5));
  });

  test("when the person asks for it again", async () => {
    const { world, tool } = counting({ fingerprint: async () => "same" });
    const opened = openSession({
      steps: [look(), say("ok"), look(), say("ok"), look(), say("ok"), look(), say("ok")],
      tools: [tool],
    });
    for (const message of ["look", "again", "again", "again"]) await runTurn(opened, message);
    expect(shown(opened)).toEqual(all(4));
    expect(world.runs).toBe(4);
  });

  test("when the person asks for it while the turn runs", async () => {
    const { tool } = counting({ fingerprint: async () => "same" });
    const opened = openSession({
      steps: [look(), look(), say("ok")],
      tools: [tool],
      when: { "tool-start": { type: "user-message", content: "again" } },
    });
    await runTurn(opened);
    expect(shown(opened)).toEqual(all(2));
  });

  test("when the first was interrupted", async () => {
    const { world, tool } = counting({ fingerprint: async () => "same" });
    const hanging = makeTool({
      ...tool,
      execute: async (_args, { signal, report }) => {
        if (world.runs++ > 0) return done("found");
        report("at work");
        await aborted(signal);
        throw new Error("aborted");
      },
    });
    const opened = openSession({
      steps: [look(), look(), say("ok")],
      tools: [hanging],
      when: { "tool-progress": { type: "interrupt" } },
    });
    expect((await runTurn(opened)).reason).toBe("interrupted");
    await runTurn(opened, "go on");
    expect(opened.results()[1]?.result).toMatchObject({ success: true, data: "found" });
  });

  test("when the first ran into its time limit", async () => {
    let runs = 0;
    const tool = makeTool({
      fingerprint: async () => "same",
      timeoutMs: 1,
      execute: async (_args, { signal }) => {
        if (runs++ > 0) return done("found");
        await aborted(signal);
        throw new Error("aborted");
      },
    });
    const opened = openSession({ steps: [look(), look(), say("ok")], tools: [tool] });
    await runTurn(opened);
    expect(opened.results().map((one) => one.result.error_type)).toEqual(["timeout", "none"]);
  });

  test.each<readonly [string, NonNullable<Tool["fingerprint"]>]>([
    ["rejects", () => Promise.reject(new Error("no"))],
    [
      "throws",
      () => {
        throw new Error("no");
      },
    ],
    ["is unknown", async () => undefined],
  ])("and runs when the fingerprint %s", async (_title, fingerprint) => {
    const { world, tool } = counting({ fingerprint });
    const opened = openSession({ steps: [...repeat(2), say("ok")], tools: [tool] });
    await runTurn(opened);
    expect(world.runs).toBe(2);
  });
});
