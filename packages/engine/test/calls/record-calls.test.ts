/** The entries that a session's calls leave in the audit log, and what happens when the log cannot be written. */
import type { PolicyRule, SessionOptions, Tool } from "@localharness/engine";
import type { PermissionAnswer } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { done, makeTool } from "../make-tool.ts";
import { memoryAuditLog } from "../memory-audit-log.ts";
import { memoryPolicyStore } from "../memory-policy-store.ts";
import { openSession, runTurn } from "../open-session.ts";
import { type Asked, call, say } from "../scripted-model.ts";

const write = (more: Partial<Tool> = {}) =>
  makeTool({ name: "write", readOnly: false, risk: "high", ...more });

function session(
  asked: readonly Asked[],
  more: Partial<SessionOptions> & { tool?: Tool; answers?: readonly PermissionAnswer[] },
) {
  const { tool = write(), ...options } = more;
  return openSession({
    steps: [call(...asked), say("ok")],
    tools: [tool, makeTool()],
    sessionId: "s1",
    ...options,
  });
}

describe("on record is", () => {
  test("nothing of a known key, wherever it stands", async () => {
    const audit = memoryAuditLog();
    const tool = write({
      examine: () => ({
        paths: [{ path: "x/KEY.txt", access: "write" }],
        concerns: [{ id: "program:KEY", decision: "ask", reason: "KEY" }],
      }),
    });
    const mask = (text: string) => text.replaceAll("KEY", "[key]");
    await runTurn(
      session([["write", { path: "x/KEY.txt" }, "c1"]], { audit, answers: ["once"], mask, tool }),
    );
    expect(audit.entries[0]).toMatchObject({
      rule: "built-in:program:[key]",
      paths: [{ path: "x/[key].txt", access: "write" }],
      concerns: ["program:[key]"],
    });
    expect(JSON.stringify(audit.entries)).not.toContain("KEY");
  });

  test("the hashes that the log computes, where it computes them", async () => {
    const audit = { ...memoryAuditLog(), sha256: (text: string) => `hash of ${text}` };
    await runTurn(session([["look", { path: "a" }, "c1"]], { audit }));
    const [asked, done] = audit.entries;
    expect(asked).toMatchObject({ argumentsHash: 'hash of {"path":"a"}' });
    expect(done).toMatchObject({ sha256: expect.stringMatching(/^hash of /) });
  });

  test("what was asked for, decided, answered and done", async () => {
    const audit = memoryAuditLog();
    const tool = write({
      examine: () => ({
        paths: [{ path: "a", access: "write" }],
        concerns: [{ id: "protected:a", decision: "ask", reason: "r" }],
      }),
    });
    const opened = session([["write", { path: "a", text: "x".repeat(3_000) }, "c1"]], {
      audit,
      answers: ["once"],
      mask: (text) => text.replaceAll("write", "[key]"),
      clock: { now: () => 5, monotonic: () => 0 },
      tool: { ...tool, parameters: { type: "object", properties: {}, additionalProperties: true } },
    });
    await runTurn(opened);
    const about = { time: 5, session: "s1", call: "c1" };
    expect(audit.entries).toEqual([
      {
        ...about,
        type: "call",
        tool: "write",
        arguments: { path: "a", text: `${"x".repeat(2_000)}… (3000 characters)` },
        argumentsHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        paths: [{ path: "a", access: "write" }],
        risk: "high",
        decision: "ask",
        rule: "built-in:protected:a",
        concerns: ["protected:a"],
      },
      { ...about, type: "answer", answer: "once", by: "person" },
      {
        ...about,
        type: "result",
        success: true,
        error_type: "none",
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        bytes: expect.any(Number),
        ms: 0,
      },
    ]);
    const [first] = audit.entries;
    expect(first?.type === "call" && first.argumentsHash).toBe(
      opened.of("permission-request")[0]?.request.argumentsHash,
    );
  });

  const deny: PolicyRule = { id: "no", decision: "deny", justification: "j", tool: "write" };
  test.each<
    readonly [
      string,
      readonly Asked[],
      Partial<SessionOptions> & { answers?: readonly PermissionAnswer[] },
      readonly string[],
    ]
  >([
    [
      "a call that a rule denies",
      [["write"]],
      { policyStore: memoryPolicyStore([deny]) },
      ["call deny no", "result permission_denied"],
    ],
    [
      "a call that a person denies",
      [["write"]],
      { answers: ["deny"] },
      ["call ask risk:high", "answer deny person", "result permission_denied"],
    ],
    [
      "a call that nobody could be asked about",
      [["write"]],
      { interactive: false },
      ["call ask risk:high", "answer deny nobody", "result permission_denied"],
    ],
    ["a read", [["look"]], {}, ["call allow risk:safe", "result none"]],
    [
      "an invalid call",
      [["look", '{"path":1,"path":2}']],
      {},
      ["call skip built-in:invalid", "result validation_failed"],
    ],
    [
      "a call of an unknown tool",
      [["nothing", "{}"]],
      {},
      ["call skip built-in:invalid", "result not_found"],
    ],
    [
      "a call that stands twice",
      [["look"], ["look"]],
      {},
      ["call skip built-in:repeated", "call allow risk:safe", "result none", "result none"],
    ],
  ])("%s", async (_title, asked, options, expected) => {
    const audit = memoryAuditLog();
    await runTurn(session(asked, { audit, ...options }));
    const lines = audit.entries.map((entry) => {
      if (entry.type === "call") return `call ${entry.decision} ${entry.rule}`;
      if (entry.type === "hook") return `hook ${entry.hook} ${entry.outcome}`;
      return entry.type === "answer" ? `answer ${entry.answer} ${entry.by}` : `result ${entry.error_type}`;
    });
    expect(lines.sort()).toEqual([...expected].sort());
  });

  test("a call that was asked about when the person interrupted, as cancelled", async () => {
    const audit = memoryAuditLog();
    await runTurn(
      session([["write"]], { audit, when: { "permission-request": { type: "interrupt" } } } as object),
    );
    expect(audit.entries.at(-1)).toMatchObject({ type: "result", error_type: "cancelled" });
  });

  test("each entry before the next, however long it takes to keep them", async () => {
    const audit = memoryAuditLog();
    const opened = session(
      [
        ["look", { path: "a" }],
        ["write", { path: "b" }],
      ],
      { audit, mode: "bypass" },
    );
    await runTurn(opened);
    expect(audit.entries.map(({ type, call: id }) => `${type} ${id}`)).toEqual(
      opened.of("tool-result").flatMap(({ callId }) => [`call ${callId}`, `result ${callId}`]),
    );
  });
});

