/** One call without a model: validation, policy, permission, executor, result. */
import { createRegistry, runToolCall, type Tool, type ToolCallOptions } from "@localharness/engine";
import type { EventBody, PermissionAnswer } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { makeTool } from "../make-tool.ts";
import { memoryAuditLog } from "../memory-audit-log.ts";
import { memoryPolicyStore } from "../memory-policy-store.ts";

function run(tool: Partial<Tool>, more: Partial<ToolCallOptions> = {}) {
  return runToolCall({
    registry: createRegistry([makeTool(tool)]),
    name: "look",
    arguments: { path: "a" },
    workspace: "/w",
    ...more,
  });
}

const says = (answer: unknown) => () => Promise.resolve(answer as PermissionAnswer);

describe("a single call", () => {
  test.each<readonly [string, Partial<Tool>, Partial<ToolCallOptions>, object]>([
    ["runs", {}, {}, { success: true, data: 'looked at {"path":"a"}' }],
    ["takes JSON text", {}, { arguments: '{"path":"b"}' }, { success: true, data: 'looked at {"path":"b"}' }],
    ["is refused for an unknown tool", {}, { name: "lock" }, { error_type: "not_found" }],
    ["is refused for broken JSON", {}, { arguments: "{" }, { error_type: "validation_failed" }],
    [
      "is denied when nobody can be asked",
      { risk: "high" },
      {},
      { error_type: "permission_denied", error_message: expect.stringMatching(/^nobody could be asked/) },
    ],
    ["is allowed by an answer", { risk: "high" }, { answer: says("once") }, { success: true }],
    [
      "is denied by an answer",
      { risk: "high" },
      { answer: says("deny") },
      { error_type: "permission_denied", error_message: expect.stringMatching(/^the person denied/) },
    ],
    [
      "is denied by an answer that is none",
      { risk: "high" },
      { answer: says("sure") },
      { error_type: "permission_denied" },
    ],
    [
      "is denied when asking rejects",
      { risk: "high" },
      { answer: () => Promise.reject(new Error("no tty")) },
      { error_type: "permission_denied" },
    ],
    [
      "is denied when asking throws",
      { risk: "high" },
      {
        answer: () => {
          throw new Error("no tty");
        },
      },
      { error_type: "permission_denied" },
    ],
    ["is allowed by a mode", { risk: "high" }, { mode: "bypass" }, { success: true }],
    [
      "is denied by a mode",
      { readOnly: false, risk: "low" },
      { mode: "plan" },
      { error_type: "permission_denied" },
    ],
    ["is cancelled by a signal", {}, { signal: AbortSignal.abort() }, { error_type: "cancelled" }],
  ])("%s", async (_title, tool, more, result) => {
    expect(await run(tool, more)).toMatchObject(result);
  });

  test.each<readonly [string, Partial<Tool>, Partial<ToolCallOptions>, object]>([
    [
      "that changes something is denied in a folder that is not trusted",
      { readOnly: false },
      { mode: "bypass", trusted: false },
      {
        error_type: "permission_denied",
        error_message: expect.stringMatching(/^denied by the rule built-in:untrusted/),
      },
    ],
    ["that reads runs in a folder that is not trusted", {}, { trusted: false }, { success: true }],
    [
      "has known secrets masked",
      {},
      { mask: (text) => text.replaceAll("looked", "[key]") },
      { success: true, data: '[key] at {"path":"a"}' },
    ],
    [
      "tells the model what a denial says",
      { risk: "high" },
      { answer: () => Promise.resolve({ answer: "deny" as const, note: "later" }) },
      { error_message: expect.stringMatching(/^the person denied this call and says: later\n/) },
    ],
    [
      "that changes something does not run unrecorded",
      { readOnly: false },
      { audit: memoryAuditLog("EROFS") },
      { error_type: "io_error", error_message: expect.stringMatching(/\(EROFS\)/) },
    ],
    ["that reads runs unrecorded", {}, { audit: memoryAuditLog("EROFS") }, { success: true }],
  ])("%s", async (_title, tool, more, result) => {
    expect(await run(tool, more)).toMatchObject(result);
  });

  test("is on record when it is over, under the session's id", async () => {
    const audit = memoryAuditLog();
    await run({ readOnly: false }, { audit, sessionId: "s9" });
    expect(audit.entries.map(({ type, session }) => `${session} ${type}`)).toEqual(["s9 call", "s9 result"]);
  });

  test("is remembered", async () => {
    const policyStore = memoryPolicyStore();
    await run({ risk: "high" }, { policyStore, answer: says("remember") });
    expect(await run({ risk: "high" }, { policyStore })).toMatchObject({ success: true });
  });

  test("an interrupt ends the wait for an answer that never comes", async () => {
    const interrupt = new AbortController();
    const result = run(
      { risk: "high" },
      { signal: interrupt.signal, answer: () => new Promise(() => undefined) },
    );
    setTimeout(() => interrupt.abort(), 5);
    expect(await result).toMatchObject({ error_type: "cancelled" });
  });

  test("tells what happens, also to a listener that throws", async () => {
    const heard: EventBody["type"][] = [];
    const emit = (event: EventBody) => {
      heard.push(event.type);
      throw new Error("no screen");
    };
    expect(await run({ risk: "low" }, { emit, answer: says("once") })).toMatchObject({ success: true });
    expect(heard.filter((type) => type !== "executor-state")).toEqual([
      "permission-request",
      "permission-answer",
      "tool-start",
    ]);
  });
});
