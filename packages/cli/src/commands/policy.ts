/** `localharness policy`: remembered answers, why a call would be allowed or not, and taking an answer back. */

import { explain, type PolicyRule, policyQuestion } from "@localharness/engine";
import type { JsonObject } from "@localharness/protocol";
import { type Invocation, textFlag } from "../arguments/parse.ts";
import { usageError } from "../complaints.ts";
import { openWorkbench, type Workbench } from "../compose.ts";
import { loadSettings } from "../config/settings.ts";
import { exitCodes } from "../modes/exit-code.ts";
import { plainJson, visibleLine } from "../terminal/plain-text.ts";

export async function runPolicy(invocation: Invocation): Promise<number> {
  const [action, ...rest] = invocation.positionals;
  const settings = await loadSettings(invocation.flags);
  const bench = await openWorkbench(settings, textFlag(invocation.flags, "workspace"), "all");
  const json = invocation.flags.json === true;
  try {
    if (action === "list" && rest.length === 0) return await list(bench, json);
    if (action === "explain" && rest.length === 2) return await why(bench, rest, json);
    if (action === "forget" && rest.length === 1) return await forget(bench, rest[0] ?? "");
  } finally {
    await bench.close();
  }
  throw usageError("usage: localharness policy list | policy explain NAME 'JSON' | policy forget ID");
}

async function rulesOf(bench: Workbench): Promise<readonly PolicyRule[]> {
  const { rules, warnings } = await bench.policyStore.load();
  for (const warning of warnings) process.stderr.write(`! ${visibleLine(warning)}\n`);
  return rules;
}

async function list(bench: Workbench, json: boolean): Promise<number> {
  const rules = await rulesOf(bench);
  if (json) process.stdout.write(`${plainJson(rules)}\n`);
  else if (rules.length === 0) process.stdout.write("nothing is remembered\n");
  else for (const rule of rules) process.stdout.write(`${ruleLine(rule)}\n`);
  return exitCodes.done;
}

function ruleLine(rule: PolicyRule): string {
  const parts = [rule.id, rule.decision, rule.tool ?? "any tool"];
  if (rule.scope !== undefined) parts.push(`exactly: ${rule.scope}`);
  parts.push(rule.workspace === undefined ? "in every workspace" : `in ${rule.workspace}`);
  if (rule.justification !== "") parts.push(`(${rule.justification})`);
  return visibleLine(parts.join("  "));
}

async function why(
  bench: Workbench,
  [name = "", text = ""]: readonly string[],
  json: boolean,
): Promise<number> {
  const found = bench.registry.find(name);
  if (found === undefined) throw usageError(bench.registry.unknownToolMessage(name));
  const checked = bench.registry.validateInput(name, text);
  if (!checked.ok) throw usageError(checked.message);
  const args: JsonObject = checked.arguments;
  const question = await policyQuestion(found.tool, args, { mode: bench.mode, workspace: bench.workspace });
  const { decision, considered } = explain(question, await rulesOf(bench));
  if (json) {
    process.stdout.write(`${plainJson({ question, decision, considered })}\n`);
    return exitCodes.done;
  }
  const lines = [
    `${decision.decision.toUpperCase()} by ${decision.rule}: ${decision.reason}`,
    `tool ${question.tool}, risk ${question.risk}, mode ${question.mode}, workspace ${question.workspace}`,
    ...(question.scope === "" ? [] : [`scope: ${question.scope}`]),
    ...considered.map((one) => `${one.matched ? "matched" : "passed over"} ${one.rule.id}: ${one.why}`),
  ];
  for (const line of lines) process.stdout.write(`${visibleLine(line)}\n`);
  return exitCodes.done;
}

async function forget(bench: Workbench, id: string): Promise<number> {
  const known = await bench.policyStore.forget(id);
  process.stderr.write(`${known ? "forgotten" : "nothing with that id is remembered"}: ${visibleLine(id)}\n`);
  return known ? exitCodes.done : exitCodes.error;
}
