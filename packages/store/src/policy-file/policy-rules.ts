/** Parses and writes the text of a rules file, and explains what is wrong with an invalid file. */
import type { PolicyRule, RuleOrigin } from "@localharness/engine";
import { isJsonObject, type JsonValue, suggestion } from "@localharness/protocol";
import { readJsonSource } from "../json-source.ts";
import type { KeptText } from "../kept-file/kept-file.ts";
import { ruleFields } from "./rule-fields.ts";

/**
 * The version that this program writes. Version 1 had only `tool`, `scope` and `workspace` as conditions; its files are
 * still valid.
 */
export const policyVersion = 2;

export type PolicyText = KeptText<readonly PolicyRule[]>;

/**
 * Parses the text of a rules file. One invalid rule makes the whole file invalid, because a part of the rules could
 * allow more than all of them.
 */
export function readPolicyText(text: string, origin: RuleOrigin = "user"): PolicyText {
  const source = readJsonSource(text);
  if (!source.ok) return broken(source.line, source.message);
  if (!isJsonObject(source.value)) return broken(1, "expected an object with version and rules");
  const { version, rules, $schema: _schema, ...others } = source.value;
  if (typeof version === "number" && version > policyVersion) return { kind: "newer", version };
  if (version !== policyVersion && version !== 1) {
    return broken(
      source.lineOf("version"),
      `expected "version": ${policyVersion}, got ${JSON.stringify(version)}`,
    );
  }
  const [foreign] = Object.keys(others);
  if (foreign !== undefined) return broken(source.lineOf(foreign), `unknown key "${foreign}"`);
  if (!Array.isArray(rules)) return broken(source.lineOf("rules"), 'expected "rules": [...]');
  const read: PolicyRule[] = [];
  const ids = new Set<string>();
  for (const [index, value] of rules.entries()) {
    const rule = readRule(value, origin);
    if (typeof rule === "string") return broken(source.lineOf(`rules.${index}`), rule);
    if (ids.has(rule.id)) return broken(source.lineOf(`rules.${index}`), `the id "${rule.id}" occurs twice`);
    ids.add(rule.id);
    read.push(rule);
  }
  return { kind: "value", value: read };
}

/** Returns the rules as JSON text, without `origin`, which depends on where the file is. */
export function writePolicyText(rules: readonly PolicyRule[]): string {
  const written = rules.map(({ origin: _origin, ...rule }) => rule);
  return `${JSON.stringify({ version: policyVersion, rules: written }, null, 2)}\n`;
}

/** Returns the rule, or an error message. */
export function readRule(value: JsonValue, origin: RuleOrigin): PolicyRule | string {
  if (!isJsonObject(value)) return "a rule must be an object";
  const known = ruleFields.map((field) => field.key);
  const foreign = Object.keys(value).find((key) => !known.includes(key));
  // An unknown condition must not be dropped, because the rule would then cover more than the person meant.
  if (foreign !== undefined) return `unknown key "${foreign}" in a rule.${suggestion(foreign, known)}`;
  for (const field of ruleFields) {
    const given = value[field.key];
    if (given === undefined) {
      if (field.key === "id" || field.key === "decision") {
        return `a rule needs ${JSON.stringify(field.key)}: ${field.expected}`;
      }
    } else if (!field.isRight(given)) {
      return `"${field.key}" expects ${field.expected}, got ${JSON.stringify(given)?.slice(0, 80)}`;
    }
  }
  // Every key was checked against the table of fields, which matches the type.
  const rule = { justification: "", ...value } as unknown as PolicyRule;
  return { ...rule, origin: origin === "user" && rule.id.startsWith("remember:") ? "remembered" : origin };
}

function broken(line: number, problem: string): PolicyText {
  return { kind: "broken", problem: `line ${line}: ${problem}` };
}
