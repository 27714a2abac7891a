/** What rules that deny or ask know of commands with redirections and patterns. */
import { decide, type PolicyRule } from "@localharness/engine";
import { afterAll, describe, expect, test } from "vitest";
import type { Bench } from "../bench.ts";
import { openBench } from "../bench.ts";

const ends: (() => Promise<void> | void)[] = [];
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

let opened: Promise<Bench> | undefined;

async function project(): Promise<Bench> {
  opened ??= openBench({}, (end) => void ends.push(end));
  const bench = await opened;
  for (const path of ["a.js", "b.txt", "secrets/key", "src/c.js"]) bench.write(path, "x\n");
  return bench;
}

async function decided(command: string, condition: Partial<PolicyRule>): Promise<string> {
  const bench = await project();
  const facts = await bench.examine("bash", { command });
  const rule = { id: "rule", decision: "deny", justification: "because", ...condition } as const;
  const asked = { tool: "bash", arguments: { command }, scope: "", risk: "high", readOnly: false } as const;
  const auto = { editsFiles: false, mode: "auto", freedoms: { confined: true } } as const;
  return decide({ ...asked, ...auto, workspace: bench.root, facts }, [rule]).decision;
}

describe("a rule about secrets/**", () => {
  test.each([
    ["echo a > new.txt", "allow"],
    ["echo a >> b.txt", "allow"],
    ["npm test > log.txt 2>&1", "allow"],
    ["npm test 2> log.txt | head -5 >> other.txt", "allow"],
    ["sort < b.txt > sorted.txt", "allow"],
    ["echo 'a > b' >> b.txt && ls", "allow"],
    ["echo a > secrets/new", "deny"],
    ["echo a >> secrets/key", "deny"],
    ["sort < secrets/key", "deny"],
    ["echo $X > new.txt", "ask"],
    ["echo a > $FILE", "ask"],
    ["echo a > new*", "ask"],
    ["echo $(cat b.txt) > new.txt", "ask"],
    ["(echo a) > new.txt", "ask"],
    ["cat <(echo a) > new.txt", "ask"],
    ["echo a > new.txt; cat *.js", "ask"],
    ["bash < b.txt > new.txt", "ask"],
    ['echo "a\\" > x; cat $Y "', "ask"],
  ])("%s: %s", async (command, decision) => {
    expect(await decided(command, { path: "secrets/**" })).toBe(decision);
  });
});

describe("a rule about git push", () => {
  test.each([
    ["ls *.js", "allow"],
    ["cat src/*.js | wc -l", "allow"],
    ["grep -n x *.js > found.txt", "allow"],
    ["echo a > new.txt", "allow"],
    ["git status && ls *.js", "allow"],
    ["ls *.js; git push", "deny"],
    ["ls *.js && sudo git push origin", "deny"],
    ["git *", "ask"],
    ["*", "ask"],
    ["xargs *", "ask"],
    ["node *.js", "ask"],
    ["unknown *.js", "ask"],
    ["find . -exec * ';'", "ask"],
    ["ls *.js $X", "ask"],
    ["ls *.js; $X", "ask"],
    ["env *", "ask"],
  ])("%s: %s", async (command, decision) => {
    expect(await decided(command, { command: ["git", "push", "*"] })).toBe(decision);
  });
});
