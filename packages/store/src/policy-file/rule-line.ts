/** Formats a rule as one line for people. */
import type { PolicyRule } from "@localharness/engine";
import { visibleLine } from "@localharness/protocol";

export function ruleLine(rule: PolicyRule): string {
  const tools = rule.tool === undefined || rule.tool === "*" ? "any tool" : [rule.tool].flat().join(", ");
  const parts = [rule.id, rule.decision, tools, ...conditions(rule)];
  parts.push(rule.workspace === undefined ? "in every workspace" : `in ${rule.workspace}`);
  if (rule.justification !== "") parts.push(`(${rule.justification})`);
  return visibleLine(parts.join("  "));
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
  if (rule.scope !== undefined) said.push(`exactly: ${rule.scope}`);
  return said;
}
