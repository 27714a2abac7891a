/**
 * Reads the rules of `--allow`, which apply to one run. They can only allow. Rules that deny or ask take precedence over
 * them, and so do protected names.
 */

import { riskOfProgram } from "@localharness/commands/shell/programs/table";
import {
  checkRule,
  type LoadedRules,
  type PolicyRule,
  type PolicyStore,
  type Tool,
  usageError,
} from "@localharness/engine";
import { isJsonObject, suggestion } from "@localharness/protocol";
import { readJsonSource } from "@localharness/store/json-source";
import type { Options } from "../../config/options.ts";
import { ruleFromFlags, ruleFromJson } from "./rule-from-words.ts";

const options = ["tool", "path", "command", "because"] as const;
const wanted = `expected "TOOL --path GLOB", "bash --command 'npm test'", or a rule as JSON`;

/**
 * Returns the rules of all `--allow` options. Throws a `HarnessError` (`usage`) that names the invalid option and the
 * problem.
 */
export function runRules(texts: readonly string[] | undefined): readonly PolicyRule[] {
  return (texts ?? []).map((text, index) => {
    const made = readRule(text);
    const problem = typeof made === "string" ? made : checkRule(made, riskOfProgram)[0]?.message;
    if (typeof made === "string" || problem !== undefined) throw usageError(`--allow "${text}": ${problem}`);
    return { ...made, id: `--allow:${index + 1}`, origin: "session" };
  });
}

/**
 * Checks that the tools of the rules exist, because a misspelt name would silently allow nothing. Throws a
 * `HarnessError` (`usage`).
 */
export function checkRunRules(rules: readonly PolicyRule[], tools: readonly Tool[]): void {
  const known = tools.map((tool) => tool.name);
  for (const name of rules.flatMap((rule) => rule.tool ?? [])) {
    if (name !== "*" && !known.includes(name)) {
      throw usageError(`--allow: there is no tool named "${name}".${suggestion(name, known)}`);
    }
  }
}

/** Returns a store that loads the rules of this run before the rules of `store`. */
export function withRunRules(store: PolicyStore, rules: readonly PolicyRule[]): PolicyStore {
  if (rules.length === 0) return store;
  const joined = (loaded: LoadedRules): LoadedRules => ({ ...loaded, rules: [...rules, ...loaded.rules] });
  return {
    ...store,
    load: async () => joined(await store.load()),
    async newer(mark) {
      const loaded = await store.newer?.(mark);
      return loaded === undefined ? undefined : joined(loaded);
    },
  };
}

function readRule(text: string): PolicyRule | string {
  if (text.trimStart().startsWith("{")) return ruleOfJson(text);
  const flags = readWords(text);
  return typeof flags === "string" ? flags : ruleFromFlags("allow", flags, undefined);
}

function ruleOfJson(text: string): PolicyRule | string {
  const source = readJsonSource(text);
  if (!source.ok || !isJsonObject(source.value)) return ruleFromJson(text, undefined);
  const rule = ruleFromJson(JSON.stringify({ decision: "allow", ...source.value }), undefined);
  if (typeof rule === "string" || rule.decision === "allow") return rule;
  return `it can only allow, not "${rule.decision}": use localharness policy add for such a rule`;
}

/**
 * Parses words as a shell would: the tool, if the first word is no option, then `--tool`, `--path`, `--command` and
 * `--because`. Returns an error message if they are invalid.
 */
function readWords(text: string): Options | string {
  const words = splitWords(text);
  if (words === undefined) return "a quote in it is not closed";
  const values: { [name in (typeof options)[number]]?: string } = {};
  const [first] = words;
  const named = first !== undefined && !first.startsWith("--");
  if (named) values.tool = first;
  const rest = named ? words.slice(1) : words;
  let index = 0;
  while (index < rest.length) {
    const name = optionOf(rest[index]);
    if (name === undefined) return `"${rest[index]}" is not an option of a rule: ${wanted}`;
    const value = valueAt(rest, index + 1, name);
    if (value.length === 0 || value[0] === "") return `--${name} needs a value: ${wanted}`;
    // Without quotes around the whole command, a quoted word with a space would become two words.
    if (value.length > 1 && /["']/.test(text)) return `put quotes around the whole command: ${wanted}`;
    if (values[name] !== undefined) return `--${name} is given twice`;
    values[name] = value.join(" ");
    index += 1 + value.length;
  }
  return values;
}

function optionOf(word: string | undefined): (typeof options)[number] | undefined {
  return options.find((option) => word === `--${option}`);
}

/**
 * Returns the words of the option's value, which begins at `start`. A command ends before the next word that begins with
 * two dashes, so it needs quotes if it has such a word after its first, or if the text has quotes anywhere. The value of
 * any other option is one word.
 */
function valueAt(words: readonly string[], start: number, name: string): readonly string[] {
  if (name !== "command") return words.slice(start, start + 1);
  const next = words.findIndex((word, index) => index > start && word.startsWith("--"));
  return words.slice(start, next === -1 ? undefined : next);
}

/** Splits a text into words as a shell would. Returns undefined if a quote is not closed. */
function splitWords(text: string): readonly string[] | undefined {
  const words = text.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
  if (words.join("").length !== text.replace(/("[^"]*"|'[^']*')|\s/g, "$1").length) return undefined;
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, "$1$2"));
}
