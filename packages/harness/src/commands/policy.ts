/** `localharness policy`: lists, adds, forgets and checks rules, and explains how a call would be decided. */

import { readFile } from "node:fs/promises";
import { riskOfProgram } from "@localharness/commands/shell/programs/table";
import {
  checkRule,
  coverage,
  createPolicy,
  type LoadedRules,
  type PolicyRule,
  policyQuestion,
  usableRules,
  usageError,
  widerScope,
} from "@localharness/engine";
import { countText, plainJson, reasonOf, suggestion, visibleLine } from "@localharness/protocol";
import { policyVersion, readPolicyText } from "@localharness/store/policy-file/policy-rules";
import { policySchema } from "@localharness/store/policy-file/rule-fields";
import { ruleLine } from "@localharness/store/policy-file/rule-line";
import { warn } from "../compose/warn.ts";
import { openWorkbench, type Workbench } from "../compose/workbench.ts";
import type { Options } from "../config/options.ts";
import { loadSettings } from "../config/settings.ts";
import { ruleFromFlags, ruleFromJson } from "../permission/run-rules/rule-from-words.ts";
import { settleTrust, type Trust } from "../permission/trust/settle-trust.ts";
import { type CommandFlags, type CommandLine, textFlag } from "./command-line.ts";
import { exitCodes } from "./exit-code.ts";
import { folded } from "./fold-lines.ts";

const usage =
  "usage: localharness policy list | add DECISION [--tool NAME] [--path GLOB] [--command WORDS] | add 'JSON' | forget ID | explain NAME 'JSON' | test [FILE] | schema";

export async function runPolicy(invocation: CommandLine): Promise<number> {
  const [action, ...rest] = invocation.positionals;
  if (action === "schema" && rest.length === 0) {
    process.stdout.write(`${JSON.stringify(policySchema(policyVersion), null, 2)}\n`);
    return exitCodes.done;
  }
  const settings = await loadSettings(invocation.flags);
  const bench = await openWorkbench(settings, textFlag(invocation.flags, "workspace"), "all");
  const json = invocation.flags.json === true;
  try {
    if (action === "list" && rest.length === 0) return await list(bench, json);
    if (action === "explain" && rest.length === 2) return await why(bench, rest, invocation.flags);
    if (action === "forget" && rest.length === 1) return await forget(bench, rest[0] ?? "");
    if (action === "add" && rest.length === 1) return await add(bench, rest[0] ?? "", invocation);
    if (action === "test" && rest.length <= 1) return await test(bench, rest[0]);
  } finally {
    await bench.close();
  }
  throw usageError(usage);
}

/** Loads the rules in force for this workspace. The project's rules are loaded only if its folder is trusted. */
async function loadRules(bench: Workbench, trust?: Trust): Promise<LoadedRules> {
  const isTrusted = trust === "full" || (await bench.trustStore.find(bench.workspace)).trusted === true;
  const loaded = await (isTrusted ? bench.trustedPolicyStore : bench.policyStore).load();
  for (const warning of loaded.warnings) warn(warning);
  return loaded;
}

async function list(bench: Workbench, json: boolean): Promise<number> {
  const { rules } = await loadRules(bench);
  if (json) process.stdout.write(`${plainJson(rules)}\n`);
  else if (rules.length === 0) process.stdout.write("there are no rules and no remembered answers\n");
  else for (const rule of rules) process.stdout.write(folded(`${ruleLine(rule, bench.workspace)}\n`));
  return exitCodes.done;
}

async function why(
  bench: Workbench,
  [name = "", text = ""]: readonly string[],
  flags: CommandFlags,
): Promise<number> {
  const found = bench.registry.find(name);
  if (found === undefined) throw usageError(bench.registry.unknownToolMessage(name));
  const checked = bench.registry.validateInput(name, text);
  if (!checked.ok) throw usageError(checked.message);
  const { workspace } = bench;
  const trust = await trustOfSession(bench, flags);
  await bench.folders.open(flags["add-dir"] ?? [], { flags, tell: warn });
  const added = bench.folders.list().map(({ root }) => root);
  const question = await policyQuestion(found.tool, checked.arguments, {
    mode: bench.mode(),
    workspace,
    trusted: trust !== "reading",
    freedoms: bench.freedoms(trust),
    added: () => added,
  });
  const { rules, warnings } = usableRules((await loadRules(bench, trust)).rules, riskOfProgram);
  for (const warning of warnings) warn(warning);
  const { decision, considered } = createPolicy(rules).explain(question);
  if (flags.json === true) {
    process.stdout.write(`${plainJson({ question, decision, considered })}\n`);
    return exitCodes.done;
  }
  const { facts } = question;
  const wider = widerScope(question, decision);
  const lines = [
    `${decision.decision.toUpperCase()} by ${decision.rule}: ${decision.reason}`,
    `tool ${question.tool}, risk ${question.risk}, mode ${question.mode}, workspace ${[question.workspace, ...added].join(" and ")}`,
    ...(facts.paths ?? []).map(({ access, path }) => `would ${access} ${path}`),
    ...(facts.command?.unclear === undefined ? [] : [`the command is not clear: ${facts.command.unclear}`]),
    ...(decision.decision === "ask" ? [`an answer would cover: ${coverage(question, decision)}`] : []),
    ...(wider === undefined ? [] : [`a wider answer would cover: ${wider.covers}`]),
    ...considered.map((one) => `${one.matched ? "matched" : "skipped"} ${one.rule.id}: ${one.why}`),
  ];
  for (const line of lines) process.stdout.write(folded(`${visibleLine(line)}\n`));
  return exitCodes.done;
}

