/** The calls of one iteration: side by side or alone, in order, cancelled at every phase, each with one result. */
import type { Tool } from "@localharness/engine";
import type { SessionEvent } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { aborted, done, makeTool } from "../make-tool.ts";
import { openSession, runTurn } from "../open-session.ts";
import { type Asked, call, say } from "../scripted-model.ts";

/** Tools that count how many of them run at once; each lasts until those that can run beside it have started. */
function crowd() {
  const world = { running: 0, most: 0, log: [] as string[] };
  const execute =
    (kind: string): Tool["execute"] =>
    async (args) => {
      world.running += 1;
      world.most = Math.max(world.most, world.running);
      world.log.push(`${kind}${args["path"]}+`);
      // The earlier a call, the longer it takes: results come in reverse.
      await new Promise((resolve) => setTimeout(resolve, 20 - Number(args["path"])));
      world.running -= 1;
      world.log.push(`${kind}${args["path"]}-`);
      return done(`${args["path"]}`);
    };
  return {
    world,
    read: makeTool({ name: "read", execute: execute("r") }),
    write: makeTool({ name: "write", readOnly: false, execute: execute("w") }),
  };
}

const numbered = (name: string, from: number, count: number): Asked[] =>
  Array.from({ length: count }, (_, index) => [name, { path: `${from + index}` }] as const);

describe("the calls of one answer", () => {
  test.each<readonly [string, readonly Asked[], number]>([
    ["reads run side by side", numbered("read", 0, 5), 5],
    ["at most 8 of them", numbered("read", 0, 12), 8],
    ["what changes something runs alone", numbered("write", 0, 3), 1],
    [
      "reads around a change wait for it",
      [...numbered("read", 0, 2), ...numbered("write", 2, 1), ...numbered("read", 3, 3)],
      3,
    ],
  ])("%s, and results keep the order of the calls", async (_title, asked, most) => {
    const { world, read, write } = crowd();
    const opened = openSession({ steps: [call(...asked), say("ok")], tools: [read, write] });
    await runTurn(opened);
    expect(world.most).toBe(most);
    expect(opened.results().map((one) => one.result.data)).toEqual(
      asked.map(([, args]) => (typeof args === "object" ? args["path"] : "")),
    );
    for (const [index, entry] of world.log.entries()) {
      if (entry.startsWith("w") && entry.endsWith("+")) {
        expect(world.log[index + 1]).toBe(entry.replace("+", "-"));
      }
    }
  });

  test("a change begins when all reads before it are done, and they begin when it is done", async () => {
    const { world, read, write } = crowd();
    await runTurn(
      openSession({
        steps: [
          call(...numbered("read", 0, 2), ...numbered("write", 2, 1), ...numbered("read", 3, 1)),
          say("ok"),
        ],
        tools: [read, write],
      }),
    );
    expect(world.log.slice(-4)).toEqual(["w2+", "w2-", "r3+", "r3-"]);
  });
});

