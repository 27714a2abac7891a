/**
 * A workspace with a repository, a secret, packages and a link to the outside, and the facts about commands in it.
 */
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { examineCommand } from "@localharness/commands/examine/examine-command";
import { loadGrammar } from "@localharness/commands/shell/grammar";
import { type CallFacts, decide, type PolicyRule } from "@localharness/engine";
import { type Bench, openBench, writeRepository } from "../bench.ts";

export async function prepared(): Promise<Bench> {
  const bench = await openBench();
  writeRepository(bench, "[core]\n\tbare = false\n");
  bench.write("a.txt", "x\n");
  bench.write(".env", "KEY=1\n");
  bench.write("package.json", '{"scripts":{"test":"true"}}');
  bench.write("sub/package.json", '{"scripts":{"test":"false"}}');
  bench.write("sub/b.txt", "y\n");
  symlinkSync(bench.outside, join(bench.root, "link"));
  return bench;
}

export async function factsOf(bench: Bench, text: string, folder = "."): Promise<CallFacts> {
  const command = { text, folder, searchPath: bench.resources.programs.searchPath() };
  return await examineCommand(bench.resources.workspace, command, await loadGrammar());
}

/** Resolves to the decision about a command with this one rule in mode `bypass`, which allows all else. */
export async function decidedBy(rule: PolicyRule, bench: Bench, command: string): Promise<string> {
  const facts = await factsOf(bench, command);
  const { risk = "high", readOnly = false } = facts;
  const question = {
    ...{ tool: "bash", arguments: { command }, scope: "", workspace: bench.root, editsFiles: false },
    ...({ mode: "bypass", risk, readOnly, facts } as const),
  };
  return decide(question, [rule]).decision;
}

export const concernsOf = (facts: CallFacts) => (facts.concerns ?? []).map(({ id }) => id);
