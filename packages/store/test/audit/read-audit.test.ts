import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AuditEntry } from "@localharness/engine";
import { expect, test } from "vitest";
import { auditLine } from "../../src/audit/audit-line.ts";
import { type AuditedCall, readAudit } from "../../src/audit/read-audit.ts";

type Decision = "allow" | "ask" | "deny" | "skip";

const asked = (call: string, decision: Decision, session = "s"): AuditEntry => ({
  type: "call",
  time: 1,
  session,
  call,
  tool: "ls",
  arguments: {},
  argumentsHash: "0",
  decision,
  rule: "r",
});
const answered = (call: string, answer: "once" | "deny"): AuditEntry => ({
  type: "answer",
  time: 2,
  session: "s",
  call,
  answer,
  by: "person",
});
const done = (call: string, error_type: "none" | "permission_denied" | "timeout" = "none"): AuditEntry => ({
  type: "result",
  time: 3,
  session: "s",
  call,
  success: error_type === "none",
  error_type,
  sha256: null,
  bytes: 0,
  ms: 1,
});

const about = { tool: "reach_host", arguments: { host: "a.example" } };
const deniedHost = { ...answered("a", "deny"), about } as AuditEntry;

/** Writes the texts as the files of one log, oldest first, and reads it. */
async function read(...texts: readonly string[]): Promise<{ calls: AuditedCall[]; unreadable: number }> {
  const folder = mkdtempSync(join(tmpdir(), "lh-audit-"));
  const paths = texts.map((text, index) => {
    const path = join(folder, String(index));
    writeFileSync(path, text);
    return path;
  });
  let unreadable = 0;
  const calls: AuditedCall[] = [];
  for await (const call of readAudit([join(folder, "absent"), ...paths], () => (unreadable += 1)))
    calls.push(call);
  return { calls, unreadable };
}

const lines = (...entries: readonly AuditEntry[]) =>
  entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");

const runs: readonly (readonly [string, readonly AuditEntry[], boolean])[] = [
  ["allowed and done", [asked("a", "allow"), done("a")], true],
  ["asked, allowed and done", [asked("a", "ask"), answered("a", "once"), done("a")], true],
  ["failed", [asked("a", "allow"), done("a", "timeout")], true],
  ["broken off", [asked("a", "allow")], true],
  ["denied by a rule", [asked("a", "deny"), done("a", "permission_denied")], false],
  ["denied by the person", [asked("a", "ask"), answered("a", "deny"), done("a", "permission_denied")], false],
  ["denied a host while it ran", [asked("a", "allow"), deniedHost, done("a")], true],
  ["never run", [asked("a", "skip"), done("a")], false],
  ["refused at the last moment", [asked("a", "allow"), done("a", "permission_denied")], false],
];

test.each(runs)("tells whether a call ran: %s", async (_title, entries, ran) => {
  expect((await read(lines(...entries))).calls).toMatchObject([{ call: "a", ran }]);
});

test("puts together what belongs to one call, across files and between others", async () => {
  const { calls, unreadable } = await read(
    lines(asked("a", "ask"), asked("b", "allow"), done("b")),
    lines(answered("a", "once"), asked("a", "allow", "other"), done("a", "timeout")),
  );
  expect(calls).toMatchObject([
    { session: "s", call: "a", answer: { answer: "once" }, result: { error_type: "timeout" } },
    { session: "s", call: "b", result: { error_type: "none" } },
    { session: "other", call: "a" },
  ]);
  expect(calls[2]).not.toHaveProperty("result");
  expect(unreadable).toBe(0);
});

test("keeps the answer about a call apart from those to what it asked while it ran", async () => {
  const opened = { ...answered("a", "once"), offer: "network" } as AuditEntry;
  const { calls } = await read(lines(asked("a", "ask"), opened, deniedHost, deniedHost, done("a")));
  expect(calls).toMatchObject([
    {
      answer: { answer: "once", offer: "network" },
      asked: [
        { answer: "deny", by: "person", about },
        { answer: "deny", about },
      ],
    },
  ]);
  expect(auditLine(calls[0] as AuditedCall)).toContain(
    'you: once (network), reach_host {"host":"a.example"} you: deny, reach_host',
  );
});

test("leaves out lines that cannot be read, and counts them", async () => {
  const torn = lines(asked("a", "allow")).slice(0, -20);
  const { calls, unreadable } = await read(
    `${torn}\n\n${lines(asked("b", "allow"))}[1]\n{"type":"call"}\n{"type":"note","time":1,"session":"s","call":"c"}\n${lines(done("gone"))}`,
  );
  expect(calls.map(({ call }) => call)).toEqual(["b"]);
  expect(unreadable).toBe(4);
});

test.each(["\u2028", "\u2029", "\u0085", "\r", "\n", "\v", "\f"])(
  "no character in a call hides it: %j",
  async (character) => {
    const call = { ...asked("a", "allow"), arguments: { command: `rm -rf .${character}` } };
    expect(await read(lines(call, done("a")))).toMatchObject({
      calls: [{ call: "a", ran: true }],
      unreadable: 0,
    });
  },
);
