/** One tool run: outputs, exceptions, time limits, interrupts, tools that do not stop. */
import type { Tool } from "@localharness/engine";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { AsideOf } from "../../src/aside.ts";
import { runTool } from "../../src/calls/run-tool.ts";
import { aborted, done, makeTool } from "../make-tool.ts";

afterEach(() => {
  vi.useRealTimers();
});

let now = 0;
const clock = { now: () => 7, monotonic: () => now };

function start(
  tool: Partial<Tool>,
  signal = new AbortController().signal,
  report: (text: string) => void = () => undefined,
) {
  return runTool({
    tool: makeTool(tool),
    arguments: { path: "a" },
    callId: "c1",
    notes: ["read so"],
    signal,
    clock,
    report,
  });
}

describe("ZodoLlama: a tool run gets its context: id, signal, report", () => {
  test("gives its output, its time, its notes and what it achieved", async () => {
    const achieved = [{ kind: "wrote" as const, subject: "a" }];
    const ran = await start({
      execute: async (args, context) => {
        now += 12;
        return { ok: true, data: `${context.callId} ${args["path"]}`, achieved };
      },
    });
    expect(ran).toEqual({
      achieved,
      result: {
        success: true,
        data: "c1 a",
        error_message: null,
        error_type: "none",
        metadata: { execution_time_ms: 12, data_size_bytes: 4, timestamp: 7 },
        notes: ["read so"],
      },
    });
  });

  test.each([
    [{ path: "a", diff: "@@ -1 +1 @@\n-a\n+b\n" }, "@@ -1 +1 @@\n-a\n+b\n"],
    [{ path: "a", diff: "" }, undefined],
    [{ diff: 7 }, undefined],
    ["a", undefined],
  ])("tells the diff in its details %j", async (details, diff) => {
    const ran = await start({ execute: async () => ({ ok: true, data: "", details }) });
    expect(ran.diff).toBe(diff);
  });

  test("that fails has achieved nothing", async () => {
    const { result, achieved } = await start({
      execute: async () => ({ ok: false, errorType: "io_error", message: "disk full", data: "log" }),
    });
    expect(achieved).toEqual([]);
    expect(result).toMatchObject({
      success: false,
      data: "log",
      error_message: "disk full",
      error_type: "io_error",
    });
  });

  const odd = (output: unknown): Partial<Tool> => ({ execute: async () => output as never });
  test.each<readonly [string, Partial<Tool>, RegExp]>([
    [
      "rejects",
      { execute: () => Promise.reject(new TypeError("x is undefined")) },
      /^look failed unexpectedly: x is undefined$/,
    ],
    [
      "throws before it is asynchronous",
      {
        execute: () => {
          throw new Error("boom");
        },
      },
      /^look failed unexpectedly: boom$/,
    ],
    [
      "throws something that is no error",
      { execute: () => Promise.reject("boom") },
      /^look failed unexpectedly: boom$/,
    ],
    ["returns nothing", odd(undefined), /no output of the agreed shape/],
    ["returns text", odd("done"), /no output of the agreed shape/],
    ["returns data that is no text", odd({ ok: true, data: { a: 1 } }), /no output of the agreed shape/],
    ["fails without a message", odd({ ok: false }), /no output of the agreed shape/],
  ])("that %s is an internal_error", async (_title, tool, message) => {
    expect((await start(tool)).result).toMatchObject({
      success: false,
      error_type: "internal_error",
      error_message: expect.stringMatching(message),
    });
  });
});

describe("a time limit", () => {
  const waits: Tool["execute"] = async (_args, { signal }) => {
    await aborted(signal);
    return { ok: false, errorType: "cancelled", message: "stopped", data: "half" };
  };

  test.each<readonly [string, Partial<Tool>, number]>([
    ["of the tool", { timeoutMs: 5_000 }, 5_000],
    ["that depends on the arguments", { timeoutMs: (args) => (args["path"] === "a" ? 700 : 1) }, 700],
    ["of 120 s when none is given", {}, 120_000],
    ["of 120 s when the tool's own is no number", { timeoutMs: () => Number.NaN }, 120_000],
    [
      "of 120 s when the tool's own fails",
      {
        timeoutMs: () => {
          throw new Error("boom");
        },
      },
      120_000,
    ],
    ["of 1 ms when the tool's own is negative", { timeoutMs: -5 }, 1],
  ])("%s stops the tool, which keeps what it got", async (_title, tool, ms) => {
    vi.useFakeTimers();
    let over = false;
    const run = start({ execute: waits, ...tool }).finally(() => {
      over = true;
    });
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(over).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect((await run).result).toMatchObject({
      error_type: "timeout",
      error_message: `stopped after its time limit of ${ms / 1_000} s; ask for more time or do less at once`,
      data: "half",
    });
    expect(vi.getTimerCount()).toBe(0);
  });

  test("without an end is not one that is over at once", async () => {
    expect((await start({ timeoutMs: Number.POSITIVE_INFINITY })).result.success).toBe(true);
  });

  test("a tool that finishes although it is stopped keeps its success", async () => {
    vi.useFakeTimers();
    const run = start({
      timeoutMs: 10,
      execute: async (_args, { signal }) => {
        await aborted(signal);
        return done("written");
      },
    });
    await vi.advanceTimersByTimeAsync(10);
    expect((await run).result).toMatchObject({ success: true, data: "written", error_type: "none" });
  });

  test.each(["timeout", "cancelled"] as const)(
    "a tool that does not stop is left after 2 s, and says so: %s",
    async (why) => {
      vi.useFakeTimers();
      const interrupt = new AbortController();
      const reports: string[] = [];
      let late: (() => void) | undefined;
      const run = start(
        {
          timeoutMs: why === "timeout" ? 1_000 : 60_000,
          execute: (_args, { report }) => {
            report("at work");
            late = () => report("still at work");
            return new Promise(() => undefined);
          },
        },
        interrupt.signal,
        (text) => reports.push(text),
      );
      await vi.advanceTimersByTimeAsync(500);
      if (why === "cancelled") interrupt.abort();
      await vi.advanceTimersByTimeAsync(2_500);
      const { result } = await run;
      expect(result.error_type).toBe(why);
      expect(result.error_message).toMatch(
        /^told to stop .+, but did not within 2 s: it may still be at work/,
      );
      late?.();
      expect(reports).toEqual(["at work"]);
      expect(vi.getTimerCount()).toBe(0);
    },
  );
});

