/** Questions of a running call: what the tool gets, and what the audit log has. */
import type { AnswerForElsewhere, AuditEntry, AuditLog } from "@localharness/engine";
import { expect, test } from "vitest";
import type { PersonsAnswer } from "../../src/calls/ask-permission.ts";
import { makeTool } from "../make-tool.ts";
import { type Opening, openSession } from "../open-session.ts";
import { call, say } from "../scripted-model.ts";

const question = {
  toolName: "reach",
  arguments: { host: "a.example", key: "sesame" },
  argumentsHash: "0",
  risk: "medium",
  rule: "risk:medium",
  reason: "r",
  covers: "",
  answers: ["once", "deny"],
  offers: [{ id: "session", words: "For this session", short: "Session", detail: "d" }],
  concerns: [],
} as const;

/** Runs one call whose tool asks the question. */
async function asked(answer: PersonsAnswer, more: Partial<Opening> = {}) {
  const given: (AnswerForElsewhere | undefined)[] = [];
  const tool = makeTool({
    name: "run",
    readOnly: false,
    risk: "safe",
    execute: async (_args, { ask, signal }) => {
      given.push(await ask?.(question, signal));
      return { ok: true, data: "done" };
    },
  });
  const opened = openSession({
    steps: [call(["run", { path: "a" }]), say("ok")],
    tools: [tool],
    answers: [answer],
    mask: (text) => text.replaceAll("sesame", "[key]"),
    ...more,
  });
  await opened.session.prompt("go");
  return { opened, given };
}

/** Returns a log that keeps the first `limit` entries and fails then. */
function logOf(limit: number): AuditLog & { readonly entries: AuditEntry[] } {
  const entries: AuditEntry[] = [];
  return {
    entries,
    async append(entry) {
      if (entries.length >= limit) throw new Error("the disk is full");
      entries.push(entry);
    },
  };
}

test.each<readonly [PersonsAnswer, AnswerForElsewhere | undefined]>([
  [
    { answer: "once", offer: "session" },
    { answer: "once", offer: "session" },
  ],
  [{ answer: "once" }, { answer: "once" }],
  [
    { answer: "deny", note: "not there" },
    { answer: "deny", note: "not there" },
  ],
  [{ answer: "once", offer: "everything" }, undefined],
])("the answer %j reaches the tool as %j", async (answer, expected) => {
  expect((await asked(answer)).given).toEqual([expected]);
});

test("nobody answers in a session without a person", async () => {
  expect((await asked({ answer: "once" }, { interactive: false })).given).toEqual([undefined]);
});

test("the audit log has the answer with its subject, with secrets masked, before the tool goes on", async () => {
  const audit = logOf(9);
  await asked({ answer: "once", offer: "session" }, { audit });
  expect(audit.entries.map(({ type }) => type)).toEqual(["call", "answer", "result"]);
  expect(audit.entries[1]).toMatchObject({
    answer: "once",
    offer: "session",
    by: "person",
    about: { tool: "reach", arguments: { host: "a.example", key: "[key]" } },
  });
});

test("an answer that the audit log cannot keep allows nothing", async () => {
  const { given } = await asked({ answer: "once" }, { audit: logOf(1) });
  expect(given).toEqual([undefined]);
});

test("a question that waits for another one ends with its signal, while the other one stays open", async () => {
  const ended: string[] = [];
  const tool = makeTool({
    name: "run",
    readOnly: false,
    risk: "safe",
    execute: async (_args, { ask }) => {
      const asking = ["first", "second"].map((name) => {
        const stop = new AbortController();
        return { stop, end: ask?.(question, stop.signal).then(() => ended.push(name)) };
      });
      for (const { stop, end } of asking.toReversed()) {
        stop.abort();
        await Promise.race([end, new Promise(setImmediate)]);
      }
      await Promise.all(asking.map(({ end }) => end));
      return { ok: true, data: "done" };
    },
  });
  const opened = openSession({ steps: [call(["run", { path: "a" }]), say("ok")], tools: [tool] });
  await opened.session.prompt("go");
  expect(ended).toEqual(["second", "first"]);
  expect(opened.of("permission-request")).toHaveLength(1);
});