/** Returns the trust with which a session with these options would begin here. Warns if such a session could only read. */
async function trustOfSession(
  { workspace, trustStore: store, preferMode }: Workbench,
  flags: Options,
): Promise<Trust> {
  const settled = await settleTrust({ workspace, store, flags, preferMode, tell: () => undefined });
  const trust = settled === "leave" ? "reading" : settled;
  if (trust === "reading") {
    const { trusted, warning } = await store.find(workspace);
    if (warning !== undefined) warn(warning);
    const still = trusted === undefined ? "not trusted yet" : "not trusted";
    warn(`this folder is ${still}: a session here only reads. To trust it: localharness trust add`);
  }
  return trust;
}

async function forget(bench: Workbench, id: string): Promise<number> {
  const known = await bench.policyStore.forget(id);
  process.stderr.write(`${known ? "forgotten" : "there is no rule with that id"}: ${visibleLine(id)}\n`);
  return known ? exitCodes.done : exitCodes.error;
}

async function add(bench: Workbench, word: string, { flags }: CommandLine): Promise<number> {
  const workspace = flags.here === true ? bench.workspace : undefined;
  const made = word.trimStart().startsWith("{")
    ? ruleFromJson(word, workspace)
    : ruleFromFlags(word, flags, workspace);
  if (typeof made === "string") throw usageError(`${made}\n${usage}`);
  const unknown = unknownTools(bench, made);
  const problems = checkRule(made, riskOfProgram).map((problem) => `${problem.key}: ${problem.message}`);
  if (problems.length > 0) throw usageError(`the rule is invalid: ${problems.join("; ")}`);
  await bench.policyStore.add(made);
  const known = bench.allTools.list().map((tool) => tool.name);
  for (const name of unknown) {
    const near = suggestion(name, known);
    process.stderr.write(`! there is no tool named ${visibleLine(name)} yet.${near}\n`);
  }
  for (const pattern of patternsOfTopFolder(made)) {
    process.stderr.write(
      `! ${visibleLine(pattern)} matches only names directly in the workspace; **/${visibleLine(pattern)} matches them in every folder\n`,
    );
  }
  process.stdout.write(`${ruleLine(made, bench.workspace)}\n`);
  return exitCodes.done;
}

/** Returns the patterns that match only in the top folder, such as `*.secret`. Their authors often mean every folder. */
function patternsOfTopFolder({ path = [] }: PolicyRule): readonly string[] {
  return [path]
    .flat()
    .filter((pattern) => pattern.includes("*") && !pattern.includes("/") && !/^\*+$/.test(pattern));
}

function unknownTools(bench: Workbench, rule: PolicyRule): readonly string[] {
  const names = rule.tool === undefined ? [] : [rule.tool].flat();
  return names.filter((name) => name !== "*" && !bench.allTools.list().some((tool) => tool.name === name));
}

/** Checks that the rules of a file, or else the rules in force, are valid and agree with their own examples. */
async function test(bench: Workbench, file: string | undefined): Promise<number> {
  const rules = file === undefined ? (await loadRules(bench)).rules : await readRules(file);
  let wrong = 0;
  for (const rule of rules) {
    const problems = checkRule(rule, riskOfProgram);
    const examples = (rule.examples?.matches?.length ?? 0) + (rule.examples?.misses?.length ?? 0);
    wrong += problems.length === 0 ? 0 : 1;
    const verdict =
      problems.length === 0
        ? `valid, ${countText(examples, "example")}`
        : problems.map(({ key, message }) => `${key}: ${message}`).join("; ");
    process.stdout.write(folded(`${visibleLine(`${rule.id}  ${verdict}`)}\n`));
  }
  process.stdout.write(`${countText(rules.length, "rule")}, ${wrong} invalid\n`);
  return wrong === 0 ? exitCodes.done : exitCodes.error;
}

async function readRules(file: string): Promise<readonly PolicyRule[]> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw usageError(`${file} cannot be read: ${reasonOf(error)}`, error);
  });
  const read = readPolicyText(text);
  if (read.kind === "value") return read.value;
  const problem =
    read.kind === "newer" ? `it was written for a later version (${read.version})` : read.problem;
  throw usageError(`${file} cannot be used: ${problem}`);
}
