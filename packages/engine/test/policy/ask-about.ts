/** A question for the policy about a call that is not read-only, and rules in a few words. */
import { type CallFacts, decide, type PolicyQuestion, type PolicyRule } from "@localharness/engine";

export const plainQuestion: PolicyQuestion = {
  tool: "write_file",
  arguments: { path: "a" },
  scope: "",
  risk: "high",
  readOnly: false,
  editsFiles: true,
  mode: "default",
  workspace: "/w",
  facts: {},
};

export function rule(decision: PolicyRule["decision"], more: Partial<PolicyRule> = {}): PolicyRule {
  return { id: `${decision}-rule`, decision, justification: `because ${decision}`, ...more };
}

/** Paths as `+a` for one that is written, `a` for one that is read, and a last `/` for all below it. */
export function touching(...paths: readonly string[]): CallFacts {
  return {
    paths: paths.map((text) => {
      const access = text.startsWith("+") ? "write" : "read";
      const path = text.replace(/^\+/, "");
      return path.endsWith("/") && path !== "/"
        ? { path: path.slice(0, -1), access, below: true }
        : { path, access };
    }),
  };
}

/** Program calls, each a line of words. */
export function running(...lines: readonly string[]): CallFacts {
  return { command: { text: lines.join("; "), calls: lines.map((line) => line.split(" ")) } };
}

/** `allow allow-rule`: what is decided, and by which rule. */
export function decided(rules: readonly PolicyRule[], more: Partial<PolicyQuestion> = {}): string {
  const { decision, rule: by } = decide({ ...plainQuestion, ...more }, rules);
  return `${decision} ${by}`;
}

/** What a tool that starts programs might say of them. */
export const riskOf = (program: string) => (program === "sh" ? "an interpreter" : undefined);
