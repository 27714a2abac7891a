import type { HookAnswer, Hooks, Tool } from "@localharness/engine";
import { describe, expect, test } from "vitest";
import { makeTool } from "../make-tool.ts";
import { memoryAuditLog } from "../memory-audit-log.ts";
import { type Opening, openSession, runTurn } from "../open-session.ts";
import { call, say } from "../scripted-model.ts";

/** Hooks that answer with these, and write down what they were asked. */
function hooks(answers: Partial<Record<"before" | "after" | "end", () => Promise<HookAnswer>>>) {
  const asked: string[] = [];
  const none = () => Promise.resolve({});
  const made: Hooks = {
    beforeTool: (one) => {
      asked.push(`before ${one.tool} ${JSON.stringify(one.arguments)}`);
      return (answers.before ?? none)();
    },
    afterTool: (one, result) => {
      asked.push(`after ${one.tool} ${result.error_type}`);
      return (answers.after ?? none)();
    },
    turnEnd: (turn, reason) => {
      asked.push(`end ${turn.turnId} ${reason}`);
      return (answers.end ?? none)();
    },
  };
  return { asked, made };
}

const ran: string[] = [];
const writes = (more: Partial<Tool> = {}): Tool =>
  makeTool({
    name: "write",
    risk: "high",
    readOnly: false,
    execute: async () => {
      ran.push("write");
      return { ok: true, data: "written" };
    },
    ...more,
  });

function open(made: Hooks, more: Partial<Opening> = {}) {
  ran.length = 0;
  return openSession({ steps: [call(["write", {}]), say("done")], tools: [writes()], hooks: made, ...more });
}

describe("before a call", () => {
  test("a hook that blocks is told to the model, and saves the question", async () => {
    const { made, asked } = hooks({ before: async () => ({ block: "not on Fridays" }) });
    const opened = open(made, { answers: ["once"] });
    const end = await runTurn(opened);
    expect(opened.of("permission-request")).toEqual([]);
    expect(ran).toEqual([]);
    const [only] = opened.results();
    expect(only?.result.error_type).toBe("permission_denied");
    expect(only?.result.error_message).toContain("not on Fridays");
    expect(only?.why).toBe("blocked by your hook: not on Fridays");
    expect(end.denied).toBe(1);
    expect(asked).toEqual(["before write {}", "end turn-1 done"]);
  });

  test.each<[string, Partial<Opening>]>([
    ["a person who denies", { answers: ["deny"] }],
    ["mode plan", { mode: "plan" }],
    ["a folder that is not trusted", { trusted: false }],
  ])("a hook that lets pass changes nothing about %s", async (_title, more) => {
    const { made } = hooks({});
    await runTurn(open(made, more));
    expect(ran).toEqual([]);
  });

  test("a call that a rule denies is not shown to hooks", async () => {
    const { made, asked } = hooks({});
    await runTurn(open(made, { mode: "plan" }));
    expect(asked).toEqual(["end turn-1 done"]);
  });

  test("hooks that throw are said, and block nothing", async () => {
    const { made } = hooks({ before: () => Promise.reject(new Error("no such file")) });
    const opened = open(made, { answers: ["once"] });
    await runTurn(opened);
    expect(ran).toEqual(["write"]);
    expect(opened.notices()).toEqual(["hook-failed"]);
  });

  test("an interrupt while a hook thinks ends the turn, and nothing runs", async () => {
    const opened: { current?: ReturnType<typeof open> } = {};
    const { made } = hooks({
      before: async () => {
        opened.current?.session.send({ type: "interrupt" });
        return {};
      },
    });
    opened.current = open(made, { mode: "bypass" });
    expect((await runTurn(opened.current)).reason).toBe("interrupted");
    expect(ran).toEqual([]);
  });
});

