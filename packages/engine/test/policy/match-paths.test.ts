/** Rules on paths: deny and ask when any path matches, allow only when all are known and match. */
import type { CallFacts, PolicyRule } from "@localharness/engine";
import { describe, expect, test } from "vitest";
import { decided, rule, running, touching } from "./ask-about.ts";

const yes = { allow: "allow allow-rule", ask: "ask ask-rule", deny: "deny deny-rule" } as const;
const no = "ask risk:high";

describe("a rule that denies or asks matches", () => {
  test.each<readonly [string, Partial<PolicyRule>, CallFacts, boolean]>([
    ["its path", { path: ".env" }, touching(".env"), true],
    ["its path among others", { path: ".env" }, touching("a", "+.env"), true],
    ["one of its paths", { path: ["a", "b"] }, touching("b"), true],
    ["what is below its path", { path: "secrets" }, touching("secrets/deep/key"), true],
    ["what is below a pattern", { path: "**/.git" }, touching("+sub/.git/config"), true],
    [
      "a place outside by a pattern that reaches everywhere",
      { path: "**/passwd" },
      touching("/etc/passwd"),
      true,
    ],
    ["a folder that goes with all below it", { path: "secrets/key" }, touching("+secrets/"), true],
    ["a folder that may hold it", { path: "**/.env" }, touching("+build/"), true],
    ["the whole workspace", { path: "a/b" }, touching("+./"), true],
    ["without regard to case", { path: ".ENV", ignoreCase: true }, touching(".Env"), true],
    ["by access alone", { access: "write" }, touching("a", "+b"), true],
    ["by access and path", { path: "a", access: "write" }, touching("+a"), true],
    ["a place outside that the call touches", { path: "/etc/**" }, touching("+/etc/"), true],
    ["not the workspace, by a place outside", { path: "/etc/secrets/**" }, touching("+./"), false],
    ["not a folder, by a place outside", { path: ["/**", "/etc"] }, touching("+sub/"), false],
    ["a path in the workspace by its absolute path", { path: "/w/private/**" }, touching("private/x"), true],
    ["the whole workspace by its absolute path", { path: "/w" }, touching("a/b"), true],
    ["a path by its absolute path in another case", { path: "/W/A", ignoreCase: true }, touching("a"), true],
    ["not another folder with that beginning", { path: "/wide/a" }, touching("a"), false],
    ["not another path", { path: ".env" }, touching(".env.example", "x/.env"), false],
    ["not the folder of its path", { path: "secrets/key" }, touching("+secrets"), false],
    ["not a folder beside it", { path: "secrets/key" }, touching("+other/"), false],
    ["not in another case", { path: ".ENV" }, touching(".env"), false],
    ["not by another access", { path: "a", access: "write" }, touching("a"), false],
    ["not what touches nothing", { path: "**" }, touching(), false],
    ["not what is not known", { path: "**" }, {}, false],
    ["not a command that names no files", { path: "**" }, running("ls"), false],
  ])("%s", (_title, condition, facts, matches) => {
    for (const decision of ["deny", "ask"] as const)
      expect(decided([rule(decision, condition)], { facts })).toBe(matches ? yes[decision] : no);
  });

  test.each<readonly [string, CallFacts]>([
    ["could not be read", { ...touching("a"), command: { text: "$x", unclear: "a variable" } }],
    ["was not taken apart", { ...touching("a"), command: { text: "x" } }],
    [
      "may touch more than it names",
      { ...running("git log -p"), command: { text: "", calls: [], touchesMore: "" } },
    ],
  ])("a command that %s is asked about, whatever the rule names", (_title, facts) => {
    for (const mode of ["default", "bypass"] as const)
      expect(decided([rule("deny", { path: "b" })], { facts, mode, risk: "low" })).toBe("ask deny-rule");
  });

  test.each<readonly [string, CallFacts]>([
    ["names no files", {}],
    [
      "is a command whose files are not all known",
      { ...touching("a"), command: { text: "$x", unclear: "a variable" } },
    ],
  ])("a tool that the rule names is asked about when it %s", (_title, facts) => {
    for (const mode of ["default", "bypass"] as const)
      expect(decided([rule("deny", { tool: "write_file", path: "b" })], { facts, mode })).toBe(
        "ask deny-rule",
      );
  });
});

describe("a rule that allows matches", () => {
  test.each<readonly [string, Partial<PolicyRule>, CallFacts, boolean]>([
    ["when its path is all", { path: "src/**" }, touching("+src/a", "src/b"), true],
    ["one of its paths each", { path: ["a", "b"] }, touching("a", "+b"), true],
    ["a folder with all below it", { path: "build/**" }, touching("+build/"), true],
    ["the workspace's root", { path: "**" }, touching("."), true],
    ["without regard to case", { path: "SRC/**", ignoreCase: true }, touching("Src/a"), true],
    ["by access", { access: "read" }, touching("a", "b"), true],
    ["outside by a pattern that says so", { path: "/tmp/**" }, touching("+/tmp/x"), true],
    ["in the workspace by an absolute path", { path: "/w/src/**" }, touching("+src/a"), true],
    ["not when another path is touched", { path: "src/**" }, touching("+src/a", "+b"), false],
    ["not what is below its path", { path: "src" }, touching("+src/a"), false],
    ["not a folder of which it matches a part", { path: "build/*.js" }, touching("+build/"), false],
    ["not a folder without what is below it", { path: "build" }, touching("+build/"), false],
    ["not another access", { path: "**", access: "read" }, touching("a", "+b"), false],
    ["not outside by a pattern for everywhere", { path: "**" }, touching("/etc/passwd"), false],
    ["not above by a pattern for everywhere", { path: "**" }, touching("../x"), false],
    ["not inside by a pattern for outside", { path: "/**" }, touching("a"), false],
    ["not what touches nothing", { path: "**" }, touching(), false],
    ["not what is not known", { path: "**" }, {}, false],
    [
      "not a command, whatever files it names",
      { path: "**" },
      { ...running("mv a b"), ...touching("+a") },
      false,
    ],
  ])("%s", (_title, condition, facts, matches) => {
    expect(decided([rule("allow", condition)], { facts })).toBe(matches ? yes.allow : no);
  });

  test("a command whose words it gives as well", () => {
    const facts = { ...running("mv a b"), ...touching("+a", "+b") };
    const mv = rule("allow", { command: ["mv", "*"], path: ["a", "b"] });
    expect(decided([mv], { facts })).toBe("allow allow-rule");
    expect(decided([mv], { facts: { ...facts, ...touching("+a", "+c") } })).toBe(no);
  });
});
