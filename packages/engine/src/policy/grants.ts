/** Keeps the person's permissions: in memory if they hold for this session only, and otherwise in the store. */
import type { PermissionAnswer } from "@localharness/protocol";
import { defined, reasonOf } from "@localharness/protocol";
import type { Clock } from "../clock.ts";
import { addedRoots, addedScope } from "./added-scope.ts";
import type { RiskOfProgram } from "./check-rule.ts";
import { coversAnswer } from "./covers-answer.ts";
import { createPolicy, type Explanation } from "./decide.ts";
import type { CallFacts } from "./facts.ts";
import { type PathFilter, pathFilter } from "./path-filter.ts";
import type { Decision, PolicyQuestion, PolicyRule, PolicyStore } from "./rule.ts";
import { createStoredRules } from "./stored-rules.ts";

export interface Grants {
  /** Reads the store. Resolves to warnings for the person. */
  load(): Promise<readonly string[]>;
  /** Resolves to the decision of the rules that are in force now: first reads the store again if it has changed. */
  decide(question: PolicyQuestion): Promise<Decision>;
  explain(question: PolicyQuestion): Explanation;
  /** Returns a filter for the paths that an allowed call must leave out; undefined if there are none. */
  filter(question: PolicyQuestion): PathFilter | undefined;
  /** Returns the answers for this session that cover more than one call, as rules, the oldest first. */
  ofSession(): readonly PolicyRule[];
  /** Removes an answer of this session from memory, not from the store. Returns false if no answer has this id. */
  takeBack(id: string): boolean;
  /**
   * Saves the permission that an answer gives beyond this call; with `wider`, for all calls of the same beginning. Resolves to a
   * warning if it cannot be remembered.
   */
  record(question: PolicyQuestion, answer: PermissionAnswer, wider?: boolean): Promise<string | undefined>;
}

/** Returns the scope of a `session` or `remember` answer to this question within its workspace, in words. */
export function coverage(question: PolicyQuestion, decision: Decision): string {
  const only = onlyOnce(question, decision);
  if (only !== undefined) return `this one call: ${only}`;
  const { tool, scope, facts } = question;
  const covers = facts.kind?.covers ?? facts.covers;
  if (covers !== undefined) return covers;
  if (scope === "") return `every ${tool} call`;
  const isOfFolders = scope === addedScope(facts);
  return isOfFolders ? `every ${tool} call in ${addedRoots(facts).join(" and ")}` : `exactly this: ${scope}`;
}

/** Returns the answers that differ in what they allow; undefined when all four differ. */
export function usefulAnswers(
  question: PolicyQuestion,
  decision: Decision,
): readonly PermissionAnswer[] | undefined {
  return onlyOnce(question, decision) === undefined ? undefined : ["once", "deny"];
}

/** Returns the wider scope that an answer to this question may have; undefined if there is none. */
export function widerScope({ risk, facts }: PolicyQuestion, decision: Decision): CallFacts["wider"] {
  return decision.rule === `risk:${risk}` ? facts.wider : undefined;
}

/** Returns the reason why an answer can cover only this call; undefined if it can cover more. */
function onlyOnce(question: PolicyQuestion, decision: Decision): string | undefined {
  if (question.facts.rememberable === false) return "calls like this are asked about each time";
  // A permission cannot change the decision of a rule or concern that asks. It would only allow other calls.
  if (decision.rule !== `risk:${question.risk}`) return `${decision.rule} asks each time`;
  return undefined;
}

/** Creates the grants of a session. `tell` gets the warnings about rules that are read again. */
export function createGrants(
  store: PolicyStore | undefined,
  clock: Clock,
  riskOf: RiskOfProgram,
  tell: (warning: string) => void,
): Grants {
  let session: PolicyRule[] = [];
  const stored = createStoredRules(store, riskOf);
  let policy = createPolicy([]);
  const prepare = () => {
    policy = createPolicy([...stored.rules(), ...session]);
  };
  const renew = async () => {
    const { read, warnings } = await stored.renew();
    if (read === "nothing") return;
    // The store has the remembered answers that still hold.
    if (read === "all") session = session.filter(({ id }) => !id.startsWith(rememberedPrefix));
    prepare();
    for (const warning of warnings) tell(warning);
  };

  return {
    async load() {
      const warnings = await stored.load();
      prepare();
      return warnings;
    },
    async decide(question) {
      await renew();
      return policy.decide(question);
    },
    explain: (question) => policy.explain(question),
    filter: (question) => pathFilter(policy, question),
    ofSession: () => session.filter(({ id }) => !id.startsWith(rememberedPrefix)),
    takeBack(id) {
      const at = session.findIndex((rule) => rule.id === id);
      if (at === -1) return false;
      session.splice(at, 1);
      prepare();
      return true;
    },
    async record(question, answer, wider = false) {
      if (answer === "deny" || (answer === "once" && question.risk !== "low")) return undefined;
      const decision = policy.decide(question);
      const mayLast = wider ? widerScope(question, decision) : onlyOnce(question, decision) === undefined;
      if (mayLast === undefined || mayLast === false) return undefined;
      const remembered = grantRule(question, answer, clock, wider);
      const rule = grantRule(question, answer === "remember" ? "session" : answer, clock, wider);
      const held = answer === "remember" ? { ...rule, id: remembered.id } : rule;
      session = [...session.filter((other) => !coversAnswer(held, other)), held];
      prepare();
      if (answer !== "remember") return undefined;
      const unkept = await keep(store, remembered);
      if (unkept === undefined) return undefined;
      session = session.map((one) => (one === held ? rule : one));
      prepare();
      return `the answer holds for this session only: ${unkept}`;
    },
  };
}

/** Saves a remembered answer. Resolves to the reason why it could not be saved; undefined if it was saved. */
async function keep(store: PolicyStore | undefined, rule: PolicyRule): Promise<string | undefined> {
  if (store === undefined) return "there is no place to remember it";
  try {
    await store.add(rule);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

/** The beginning of the ids of remembered answers. */
const rememberedPrefix = "remember:";

function grantRule(
  question: PolicyQuestion,
  answer: "once" | "session" | "remember",
  clock: Clock,
  wider: boolean,
): PolicyRule {
  const justification =
    answer === "remember"
      ? "you chose Remember"
      : answer === "session"
        ? "you chose Session"
        : "you allowed it: asked once a session";
  const { kind } = question.facts;
  const made = {
    id: `${answer === "remember" ? rememberedPrefix : "session:"}${question.tool}:${clock.now().toString(36)}-${nextNumber()}`,
    decision: "allow",
    origin: answer === "remember" ? "remembered" : "session",
    workspace: question.workspace,
    created: clock.now(),
  } as const;
  // Calls of one kind may be made by several tools, so such a rule names none.
  if (kind !== undefined) {
    return { ...made, scope: kind.scope, justification: `${justification}: ${kind.covers}` };
  }
  const { tool, facts } = question;
  const within = facts.wider?.scope;
  if (wider) return { ...made, justification, tool, ...defined({ scope: within }) };
  const scope = question.scope === "" ? undefined : question.scope;
  return { ...made, justification, tool, ...defined({ scope, within }) };
}

function nextNumber(): string {
  return Math.floor(Math.random() * 36 ** 4).toString(36);
}