describe("a call that cannot run has its result, and the others run", () => {
  const edit = makeTool({
    name: "edit",
    readOnly: false,
    parameters: { type: "object", properties: { line: { type: "integer" } }, required: ["line"] },
  });
  test.each<readonly [string, Asked, string, RegExp]>([
    [
      "an unknown tool",
      ["launch"],
      "launch not_found",
      /^there is no tool named "launch"\. The tools are: look, edit$/,
    ],
    ["no name", [""], " not_found", /^there is no tool named ""/],
    [
      "broken JSON",
      ["edit", '{"line": '],
      "edit validation_failed",
      /^edit: the arguments are not valid JSON \(.+\)\. A correct call has the arguments \{"line":1\}$/,
    ],
    [
      "a missing parameter",
      ["edit", "{}"],
      "edit validation_failed",
      /^edit: parameter "line" is missing; expected an integer\./,
    ],
    [
      "a value of another type",
      ["edit", { line: "first" }],
      "edit validation_failed",
      /must be an integer, but is the string "first"/,
    ],
    [
      "arguments that are no object",
      ["edit", "[1]"],
      "edit validation_failed",
      /must be a JSON object, but are an array of 1/,
    ],
  ])("%s", async (_title, asked, settled, message) => {
    const opened = openSession({
      steps: [call(["look", { path: "a" }], asked, ["look", { path: "b" }]), say("ok")],
      tools: [makeTool(), edit],
    });
    expect((await runTurn(opened)).reason).toBe("done");
    const [first, wrong, last] = opened.results();
    expect(`${wrong?.tool} ${wrong?.result.error_type}`).toBe(settled);
    expect(wrong?.result.error_message).toMatch(message);
    expect([first?.result.success, last?.result.success]).toEqual([true, true]);
  });

  test("the tools are listed once for each unknown name", async () => {
    const opened = openSession({
      steps: [call(["launch", { a: 1 }]), call(["launch", { a: 2 }], ["fly", {}]), say("ok")],
      tools: [makeTool(), edit],
    });
    await runTurn(opened);
    expect(opened.results().map(({ result }) => result.error_message)).toEqual([
      'there is no tool named "launch". The tools are: look, edit',
      'there is no tool named "launch". An earlier error about this name lists tools',
      'there is no tool named "fly". The tools are: look, edit',
    ]);
  });

  test("the tools are listed again once a compaction has shortened their list", async () => {
    const opened = openSession({
      steps: [call(["launch", { a: 1 }]), call(["launch", { a: 2 }], ["launch", { a: 3 }]), say("ok")],
      tools: [makeTool(), edit],
      contextWindow: 100,
      compactor: {
        compact: (whole) => ({
          shortened: whole.flatMap((message) =>
            message.role === "tool" ? [{ callId: message.toolCallId, content: "short" }] : [],
          ),
        }),
      },
    });
    await runTurn(opened);
    const listed = opened.results().map(({ result }) => /The tools are: /.test(result.error_message ?? ""));
    expect(listed).toEqual([true, true, false]);
  });

  test("Local Harness: object and string arguments give the same call", async () => {
    const opened = openSession({
      steps: [call(["edit", { line: 3 }]), call(["edit", '{"line":4}']), say("ok")],
      tools: [edit],
    });
    await runTurn(opened);
    expect(opened.of("tool-start").map((event) => event.arguments)).toEqual([{ line: 3 }, { line: 4 }]);
  });

  test("what was changed to read a call is in the notes of its start and its result", async () => {
    const opened = openSession({
      steps: [call(["edit", { line: "3", colour: "red" }], ["edit", { line: 4 }]), say("ok")],
      tools: [edit],
    });
    await runTurn(opened);
    const notes = ['unknown parameter "colour" was ignored', 'line: read the string "3" as integer'];
    expect(opened.results()[0]?.result).toMatchObject({ success: true, notes });
    expect(opened.of("tool-start").map((event) => event.notes)).toEqual([notes, undefined]);
  });

  test("a call that stands twice in an answer runs once, and both get its result", async () => {
    const opened = openSession({
      steps: [call(["edit", { line: 1 }], ["edit", '{"line":1}'], ["look"], ["look"]), say("ok")],
      tools: [makeTool(), edit],
    });
    await runTurn(opened);
    expect(opened.of("tool-start").map((event) => event.toolName)).toEqual(["edit", "look"]);
    const results = opened.results().map((one) => one.result);
    for (const [first, again] of [results.slice(0, 2), results.slice(2)]) {
      expect(again).toMatchObject({ success: true, data: first?.data });
      expect(first?.notes).toBeUndefined();
      expect(again?.notes?.[0]).toMatch(/^the same call occurs earlier in this answer and ran once/);
    }
  });

  test("a call that stands twice and is denied is asked about once, and both are denied", async () => {
    const opened = openSession({
      steps: [call(["look"], ["look"]), say("ok")],
      tools: [makeTool({ risk: "high" })],
      interactive: false,
    });
    await runTurn(opened);
    expect(opened.of("permission-request")).toHaveLength(1);
    expect(opened.results().map((one) => one.result.error_type)).toEqual([
      "permission_denied",
      "permission_denied",
    ]);
  });

  test("a tool that throws is answered with internal_error, and the turn goes on", async () => {
    const opened = openSession({
      steps: [call(["look"]), say("sorry")],
      tools: [makeTool({ execute: () => Promise.reject(new Error("boom")) })],
    });
    expect((await runTurn(opened)).reason).toBe("done");
    expect(opened.results()[0]?.result).toMatchObject({
      error_type: "internal_error",
      error_message: "look failed unexpectedly: boom",
    });
  });

  test("a tool that takes too long is answered with timeout, and the turn goes on", async () => {
    const slow = makeTool({
      timeoutMs: 5,
      execute: async (_args, { signal }) => aborted(signal).then(() => Promise.reject(new Error("stopped"))),
    });
    const opened = openSession({ steps: [call(["look"]), say("sorry")], tools: [slow] });
    expect((await runTurn(opened)).reason).toBe("done");
    expect(opened.results()[0]?.result.error_type).toBe("timeout");
  });
});

