/** Checks which rules the person can forget in the list of rules. */
import type { PolicyRule, PolicyStore, RuleOrigin } from "@localharness/engine";
import { expect, test } from "vitest";
import { forgetRule, listRuleChoices } from "../../src/host/rule-choices.ts";

function rule(origin: RuleOrigin): PolicyRule {
  return { id: origin, decision: "ask", justification: "", tool: "bash", origin };
}

test("the person can forget own rules and remembered answers, and no others", async () => {
  const rules = (["user", "remembered", "project", "session"] as const).map(rule);
  const store: PolicyStore = {
    load: () => Promise.resolve({ rules, warnings: [] }),
    add: () => Promise.resolve(),
    forget: () => Promise.resolve(false),
  };
  const answer = { ...rule("session"), id: "answer" };
  const choices = await listRuleChoices(store, { answers: () => [answer] }, "/here");
  expect(choices.filter(({ forgettable }) => forgettable).map(({ id }) => id)).toEqual([
    "answer",
    "user",
    "remembered",
  ]);
});

test("rules of other folders are marked", async () => {
  const rules = ["/here", "/other", undefined].map((workspace) => ({
    ...rule("user"),
    ...(workspace === undefined ? {} : { workspace }),
  }));
  const store: PolicyStore = {
    load: () => Promise.resolve({ rules, warnings: [] }),
    add: () => Promise.resolve(),
    forget: () => Promise.resolve(false),
  };
  const choices = await listRuleChoices(store, { answers: () => [] }, "/here");
  expect(choices.map(({ elsewhere }) => elsewhere)).toEqual([false, true, false]);
});

test("an answer of the session is taken back, and a rule is removed from its file", async () => {
  const forgotten: string[] = [];
  const store: PolicyStore = {
    load: () => Promise.resolve({ rules: [], warnings: [] }),
    add: () => Promise.resolve(),
    forget: (id) => Promise.resolve(id === "user" && forgotten.push(id) > 0),
  };
  const session = { takeBackAnswer: (id: string) => id === "answer" };
  await forgetRule(store, session, "answer");
  expect(forgotten).toEqual([]);
  await forgetRule(store, session, "user");
  expect(forgotten).toEqual(["user"]);
  await expect(forgetRule(store, session, "none")).rejects.toThrow("you have no rule none");
});
