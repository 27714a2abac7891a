/** What is written in policies.json, and what is wrong with a file that cannot be read as that. */
import type { PolicyRule } from "@localharness/engine";
import { isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";
import { readJsonSource } from "../config/json-source.ts";
import type { KeptText } from "../kept-file/kept-file.ts";

export const policyVersion = 1;

export type PolicyText = KeptText<readonly PolicyRule[]>;

/** Reads the text of a policies file. All or nothing: half of a person's answers would be other answers. */
export function readPolicyText(text: string): PolicyText {
  const source = readJsonSource(text);
  if (!source.ok) return broken(source.line, source.message);
  if (!isJsonObject(source.value)) return broken(1, "expected an object with version and rules");
  const { version, rules } = source.value;
  if (typeof version === "number" && version > policyVersion) return { kind: "newer", version };
  if (version !== policyVersion) {
    return broken(
      source.lineOf("version"),
      `expected "version": ${policyVersion}, got ${JSON.stringify(version)}`,
    );
  }
  if (!Array.isArray(rules)) return broken(source.lineOf("rules"), 'expected "rules": [...]');
  const read: PolicyRule[] = [];
  for (const [index, value] of rules.entries()) {
    const rule = readRule(value);
    if (typeof rule === "string") return broken(source.lineOf(`rules.${index}`), rule);
    if (read.some((other) => other.id === rule.id)) {
      return broken(source.lineOf(`rules.${index}`), `the id "${rule.id}" is there twice`);
    }
    read.push(rule);
  }
  return { kind: "value", value: read };
}

export function writePolicyText(rules: readonly PolicyRule[]): string {
  return `${JSON.stringify({ version: policyVersion, rules }, null, 2)}\n`;
}

const texts = ["tool", "scope", "workspace"] as const;
const known: readonly string[] = ["id", "decision", "justification", "created", ...texts];

function readRule(value: JsonValue): PolicyRule | string {
  if (!isJsonObject(value)) return "a rule is an object";
  const { id, decision, justification, created } = value;
  if (typeof id !== "string" || id === "") return 'a rule needs an "id"';
  if (decision !== "allow" && decision !== "ask" && decision !== "deny") {
    return `"decision" expects allow, ask or deny, got ${JSON.stringify(decision)}`;
  }
  const wrong = texts.find((key) => value[key] !== undefined && typeof value[key] !== "string");
  if (wrong !== undefined) return `"${wrong}" expects text, got ${JSON.stringify(value[wrong])}`;
  const foreign = Object.keys(value).find((key) => !known.includes(key));
  // A condition that is not understood must not be dropped: the rule would cover more than it says.
  if (foreign !== undefined) return `unknown key "${foreign}" in a rule`;
  return {
    id,
    decision,
    justification: typeof justification === "string" ? justification : "",
    ...textsOf(value),
    ...(typeof created === "number" ? { created } : {}),
  };
}

function textsOf(value: JsonObject): Partial<Record<(typeof texts)[number], string>> {
  const found: Partial<Record<(typeof texts)[number], string>> = {};
  for (const key of texts) {
    const text = value[key];
    if (typeof text === "string") found[key] = text;
  }
  return found;
}

function broken(line: number, problem: string): PolicyText {
  return { kind: "broken", problem: `line ${line}: ${problem}` };
}
