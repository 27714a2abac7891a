/** What a person has granted: rules of this session in memory, remembered ones in the store. */
import type { PermissionAnswer } from "@localharness/protocol";
import type { Clock } from "../clock.ts";
import { decide, type Explanation, explain } from "./decide.ts";
import type { Decision, PolicyQuestion, PolicyRule, PolicyStore } from "./rule.ts";

export interface Grants {
  /** Reads the store once; its warnings are for the person. */
  load(): Promise<readonly string[]>;
  decide(question: PolicyQuestion): Decision;
  explain(question: PolicyQuestion): Explanation;
  /** Keeps what an answer covers beyond the one call. Resolves to a warning when it could not be remembered. */
  record(question: PolicyQuestion, answer: PermissionAnswer): Promise<string | undefined>;
}

/** What a `session` or `remember` answer to this question covers, in words. */
export function coverage(question: PolicyQuestion): string {
  if (question.scope !== "") return `exactly this, in this workspace: ${question.scope}`;
  return `every ${question.tool} call in this workspace`;
}

export function createGrants(store: PolicyStore | undefined, clock: Clock): Grants {
  const session: PolicyRule[] = [];
  let remembered: readonly PolicyRule[] = [];
  const rules = () => [...remembered, ...session];

  return {
    async load() {
      if (store === undefined) return [];
      try {
        const loaded = await store.load();
        remembered = loaded.rules;
        return loaded.warnings;
      } catch (error) {
        return [`remembered permissions could not be read, so none holds: ${reasonOf(error)}`];
      }
    },
    decide: (question) => decide(question, rules()),
    explain: (question) => explain(question, rules()),
    async record(question, answer) {
      if (answer === "deny" || (answer === "once" && question.risk !== "low")) return undefined;
      session.push(grantRule(question, answer === "remember" ? "session" : answer, clock));
      if (answer !== "remember") return undefined;
      if (store === undefined)
        return "the answer holds for this session only: there is no place to remember it";
      try {
        await store.add(grantRule(question, answer, clock));
        return undefined;
      } catch (error) {
        return `the answer holds for this session only: ${reasonOf(error)}`;
      }
    },
  };
}

function grantRule(
  question: PolicyQuestion,
  answer: "once" | "session" | "remember",
  clock: Clock,
): PolicyRule {
  const justification =
    answer === "remember"
      ? "you chose Remember"
      : answer === "session"
        ? "you chose Session"
        : "you allowed it: asked once a session";
  return {
    id: `${answer === "remember" ? "remember" : "session"}:${question.tool}:${clock.now().toString(36)}-${nextNumber()}`,
    decision: "allow",
    justification,
    tool: question.tool,
    workspace: question.workspace,
    created: clock.now(),
    ...(question.scope === "" ? {} : { scope: question.scope }),
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function nextNumber(): string {
  return Math.floor(Math.random() * 36 ** 4).toString(36);
}
