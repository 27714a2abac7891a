/**
 * A workspace with a repository, a secret, packages and a link to the outside, and the facts about commands in it.
 */
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { examineCommand } from "@localharness/commands/examine/examine-command";
import { loadGrammar } from "@localharness/commands/shell/grammar";
import { createReader } from "@localharness/commands/shell/reader";
import { type CallFacts, decide, type PolicyRule } from "@localharness/engine";
import { type Bench, openBench, writeRepository } from "../bench.ts";

const grammar = await loadGrammar();

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
  return await examinedIn(bench, text, bench.resources.programs.searchPath(), folder);
}

/** Resolves to the facts about a command with this `PATH`. */
export async function examinedIn(
  { resources }: Bench,
  text: string,
  searchPath: string,
  folder = ".",
  reader = createReader(grammar),
): Promise<CallFacts> {
  return await examineCommand(
    resources.workspace,
    { reading: reader.read(text), folder, searchPath },
    reader,
  );
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
