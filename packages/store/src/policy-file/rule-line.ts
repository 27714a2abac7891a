/** Describes a rule for people, on one line. */
import type { PolicyRule } from "@localharness/engine";
import { visibleLine } from "@localharness/protocol";
import { notAFile } from "@localharness/workspace/files/not-a-file";

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
  const kind = rule.scope === undefined ? undefined : editsInWords(rule.scope);
  const subject = kind === undefined ? tools : `${kind}, by ${tools}`;
  const what = [`${rule.decision} ${subject}`, ...conditions(rule)].join(", ");
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
  if (rule.scope !== undefined && editsInWords(rule.scope) === undefined) {
    said.push(scopeInWords(rule.scope));
  }
  return said;
}

/** Describes the scope of all edits, which no tool has alone; returns undefined for any other scope. */
function editsInWords(scope: string): string | undefined {
  const { edits, folders } = partsOf(scope);
  if (edits !== "text") return undefined;
  const where = Array.isArray(folders) ? ` of ${folders.join(" and ")}` : "";
  return `every edit of ordinary files${where}, of which undo has the old content`;
}

/**
 * Describes a scope. If it was made from a command, the text has the command and the number of files that must not
 * change while the answer holds.
 */
function scopeInWords(scope: string): string {
  const { command, any, files, commands } = partsOf(scope);
  if (commands !== undefined) return "commands that only read";
  // A folder has a mark without its contents.
  const count = Object.values(files ?? {}).filter((mark) => mark !== notAFile).length;
  const tied = count === 0 ? "" : `, as long as ${count} file${count === 1 ? " does" : "s do"} not change`;
  if (Array.isArray(any)) return `any command "${any.join(" ")} ..."${tied}`;
  if (typeof command === "string") return `exactly the command ${JSON.stringify(command)}${tied}`;
  return `exactly ${scope}`;
}

/** Returns the parts of a scope; none if it is in words, such as the origin of an address. */
function partsOf(scope: string): Readonly<Record<string, unknown>> {
  try {
    const parts: unknown = JSON.parse(scope);
    return typeof parts === "object" && parts !== null ? { ...parts } : {};
  } catch {
    return {};
  }
}
