/** Checks that a call which did not run tells the person why in their own words, and the model what it should do. */
import type { PersonsAnswer, PolicyRule } from "@localharness/engine";
import { expect, test } from "vitest";
import { memoryPolicyStore } from "../memory-policy-store.ts";
import { type Opening, openSession, runTurn } from "../open-session.ts";
import { say } from "../scripted-model.ts";
import { write, written } from "../write-session.ts";

const noWrites: PolicyRule = { id: "no", decision: "deny", justification: "no writes.", tool: "write" };
const noted: PersonsAnswer = { answer: "deny", note: "use x" };

function one(more: Partial<Opening>) {
  return openSession({ steps: [written("a"), say("ok")], tools: [write()], ...more });
}

test.each([
  [
    "denied",
    () => one({ answers: ["deny"] }),
    /^the person denied .* ask the person what to do$/,
    "you denied it",
  ],
  ["denied with a note", () => one({ answers: [noted] }), /says: use x\nDo what/, "you denied it: use x"],
  [
    "denied by a rule",
    () => one({ policyStore: memoryPolicyStore([noWrites]) }),
    /^denied by the rule no: no writes\. Do not try it again/,
    "denied by the rule no: no writes",
  ],
  [
    "that nobody could be asked about",
    () => one({ interactive: false }),
    /\. Go on without it, and tell the person to allow it with --allow/,
    /^nobody could be asked: this call needs permission \(.*\)\. Allow it with --allow, .*$/,
  ],
  [
    "that was interrupted",
    () => one({ when: { "permission-request": { type: "interrupt" } } }),
    /^not run: the person interrupted$/,
    "not run: you interrupted",
  ],
] as const)("a call %s", async (_title, open, told, why) => {
  const opened = open();
  await runTurn(opened);
  const [only] = opened.results();
  expect(only?.result.error_message).toMatch(told);
  expect(only?.why).toEqual(typeof why === "string" ? why : expect.stringMatching(why));
  expect(only?.display).toContain(`Error: ${only?.why}`);
});
