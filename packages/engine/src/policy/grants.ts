/** Keeps the person's permissions: in memory if they hold for this session only, and otherwise in the store. */
import type { PermissionAnswer } from "@localharness/protocol";
import { defined } from "@localharness/protocol";
import type { Clock } from "../clock.ts";
import type { RiskOfProgram } from "./check-rule.ts";
import { createPolicy, type Explanation } from "./decide.ts";
import { type PathFilter, pathFilter } from "./path-filter.ts";
import type { Decision, PolicyQuestion, PolicyRule, PolicyStore } from "./rule.ts";
import { usableRules } from "./usable-rules.ts";

export interface Grants {
  /** Reads the store once. Resolves to warnings for the person. */
  load(): Promise<readonly string[]>;
  decide(question: PolicyQuestion): Decision;
  explain(question: PolicyQuestion): Explanation;
  /** Returns a filter for the paths that an allowed call must leave out; undefined if there are none. */
  filter(question: PolicyQuestion): PathFilter | undefined;
  /** Returns the answers for this session that cover more than one call, as rules, the oldest first. */
  ofSession(): readonly PolicyRule[];
  /** Removes an answer of this session, even if it was remembered. Returns false if no answer has this id. */
  takeBack(id: string): boolean;
  /** Saves the permission that an answer gives beyond this call. Resolves to a warning if it cannot be remembered. */
  record(question: PolicyQuestion, answer: PermissionAnswer): Promise<string | undefined>;
}

/** Returns the scope of a `session` or `remember` answer to this question, in words. */
export function coverage(question: PolicyQuestion, decision: Decision): string {
  const only = onlyOnce(question, decision);
  if (only !== undefined) return `this one call: ${only}`;
  const { sessionScope } = question.facts;
  if (sessionScope === undefined) return lastingCoverage(question);
  return `for this session: ${sessionScope.covers}; remembered: ${lastingCoverage(question)}`;
}

/** Returns the answers that differ in what they allow; undefined when all four differ. */
export function usefulAnswers(
  question: PolicyQuestion,
  decision: Decision,
): readonly PermissionAnswer[] | undefined {
  return onlyOnce(question, decision) === undefined ? undefined : ["once", "deny"];
}

function lastingCoverage({ tool, scope, facts }: PolicyQuestion): string {
  if (facts.covers !== undefined) return `in this workspace: ${facts.covers}`;
  return scope === "" ? `every ${tool} call in this workspace` : `exactly this, in this workspace: ${scope}`;
}

/** Returns the reason why an answer can cover only this call; undefined if it can cover more. */
function onlyOnce(question: PolicyQuestion, decision: Decision): string | undefined {
  if (question.facts.rememberable === false) return "calls like this are asked about each time";
  // A permission cannot change the decision of a rule or concern that asks. It would only allow other calls.
  if (decision.rule !== `risk:${question.risk}`) return `${decision.rule} asks each time`;
  return undefined;
}

export function createGrants(store: PolicyStore | undefined, clock: Clock, riskOf: RiskOfProgram): Grants {
  const session: PolicyRule[] = [];
  let stored: readonly PolicyRule[] = [];
  let policy = createPolicy([]);
  const renew = () => {
    policy = createPolicy([...stored, ...session]);
  };

  return {
    async load() {
      if (store === undefined) return [];
      try {
        const loaded = await store.load();
        const usable = usableRules(loaded.rules, riskOf);
        stored = loaded.incomplete === true ? [...usable.rules, unreadRules] : usable.rules;
        renew();
        return [...loaded.warnings, ...usable.warnings];
      } catch (error) {
        stored = [unreadRules];
        renew();
        return [`remembered permissions could not be read, so none holds: ${reasonOf(error)}`];
      }
    },
    decide: (question) => policy.decide(question),
    explain: (question) => policy.explain(question),
    filter: (question) => pathFilter(policy, question),
    ofSession: () => session.filter(({ id }) => !id.startsWith(rememberedPrefix)),
    takeBack(id) {
      const at = session.findIndex((rule) => rule.id === id);
      if (at === -1) return false;
      session.splice(at, 1);
      renew();
      return true;
    },
    async record(question, answer) {
      if (answer === "deny" || (answer === "once" && question.risk !== "low")) return undefined;
      if (onlyOnce(question, policy.decide(question)) !== undefined) return undefined;
      const remembered = grantRule(question, answer, clock);
      const rule = sessionRule(question, answer, clock);
      session.push(answer === "remember" ? { ...rule, id: remembered.id } : rule);
      renew();
      if (answer !== "remember") return undefined;
      if (store === undefined) {
        return "the answer holds for this session only: there is no place to remember it";
      }
      try {
        await store.add(remembered);
        return undefined;
      } catch (error) {
        return `the answer holds for this session only: ${reasonOf(error)}`;
      }
    },
  };
}

/** The rule that replaces rules which cannot be read. An unread rule may forbid a call, so every call with a risk asks. */
const unreadRules: PolicyRule = {
  id: "built-in:unread-rules",
  decision: "ask",
  justification: "the rules could not all be read, and one of them may forbid it",
  risk: ["low", "medium", "high"],
  origin: "built-in",
};

/** The beginning of the ids of remembered answers. */
const rememberedPrefix = "remember:";

function sessionRule(
  question: PolicyQuestion,
  answer: "once" | "session" | "remember",
  clock: Clock,
): PolicyRule {
  const kind = answer === "remember" ? undefined : question.facts.sessionScope?.scope;
  const { tool, ...rule } = grantRule(question, answer === "remember" ? "session" : answer, clock);
  if (kind === undefined) return { ...rule, origin: "session", ...defined({ tool }) };
  const covers = question.facts.sessionScope?.covers ?? "";
  return { ...rule, origin: "session", scope: kind, justification: `${rule.justification}: ${covers}` };
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
    id: `${answer === "remember" ? rememberedPrefix : "session:"}${question.tool}:${clock.now().toString(36)}-${nextNumber()}`,
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
