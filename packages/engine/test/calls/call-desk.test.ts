/**
 * Calls of other programs at one call desk: in parallel, alone, with shared answers, each undone as a separate turn.
 */
import {
  createCallDesk,
  createRegistry,
  type DeskCall,
  type Tool,
  type ToolContext,
} from "@localharness/engine";
import type { PermissionAnswer } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { createRunLock } from "../../src/calls/run-lock.ts";
import { makeTool } from "../make-tool.ts";
import { memoryAuditLog } from "../memory-audit-log.ts";

/** Returns a desk with a reading and a changing tool, each of which runs until it is released. */
function openDesk() {
  const running: { readonly name: string; release(): void }[] = [];
  const seen: ToolContext[] = [];
  const tool = (name: string, readOnly: boolean, risk: Tool["risk"] = "safe") =>
    makeTool({
      name,
      readOnly,
      risk,
      execute: (_args, context) =>
        new Promise((resolve) => {
          seen.push(context);
          const stop = () => resolve({ ok: false, errorType: "cancelled", message: "stopped" });
          context.signal.addEventListener("abort", stop);
          running.push({ name, release: () => resolve({ ok: true, data: name }) });
        }),
    });
  const audit = memoryAuditLog();
  const registry = createRegistry([
    tool("look", true),
    tool("change", false),
    tool("risky", false, "medium"),
  ]);
  const desk = createCallDesk({ registry, workspace: "/w", audit });
  const call = (name: string, more: Partial<DeskCall> = {}) =>
    desk.run({ name, arguments: { path: "a" }, ...more });
  const names = () => running.map((one) => one.name);
  return { call, names, running, seen, entries: audit.entries };
}

describe("a desk", () => {
  test("runs reads side by side and a change alone, in the order of the calls", async () => {
    const { call, names, running } = openDesk();
    const results = [call("look"), call("look"), call("change"), call("look")];
    await expect.poll(names).toEqual(["look", "look"]);
    for (const one of running.splice(0)) one.release();
    await expect.poll(names).toEqual(["change"]);
    running.splice(0)[0]?.release();
    await expect.poll(names).toEqual(["look"]);
    running[0]?.release();
    expect((await Promise.all(results)).map(({ success }) => success)).toEqual([true, true, true, true]);
  });

  test("a question keeps no other call waiting, and an answer for the session holds for later calls", async () => {
    const { call, names, running } = openDesk();
    const answered = Promise.withResolvers<PermissionAnswer>();
    const asked = call("risky", { answer: () => answered.promise });
    const other = call("change");
    await expect.poll(names).toEqual(["change"]);
    running.splice(0)[0]?.release();
    expect(await other).toMatchObject({ success: true });
    answered.resolve("session");
    await expect.poll(names).toEqual(["risky"]);
    running.splice(0)[0]?.release();
    expect(await asked).toMatchObject({ success: true });
    const later = call("risky");
    await expect.poll(names).toEqual(["risky"]);
    running[0]?.release();
    expect(await later).toMatchObject({ success: true });
  });

  test("a call that is cancelled while it waits never runs, and keeps nothing waiting", async () => {
    const { call, names, running } = openDesk();
    const first = call("change");
    await expect.poll(names).toEqual(["change"]);
    const stop = new AbortController();
    const second = call("change", { signal: stop.signal });
    stop.abort();
    expect(await second).toMatchObject({ success: false, error_type: "cancelled" });
    running[0]?.release();
    await first;
    expect(names()).toEqual(["change"]);
  });

  test("records each call under its own id, and names its turn to the tool", async () => {
    const { call, names, running, seen, entries } = openDesk();
    const result = call("change", { id: "c7", turnId: "t7" });
    await expect.poll(names).toEqual(["change"]);
    running[0]?.release();
    await result;
    expect(seen[0]?.turn).toMatchObject({ turnId: "t7" });
    expect(new Set(entries.map((entry) => entry.call))).toEqual(new Set(["c7"]));
    expect(entries.map(({ type }) => type)).toEqual(["call", "result"]);
  });
});

test("a lock whose work fails goes on", async () => {
  const lock = createRunLock();
  const { signal } = new AbortController();
  await expect(lock(false, signal, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await lock(true, signal, () => Promise.resolve(1))).toBe(1);
});
