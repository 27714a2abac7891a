/** Describes a rule for people, on one line. */
import type { PolicyRule } from "@localharness/engine";
import { visibleLine } from "@localharness/protocol";

export interface RuleWords {
  /** The decision, the tools and the conditions, such as `allow bash, command npm test`. */
  readonly what: string;
  /** The folder in which the rule holds, its justification and its id. */
  readonly from: string;
}

/** Describes a rule in words. The workspace `here` is called "this folder". */
export function ruleWords(rule: PolicyRule, here?: string): RuleWords {
  const tools = rule.tool === undefined || rule.tool === "*" ? "any tool" : [rule.tool].flat().join(", ");
  const folder = rule.workspace === here ? "in this folder" : `in ${rule.workspace}`;
  const from = [
    rule.workspace === undefined ? "in every folder" : folder,
    ...(rule.justification === "" ? [] : [rule.justification]),
    `id ${rule.id}`,
  ];
  const what = [`${rule.decision} ${tools}`, ...conditions(rule)].join(", ");
  return { what: visibleLine(what), from: visibleLine(from.join(" · ")) };
}

export function ruleLine(rule: PolicyRule, here?: string): string {
  const { what, from } = ruleWords(rule, here);
  return `${what} · ${from}`;
}

function conditions(rule: PolicyRule): readonly string[] {
  const said: string[] = [];
  if (rule.path !== undefined) {
    const access = rule.access === undefined ? "path" : rule.access;
    said.push(
      `${access} ${[rule.path].flat().join(" or ")}${rule.ignoreCase === true ? " in any case" : ""}`,
    );
  } else if (rule.access !== undefined) said.push(rule.access);
  if (rule.command !== undefined) said.push(`command ${rule.command.join(" ")}`);
  if (rule.arguments !== undefined) said.push(`arguments ${JSON.stringify(rule.arguments)}`);
  if (rule.risk !== undefined) said.push(`risk ${[rule.risk].flat().join(" or ")}`);
  if (rule.mode !== undefined) said.push(`mode ${[rule.mode].flat().join(" or ")}`);
  if (rule.scope !== undefined) said.push(scopeInWords(rule.scope));
  return said;
}

/**
 * Describes a scope. If it was made from a command, the text has the command and the number of files that must not
 * change while the answer holds.
 */
function scopeInWords(scope: string): string {
  try {
    const { command, files = {}, edits, commands } = JSON.parse(scope) as Readonly<Record<string, unknown>>;
    if (edits !== undefined) return "edits of text files";
    if (commands !== undefined) return "commands that only read";
    const count = Object.keys(files ?? {}).length;
    const tied = count === 0 ? "" : `, as long as ${count} file${count === 1 ? " stays" : "s stay"} as now`;
    if (typeof command === "string") return `exactly the command ${JSON.stringify(command)}${tied}`;
  } catch {
    // The scopes of other tools are already in words, such as the origin of an address.
  }
  return `exactly ${scope}`;
}
