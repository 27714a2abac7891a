/** Rules on commands: deny and ask when any program call matches, allow only when all are known and match. */
import type { CallFacts } from "@localharness/engine";
import { describe, expect, test } from "vitest";
import { decided, rule, running } from "./ask-about.ts";

const bash = { tool: "bash", editsFiles: false };
const no = "ask risk:high";
const hidden = (line: string, behind: string): CallFacts => ({
  command: { text: line, calls: [line.split(" ")], hidden: [behind.split(" ")] },
});
const unclear: CallFacts = { command: { text: "$(x)", unclear: "a substitution" } };

type Row = readonly [words: string, facts: CallFacts, deny: string, allow: string];

describe("the words of a rule on commands", () => {
  test.each<Row>([
    ["npm test", running("npm test"), "deny deny-rule", "allow allow-rule"],
    ["npm test", running("npm test --watch"), no, no],
    ["npm test", running("npm"), no, no],
    ["npm test", running("npm tests"), no, no],
    ["npm test *", running("npm test"), "deny deny-rule", "allow allow-rule"],
    ["npm test *", running("npm test --watch x"), "deny deny-rule", "allow allow-rule"],
    ["npm test *", running("npm"), no, no],
    ["npm test", running("npm test", "npm test"), "deny deny-rule", "allow allow-rule"],
    ["npm test", running("npm test", "rm x"), "deny deny-rule", no],
    ["rm *", running("true", ...Array.from({ length: 100 }, () => "true"), "rm x"), "deny deny-rule", no],
    ["rm *", running("/bin/rm x"), "deny deny-rule", no],
    ["rm *", running("./rm x"), "deny deny-rule", no],
    ["/bin/rm *", running("rm x"), no, no],
    ["/bin/rm *", running("/bin/rm x"), "deny deny-rule", "allow allow-rule"],
    ["rm *", running("rmdir x"), no, no],
    ["rm *", hidden("sudo rm x", "rm x"), "deny deny-rule", no],
    ["sudo rm x", hidden("sudo rm x", "rm x"), "deny deny-rule", "allow allow-rule"],
    ["npm test", hidden("env npm test", "npm test"), "deny deny-rule", no],
    ["npm test", { command: { text: "", calls: [] } }, no, no],
    ["npm test", {}, no, no],
    ["* x", running("rm x"), no, no],
  ])("%s, asked about %j: %s, %s", (words, facts, denied, allowed) => {
    const command = words.split(" ");
    expect(decided([rule("deny", { command })], { ...bash, facts })).toBe(denied);
    expect(decided([rule("ask", { command })], { ...bash, facts })).toBe(denied.replaceAll("deny", "ask"));
    expect(decided([rule("allow", { command })], { ...bash, facts })).toBe(allowed);
  });

  test.each<readonly [string, CallFacts]>([
    ["cannot be read", unclear],
    [
      "can be read in part",
      { command: { text: "npm test; $x", calls: [["npm", "test"]], unclear: "a variable" } },
    ],
    ["has no calls", { command: { text: "?" } }],
  ])(
    "a command that %s is never allowed by them, and asked about where they deny or ask",
    (_title, facts) => {
      const command = ["npm", "test"];
      expect(decided([rule("allow", { command })], { ...bash, facts })).toBe(no);
      for (const mode of ["default", "bypass"] as const) {
        expect(decided([rule("deny", { command: ["curl", "*"] })], { ...bash, mode, facts })).toBe(
          "ask deny-rule",
        );
        expect(decided([rule("ask", { command: ["curl", "*"] })], { ...bash, mode, facts })).toBe(
          "ask ask-rule",
        );
      }
    },
  );

  test("a part that denies is enough, however unclear the rest", () => {
    const facts: CallFacts = { command: { text: "$x; rm a", hidden: [["rm", "a"]], unclear: "a variable" } };
    expect(decided([rule("deny", { command: ["rm", "*"] })], { ...bash, facts })).toBe("deny deny-rule");
  });
});