describe("a question to the session's model", () => {
  const askMs = 300_000;
  const question = { who: "curator", system: "", question: "" };
  /** Starts a tool with a limit of 1 s. Its questions take 300 s, or until it is stopped. */
  function startAsking(execute: Tool["execute"], signal = new AbortController().signal) {
    vi.useFakeTimers();
    const aside: AsideOf = ({ signal: stopped }) => ({
      need: "",
      maxChars: async () => 1,
      ask: async () => {
        const { promise, resolve } = Promise.withResolvers<string | undefined>();
        const timer = setTimeout(resolve, askMs, "answer");
        stopped.addEventListener("abort", () => resolve(undefined), { once: true });
        return await promise.finally(() => clearTimeout(timer));
      },
    });
    return runTool({
      ...{ tool: makeTool({ timeoutMs: 1_000, execute }), arguments: {}, callId: "c1", notes: [] },
      ...{ signal, clock: { now: () => 7, monotonic: () => Date.now() }, report: () => undefined, aside },
    });
  }
  const pass = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

  test.each<readonly [string, Tool["execute"]]>([
    ["one", async (_, { aside }) => done((await aside?.ask(question)) ?? "")],
    [
      "two at once",
      async (_, { aside }) => {
        const late = pass(500).then(() => aside?.ask(question));
        return done((await Promise.all([aside?.ask(question), late]))[0] ?? "");
      },
    ],
    [
      "two in a row",
      async (_, { aside }) => {
        await aside?.ask(question);
        await pass(500);
        return done((await aside?.ask(question)) ?? "");
      },
    ],
  ])("takes none of the tool's time: %s", async (_title, execute) => {
    const run = startAsking(execute);
    await vi.advanceTimersByTimeAsync(2 * askMs + 1_000);
    expect((await run).result).toMatchObject({ success: true, data: "answer" });
    expect(vi.getTimerCount()).toBe(0);
  });

  test("leaves the tool the rest of its time", async () => {
    let over = false;
    const run = startAsking(async (_, { aside, signal }) => {
      await pass(400);
      await aside?.ask(question);
      await aborted(signal);
      throw new Error("stopped");
    }).finally(() => {
      over = true;
    });
    await vi.advanceTimersByTimeAsync(400 + askMs + 599);
    expect(over).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect((await run).result).toMatchObject({ success: false, error_type: "timeout" });
    expect(vi.getTimerCount()).toBe(0);
  });

  test("ends at once with an interrupt", async () => {
    const interrupt = new AbortController();
    const run = startAsking(async (_, { aside, signal }) => {
      await aside?.ask(question);
      signal.throwIfAborted();
      return done("");
    }, interrupt.signal);
    await vi.advanceTimersByTimeAsync(5_000);
    interrupt.abort();
    expect((await run).result.error_type).toBe("cancelled");
    expect(vi.getTimerCount()).toBe(0);
  });

  test("that nobody waits for ends with the tool", async () => {
    const run = startAsking(async (_, { aside }) => {
      void aside?.ask(question);
      return done("");
    });
    expect((await run).result.success).toBe(true);
    await vi.advanceTimersByTimeAsync(askMs);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("an interrupt", () => {
  test("aborts the tool's signal; what it did not finish is cancelled", async () => {
    const interrupt = new AbortController();
    const run = start(
      {
        execute: async (_args, { signal }) => {
          await aborted(signal);
          throw new Error("aborted");
        },
      },
      interrupt.signal,
    );
    interrupt.abort();
    expect((await run).result).toMatchObject({
      error_type: "cancelled",
      error_message: "stopped because of an interrupt",
    });
  });

  test("that came before starts nothing", async () => {
    let started = false;
    const execute = async () => {
      started = true;
      return done("");
    };
    const { result } = await start({ execute }, AbortSignal.abort());
    expect(result).toMatchObject({
      error_type: "cancelled",
      error_message: "not run: the person interrupted",
    });
    expect(started).toBe(false);
  });
});