describe("Local Harness: tick() never blocks, the session acts on what it returns", () => {
  const states = (events: readonly SessionEvent[]) =>
    events.flatMap((event) => (event.type === "executor-state" ? [event.state] : []));

  test.each<readonly [string, Partial<Tool>, readonly string[]]>([
    ["allowed", {}, ["evaluating_policy", "executing", "completed", "idle"]],
    [
      "asked about",
      { risk: "high" },
      ["evaluating_policy", "awaiting_permission", "executing", "completed", "idle"],
    ],
  ])("a call that is %s goes through %j", async (_title, tool, expected) => {
    const opened = openSession({
      steps: [call(["look"]), say("ok")],
      tools: [makeTool(tool)],
      answers: ["once"],
    });
    await runTurn(opened);
    expect(states(opened.events)).toEqual(expected);
  });

  test("a call that is refused never executes", async () => {
    const opened = openSession({ steps: [call(["nothing"]), say("ok")] });
    await runTurn(opened);
    expect(states(opened.events)).toEqual(["evaluating_policy", "completed", "idle"]);
  });

  test("the session goes on taking commands while a tool runs", async () => {
    let finish: (() => void) | undefined;
    const tool = makeTool({
      execute: () =>
        new Promise((resolve) => {
          finish = () => resolve(done("ok"));
        }),
    });
    const opened = openSession({ steps: [call(["look"]), say("ok")], tools: [tool] });
    const turn = opened.session.prompt("go");
    await opened.next("tool-start");
    opened.session.send({ type: "set-mode", mode: "plan" });
    expect(opened.session.view()).toMatchObject({
      mode: "plan",
      executor: "executing",
      running: [{ toolName: "look" }],
    });
    finish?.();
    expect((await turn).reason).toBe("done");
  });
});

describe("an interrupt answers every open call with cancelled", () => {
  const hanging = makeTool({
    name: "hang",
    readOnly: false,
    execute: async (_args, { signal, report }) => {
      report("at work");
      await aborted(signal);
      throw new Error("aborted");
    },
  });
  const asking = makeTool({ name: "ask", readOnly: false, risk: "high" });
  const slowToJudge = makeTool({ name: "judge", fingerprint: () => new Promise(() => undefined) });
  const slowToShow = makeTool({ name: "show", risk: "high", preview: () => new Promise(() => undefined) });
  const tools = [makeTool(), hanging, asking, slowToJudge, slowToShow];

  test.each<readonly [string, Asked, SessionEvent["type"], readonly string[]]>([
    ["as its answer ends", ["hang"], "model-end", []],
    ["while it is evaluated", ["judge"], "executor-state", []],
    ["as it is asked about", ["ask"], "permission-request", []],
    ["as it is allowed", ["ask"], "permission-answer", []],
    ["as it starts", ["hang"], "tool-start", ["hang"]],
    ["while it runs", ["hang"], "tool-progress", ["hang"]],
  ])("%s", async (_title, asked, type, started) => {
    const opened = openSession({
      steps: [call(asked, ["look", { path: "b" }], ["hang", { path: "c" }]), say("ok")],
      tools,
      answers: type === "permission-answer" ? ["once"] : [],
      when: { [type]: { type: "interrupt" } },
    });
    expect(await runTurn(opened)).toEqual({ type: "turn-end", reason: "interrupted", denied: 0 });
    expect(opened.results().map((one) => one.result.error_type)).toEqual([
      "cancelled",
      "cancelled",
      "cancelled",
    ]);
    expect(opened.of("tool-start").map((event) => event.toolName)).toEqual(started);
    expect(opened.session.view().executor).toBe("idle");
    expect((await runTurn(opened, "go on")).reason).toBe("done");
  });

  test("as the executor goes to executing: nothing starts", async () => {
    const opened = openSession({ steps: [call(["hang"])], tools });
    opened.session.subscribe((event) => {
      if (event.type === "executor-state" && event.state === "executing") {
        opened.session.send({ type: "interrupt" });
      }
    });
    await runTurn(opened);
    expect(opened.of("tool-start")).toEqual([]);
    expect(opened.results().map((one) => one.result.error_type)).toEqual(["cancelled"]);
  });

  test("while its preview is made, without waiting for it", async () => {
    const opened = openSession({ steps: [call(["show"])], tools });
    const turn = opened.session.prompt("go");
    await opened.next("iteration-start");
    while (opened.session.view().executor !== "awaiting_permission")
      await new Promise((resolve) => setTimeout(resolve, 1));
    opened.session.send({ type: "interrupt" });
    expect((await turn).reason).toBe("interrupted");
    expect(opened.of("permission-request")).toEqual([]);
    expect(opened.results().map((one) => one.result.error_type)).toEqual(["cancelled"]);
  });

  test("while some of several reads are done: those keep their results", async () => {
    const quick = makeTool({ name: "quick" });
    const slow = makeTool({ ...hanging, name: "slow", readOnly: true });
    const opened = openSession({
      steps: [call(["quick"], ["slow"])],
      tools: [quick, slow],
      when: { "tool-result": { type: "interrupt" } },
    });
    await runTurn(opened);
    expect(opened.results().map((one) => one.result.error_type)).toEqual(["none", "cancelled"]);
  });

  test("a prompt that is open says that nobody answered it", async () => {
    const opened = openSession({
      steps: [call(["ask"])],
      tools,
      when: { "permission-request": { type: "interrupt" } },
    });
    await runTurn(opened);
    expect(opened.of("permission-answer")).toMatchObject([
      { answer: "deny", by: "nobody", turnId: "turn-1" },
    ]);
  });
});