describe("a call that may change something", () => {
  test("runs only once it is on record", async () => {
    const audit = memoryAuditLog();
    audit.slowMs = 30;
    let onRecord = 0;
    const tool = write({
      execute: async () => {
        onRecord = audit.entries.length;
        return done("written");
      },
    });
    await runTurn(session([["write"]], { audit, tool, answers: ["once"] }));
    expect(onRecord).toBe(2);
  });

  test("is refused when the log cannot be written; reads go on, with one notice", async () => {
    const audit = memoryAuditLog("ENOSPC");
    const opened = session(
      [["look", { path: "a" }], ["write"], ["look", { path: "b" }], ["write", { path: "c" }]],
      {
        audit,
        mode: "bypass",
      },
    );
    const end = await runTurn(opened);
    expect(opened.results().map(({ result }) => result.error_type)).toEqual([
      "none",
      "io_error",
      "none",
      "io_error",
    ]);
    expect(opened.results()[1]?.result.error_message).toMatch(
      /^not run: the audit log cannot be written \(ENOSPC\), and what may change something does not run unrecorded\./,
    );
    expect(opened.of("tool-start").map((event) => event.toolName)).toEqual(["look", "look"]);
    expect(opened.notices()).toEqual(["audit-failed"]);
    expect(end.denied).toBe(0);
  });

  test("runs again once the log can be written", async () => {
    const audit = memoryAuditLog("ENOSPC");
    const opened = openSession({
      steps: [call(["write"]), say("ok"), call(["write"]), say("ok")],
      tools: [write()],
      audit,
      mode: "bypass",
    });
    await runTurn(opened);
    audit.failing = undefined;
    await runTurn(opened, "again");
    expect(opened.results().map(({ result }) => result.error_type)).toEqual(["io_error", "none"]);
    expect(opened.notices()).toEqual(["audit-failed"]);
  });

  test("is refused when only the answer could not be kept", async () => {
    const audit = memoryAuditLog();
    const opened = session([["write"]], { audit, answers: ["once"] });
    opened.session.subscribe((event) => {
      if (event.type === "permission-request") audit.failing = "EIO";
    });
    await runTurn(opened);
    expect(opened.results()[0]?.result.error_type).toBe("io_error");
  });

  test("does not keep an interrupt waiting for the log", async () => {
    const audit = { append: () => new Promise<void>(() => undefined) };
    const opened = session([["write"]], { audit, mode: "bypass" });
    const turn = opened.session.prompt("go");
    while (opened.session.view().executor !== "executing")
      await new Promise((resolve) => setTimeout(resolve, 1));
    opened.session.send({ type: "interrupt" });
    expect((await turn).reason).toBe("interrupted");
    expect(opened.of("tool-start")).toEqual([]);
  });
});