test("after a call the model reads what hooks say beside the result, with secrets masked, and it is on record", async () => {
  const audit = memoryAuditLog();
  const { made, asked } = hooks({
    after: async () => ({
      notes: ["3 lint errors, key tom"],
      ran: [{ hook: "lint", outcome: "passed", ms: 5 }],
    }),
  });
  const opened = open(made, { answers: ["once"], audit, mask: (text) => text.replaceAll("tom", "[hidden]") });
  await runTurn(opened);
  expect(opened.results()[0]?.result).toMatchObject({
    success: true,
    notes: ["3 lint errors, key [hidden]"],
  });
  expect(asked).toEqual(["before write {}", "after write none", "end turn-1 done"]);
  expect(audit.entries.map((entry) => entry.type)).toEqual(["call", "answer", "hook", "result"]);
});

describe("at the end of a turn", () => {
  test("a hook that blocks has the model go on, three times at most", async () => {
    const { made, asked } = hooks({ end: async () => ({ block: "tests fail" }) });
    const opened = open(made, { steps: Array.from({ length: 9 }, () => say("all done")) });
    expect((await runTurn(opened)).reason).toBe("done");
    expect(opened.of("iteration-start")).toHaveLength(4);
    const told = opened.of("user-message").filter((event) => event.from === "harness");
    expect(told.map((event) => event.content)).toEqual(
      Array.from({ length: 3 }, () => "A check at the end of the turn says: tests fail"),
    );
    expect(asked).toHaveLength(4);
  });

  test.each<[answer: string, HookAnswer, ends: readonly string[]]>([
    ["let it end", {}, ["end turn-1 done", "end turn-2 done"]],
    [
      "block",
      { block: "tests fail" },
      ["end turn-1 done", "end turn-1 iteration-limit", "end turn-2 done", "end turn-2 iteration-limit"],
    ],
  ])("hooks that %s are asked at the limit, also if a message waits there", async (_title, answer, ends) => {
    const { made, asked } = hooks({ end: async () => answer });
    const opened = open(made, {
      steps: [say("done"), say("more")],
      limits: { iterationsPerTurn: 1 },
      when: { "text-delta": { type: "user-message", content: "and b?" } },
    });
    await runTurn(opened);
    expect(asked).toEqual(ends);
  });

  test("a turn that reached its limit ends, whatever a hook says", async () => {
    const { made, asked } = hooks({ end: async () => ({ block: "go on" }) });
    const steps = [call(["write", {}]), call(["write", { n: 1 }])];
    const opened = open(made, { steps, mode: "bypass", limits: { iterationsPerTurn: 2 } });
    expect((await runTurn(opened)).reason).toBe("iteration-limit");
    expect(asked.at(-1)).toBe("end turn-1 iteration-limit");
  });
});

test("tools learn in which turn they run", async () => {
  const seen: unknown[] = [];
  const tool = writes({
    execute: async (_args, { turn }) => {
      seen.push(turn);
      return { ok: true, data: "" };
    },
  });
  const { made } = hooks({});
  await runTurn(open(made, { tools: [tool], mode: "bypass", sessionId: "s" }));
  expect(seen).toEqual([{ sessionId: "s", turnId: "turn-1", words: "write" }]);
});

test("news are told before the person's message, in the harness's name", async () => {
  const news = [["files were put back"], []];
  const opened = openSession({ steps: [say("a"), say("b")], news: async () => news.shift() ?? [] });
  await runTurn(opened);
  await runTurn(opened);
  expect(opened.of("user-message").map(({ content, from }) => `${from}: ${content}`)).toEqual([
    "harness: files were put back",
    "person: go",
    "person: go",
  ]);
});

test("a system prompt that is put together at the start says what was wrong with its parts", async () => {
  const systemPrompt = async () => ({ text: "Be good.", warnings: ["AGENTS.md was cut"] });
  const opened = openSession({ steps: [say("a")], systemPrompt });
  await runTurn(opened);
  expect(opened.model.requests[0]?.messages[0]).toEqual({ role: "system", content: "Be good." });
  expect(opened.notices()).toEqual(["instructions"]);
});
