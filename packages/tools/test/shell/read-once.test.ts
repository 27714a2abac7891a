/** A command is read once: all that is asked about it is answered from one reading. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runPersonsCommand } from "@localharness/commands/keeping/persons-command";
import { type Grammar, loadGrammar } from "@localharness/commands/shell/grammar";
import { createReader } from "@localharness/commands/shell/reader";
import { expect, test } from "vitest";
import { bash } from "../../src/tools/bash.ts";
import type { Bench } from "../bench.ts";
import { prepared } from "./examined.ts";

/** Returns the resources of a bench with a reader that notes the texts that it parses. */
async function counting({ resources }: Bench) {
  const grammar = await loadGrammar();
  const parsed: string[] = [];
  const counted: Grammar = grammar.ok
    ? {
        ok: true,
        parse: (text) => {
          parsed.push(text);
          return grammar.parse(text);
        },
      }
    : grammar;
  const reader = createReader(counted);
  return { parsed, resources: { ...resources, openReader: async () => reader } };
}

test.each<[command: string, inside: readonly string[]]>([
  ["true", []],
  ["ls -l | head -n 5", []],
  ["cd sub && npm test", ["false"]],
  ["cd sub && cat *", []],
  ["cat *.txt", []],
  ["ls 2>/dev/null *.txt > out", []],
  ['echo "$HOME" > out', []],
  ["cat > out <<'END'\nx\nEND", []],
  ["git -C sub status", []],
  ["GIT_DIR=.git git rebase --continue", []],
  ["bash -c 'ls sub'", ["ls sub"]],
  ["bash <<'END'\nls\nEND", ["ls\n"]],
  ["timeout 5 bash -c 'cd sub && ls' && bash -c 'cd sub && ls'", ["cd sub && ls"]],
])("parses %j once in one call", async (command, inside) => {
  const bench = await prepared();
  const { parsed, resources } = await counting(bench);
  const tool = bash(resources);
  const { signal } = new AbortController();
  const examined = await tool.examine?.({ command }, signal);
  expect(examined?.scope).toBeDefined();
  await tool.execute(
    { command },
    { callId: "call_1", signal, report: () => {}, ...(examined && { examined }) },
  );
  expect(parsed).toEqual([command, ...inside]);
});

test("parses a typed command once", async () => {
  const bench = await prepared();
  const { parsed, resources } = await counting(bench);
  const typed = { sessionId: "s", command: "cat *.txt" };
  await runPersonsCommand(resources, typed, new AbortController().signal, () => {});
  expect(parsed).toEqual([typed.command]);
});

test("one function calls the two readers, and only the reader that remembers calls it", () => {
  const folder = fileURLToPath(new URL("../../../commands/src/", import.meta.url));
  const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => ({ path, source: readFileSync(join(folder, path), "utf8") }));
  const callers = (call: RegExp) =>
    sources.filter(({ source }) => call.test(source.replace(/function \w+\(/g, ""))).map(({ path }) => path);
  expect(callers(/\b(?:readPlain|readTree)\(/)).toEqual(["shell/read-command.ts"]);
  expect(callers(/\breadCommand\(/)).toEqual(["shell/reader.ts"]);
});
