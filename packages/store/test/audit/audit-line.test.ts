import { expect, test } from "vitest";
import { auditLine } from "../../src/audit/audit-line.ts";
import type { AuditedCall } from "../../src/audit/read-audit.ts";

const call: AuditedCall = {
  type: "call",
  time: Date.UTC(2026, 10, 1, 8, 30, 5),
  session: "s",
  call: "c",
  tool: "bash",
  arguments: { command: "ls" },
  argumentsHash: "0",
  risk: "high",
  decision: "ask",
  rule: "risk:high",
  ran: true,
};
const result = { success: true, error_type: "none", sha256: null, bytes: 12, ms: 5 } as const;
const person = { answer: "once", by: "person" } as const;

const cases: readonly (readonly [string, AuditedCall, string])[] = [
  [
    "allowed by the person",
    { ...call, answer: person, result },
    '2026-11-01 08:30:05  ok         bash  {"command":"ls"}  (ask by risk:high, risk high, you: once, 5 ms, 12 bytes)',
  ],
  [
    "denied by the person",
    { ...call, answer: { ...person, answer: "deny" } },
    '2026-11-01 08:30:05  DENIED     bash  {"command":"ls"}  (ask by risk:high, risk high, you: deny)',
  ],
  [
    "nobody to ask",
    { ...call, answer: { answer: "deny", by: "nobody" } },
    '2026-11-01 08:30:05  DENIED     bash  {"command":"ls"}  (ask by risk:high, risk high, nobody to ask)',
  ],
  [
    "interrupted while the person was asked",
    { ...call, answer: { answer: "deny", by: "interrupt" } },
    '2026-11-01 08:30:05  DENIED     bash  {"command":"ls"}  (ask by risk:high, risk high, you interrupted the question)',
  ],
  [
    "a plan that was approved",
    { ...call, answer: { ...person, mode: "auto" }, result },
    '2026-11-01 08:30:05  ok         bash  {"command":"ls"}  (ask by risk:high, risk high, you: once, on in mode auto, 5 ms, 12 bytes)',
  ],
  [
    "denied by a rule, with what spoke against it",
    { ...call, decision: "deny", rule: "built-in:path", concerns: ["path"] },
    '2026-11-01 08:30:05  DENIED     bash  {"command":"ls"}  (deny by built-in:path, risk high, because of path)',
  ],
  [
    "broken off",
    call,
    '2026-11-01 08:30:05  no end     bash  {"command":"ls"}  (ask by risk:high, risk high)',
  ],
  [
    "failed",
    { ...call, answer: person, result: { ...result, success: false, error_type: "timeout" } },
    '2026-11-01 08:30:05  timeout    bash  {"command":"ls"}  (ask by risk:high, risk high, you: once, 5 ms, 12 bytes)',
  ],
  [
    "refused when it was to run",
    { ...call, answer: person, result: { ...result, success: false, error_type: "permission_denied" } },
    '2026-11-01 08:30:05  DENIED     bash  {"command":"ls"}  (ask by risk:high, risk high, you: once, 5 ms, 12 bytes)',
  ],
];

test.each(cases)("a call on one line: %s", (_title, audited, line) => {
  expect(auditLine(audited)).toBe(line);
});

test("long arguments are cut", () => {
  const line = auditLine({ ...call, arguments: { command: "x".repeat(1000) } });
  expect(line.length).toBeLessThan(300);
  expect(line).toContain("x…");
});
