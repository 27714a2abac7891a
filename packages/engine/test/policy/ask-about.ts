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

/** Returns facts about paths: `+a` is written, `a` is read, and a last `/` means all below the path. */
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

/** Returns facts about program calls, each given as a line of words. */
export function running(...lines: readonly string[]): CallFacts {
  return { command: { text: lines.join("; "), calls: lines.map((line) => line.split(" ")) } };
}

/** Returns what is decided, and by which rule, such as `allow allow-rule`. */
export function decided(rules: readonly PolicyRule[], more: Partial<PolicyQuestion> = {}): string {
  const { decision, rule: by } = decide({ ...plainQuestion, ...more }, rules);
  return `${decision} ${by}`;
}

/** Returns what is dangerous about a program, as a tool that starts programs might say; undefined for nothing. */
export const riskOf = (program: string) => (program === "sh" ? "an interpreter" : undefined);
