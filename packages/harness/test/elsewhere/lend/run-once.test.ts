/**
 * A call of another machine runs at most once: sent again while it runs, after its end, in another order, after a
 * restart, and after it was forgotten.
 */
import { createHash } from "node:crypto";
import { appendFileSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { refusal, systemClock, toResult } from "@localharness/engine";
import type { Access } from "@localharness/mcp/server";
import type { PermissionAnswer, PermissionRequest, ToolResult } from "@localharness/protocol";
import { type CallLog, openCallLog } from "@localharness/store/lent/call-log";
import { createWriteJournal } from "@localharness/workspace/files/write-journal";
import { afterAll, describe, expect, test } from "vitest";
import { createRunOnce, type OnceCall } from "../../../src/elsewhere/lend/run-once.ts";

const journal = createWriteJournal(mkdtempSync(join(tmpdir(), "lh-once-")));
afterAll(() => journal.close());
const sender = "sender-sender-sender-1";

function call(number: number, more: Partial<OnceCall> = {}): OnceCall {
  const mark = { id: `${sender}:${number}`, session: "s", turn: "t" };
  return { mark, name: "bash", arguments: { command: "x" }, readOnly: false, ...more };
}

function access(more: Partial<Access> = {}): Access {
  return { signal: new AbortController().signal, ...more };
}

const done = (text: string): ToolResult => toResult({ ok: true, data: text }, systemClock, 1);

/** Opens a log in a new file, with a work that counts its runs and ends when it is released. */
async function open(path = join(mkdtempSync(join(tmpdir(), "lh-once-")), "calls.jsonl")) {
  const log = await openCallLog(path, journal);
  const once = createRunOnce(log);
  const runs: { readonly access: Access; end(text: string): void }[] = [];
  const work = (lasting: Access) =>
    new Promise<ToolResult>((resolve) => {
      lasting.signal.addEventListener("abort", () => resolve(refusal("cancelled", "stopped", systemClock)));
      runs.push({ access: lasting, end: (text) => resolve(done(text)) });
    });
  const run = (one: OnceCall, from: Access = access()) => once.run(one, from, work);
  return { path, log, once, runs, run };
}

describe("a call", () => {
  test("that is sent again while it runs is joined, and both get its result", async () => {
    const { run, runs } = await open();
    const both = [run(call(1)), run(call(1))];
    await expect.poll(() => runs.length).toBe(1);
    runs[0]?.end("one");
    expect((await Promise.all(both)).map(({ data }) => data)).toEqual(["one", "one"]);
  });

  test("that is replayed after its end gets the same result, in whatever order", async () => {
    const { run, runs } = await open();
    for (const number of [3, 1, 2]) {
      const first = run(call(number));
      await expect.poll(() => runs.length).toBeGreaterThan(0);
      runs.pop()?.end(`result ${number}`);
      await first;
    }
    for (const number of [1, 3, 2, 2]) expect((await run(call(number))).data).toBe(`result ${number}`);
    expect(runs).toEqual([]);
  });

  test("with the id of another call is refused", async () => {
    const { run, runs } = await open();
    const first = run(call(1));
    await expect.poll(() => runs.length).toBe(1);
    const other = call(1, { arguments: { command: "rm -rf ." } });
    expect(await run(other)).toMatchObject({ success: false, error_type: "validation_failed" });
    runs[0]?.end("one");
    await first;
    expect(await run(other)).toMatchObject({ success: false, error_type: "validation_failed" });
    expect(runs).toHaveLength(1);
  });

  test.each([true, false])(
    "ended before a restart: its result comes back; cut off in the log: %j",
    async (cutOff) => {
      const before = await open();
      const first = before.run(call(1));
      await expect.poll(() => before.runs.length).toBe(1);
      before.runs[0]?.end("kept");
      await first;
      if (cutOff) appendFileSync(before.path, '\n{"id":"half');
      const { run, runs } = await open(before.path);
      expect((await run(call(1))).data).toBe("kept");
      expect(runs).toEqual([]);
    },
  );

  test("that ran when the program ended has an unknown outcome, and does not run again", async () => {
    const before = await open();
    void before.run(call(1));
    await expect.poll(() => before.runs.length).toBe(1);
    const { run, runs } = await open(before.path);
    expect(await run(call(1))).toMatchObject({ error_message: expect.stringMatching(/^outcome unknown/) });
    expect(runs).toEqual([]);
  });

  test("that only reads leaves nothing on disk, and may be read again after a restart", async () => {
    const before = await open();
    const read = call(1, { name: "read_file", readOnly: true });
    void before.run(read);
    await expect.poll(() => before.runs.length).toBe(1);
    expect(readFileSync(before.path, "utf8")).toBe("");
    const { run, runs } = await open(before.path);
    const again = run(read);
    await expect.poll(() => runs.length).toBe(1);
    runs[0]?.end("read");
    expect((await again).data).toBe("read");
  });

  test("that is older than the log does not run", async () => {
    const { log, path } = await open();
    fill(log, 2_500);
    const { run, runs } = await open(path);
    expect(await run(call(7))).toMatchObject({ error_message: expect.stringMatching(/^outcome unknown/) });
    expect((await run(call(2_400))).data).toBe("2400");
    expect(runs).toEqual([]);
  });

  test("that cannot be recorded does not run", async () => {
    const { log, run, runs } = await open();
    log.close();
    expect(await run(call(1))).toMatchObject({
      error_message: expect.stringMatching(/^not run: the call could not/),
    });
    expect(runs).toEqual([]);
  });

  test("goes on when its connection breaks, and ends when it is stopped", async () => {
    const { run, runs, once } = await open();
    const gone = new AbortController();
    const first = run(call(1), access({ signal: gone.signal }));
    await expect.poll(() => runs.length).toBe(1);
    gone.abort();
    expect(runs[0]?.access.signal.aborted).toBe(false);
    once.stop(`${sender}:1`);
    expect(await first).toMatchObject({ error_type: "cancelled" });
  });
});

/** Fills the log with ended calls that all have the arguments of `call`. */
function fill(log: CallLog, count: number): void {
  const { name, arguments: args } = call(1);
  const hash = createHash("sha256")
    .update(JSON.stringify([name, args]))
    .digest("hex");
  for (let number = 1; number <= count; number += 1) {
    const id = `${sender}:${number}`;
    log.begin(id, hash);
    log.end(id, done(String(number)));
  }
  log.close();
}

describe("a question", () => {
  const request = {
    requestId: "q1",
    callId: `${sender}:1`,
    toolName: "bash",
  } as unknown as PermissionRequest;
  const asked = () => {
    const questions: PermissionRequest[] = [];
    const answered = Promise.withResolvers<PermissionAnswer>();
    const ask: Access["ask"] = (one) => {
      questions.push(one);
      return answered.promise;
    };
    return { questions, ask, answer: answered.resolve };
  };

  test("is put again to the connection that comes back, and an answer over the broken one does not count", async () => {
    const { run, runs } = await open();
    const gone = new AbortController();
    const old = asked();
    const result = run(call(1), access({ signal: gone.signal, ask: old.ask }));
    await expect.poll(() => runs.length).toBe(1);
    const lasting = runs[0]?.access;
    const answer = lasting?.ask?.(request, lasting.signal);
    expect(old.questions).toEqual([request]);
    gone.abort();
    old.answer("session");
    const fresh = asked();
    void run(call(1), access({ ask: fresh.ask }));
    await expect.poll(() => fresh.questions).toEqual([request]);
    fresh.answer("deny");
    expect(await answer).toBe("deny");
    runs[0]?.end("over");
    await result;
  });

  test("is denied if the other end can ask nobody", async () => {
    const { run, runs } = await open();
    void run(call(1));
    await expect.poll(() => runs.length).toBe(1);
    const lasting = runs[0]?.access;
    expect(await lasting?.ask?.(request, lasting.signal)).toBe("deny");
  });
});
