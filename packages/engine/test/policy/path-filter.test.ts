/** The paths that a call which walks folders must leave out. */
import type { CallFacts, PolicyRule } from "@localharness/engine";
import { describe, expect, test } from "vitest";
import { createPolicy } from "../../src/policy/decide.ts";
import { pathFilter } from "../../src/policy/path-filter.ts";
import { plainQuestion, rule, touching } from "./ask-about.ts";

const grep = { ...plainQuestion, tool: "grep", readOnly: true, risk: "safe" } as const;
const walked = [".", "src/a.ts", ".env", "app/.env", "secrets", "secrets/key"];

function leftOut(rules: readonly PolicyRule[], facts: CallFacts = touching(".")) {
  const filter = pathFilter(createPolicy(rules), { ...grep, facts });
  return filter === undefined ? "no filter" : walked.filter((path) => filter.denies(path, "read"));
}

describe("a walk leaves out", () => {
  test.each<readonly [string, readonly PolicyRule[], readonly string[] | string]>([
    ["nothing without rules", [], "no filter"],
    [
      "nothing by rules that do not speak of paths",
      [rule("ask", { tool: "bash" }), rule("deny", { risk: "high" })],
      "no filter",
    ],
    ["nothing by rules that allow", [rule("allow", { path: ".env" })], "no filter"],
    ["nothing by rules for other tools", [rule("deny", { tool: "ls", path: ".env" })], "no filter"],
    ["nothing by rules for other modes", [rule("deny", { mode: "plan", path: ".env" })], "no filter"],
    ["nothing by rules for writing", [rule("deny", { access: "write", path: ".env" })], []],
    ["what is denied", [rule("deny", { path: "**/.env" })], [".env", "app/.env"]],
    ["what is asked about", [rule("ask", { tool: "grep", path: "secrets" })], ["secrets", "secrets/key"]],
    [
      "what any of the rules speaks of",
      [rule("deny", { path: ".env" }), rule("ask", { path: "secrets/*" })],
      [".env", "secrets/key"],
    ],
  ])("%s", (_title, rules, expected) => {
    expect(leftOut(rules)).toEqual(expected);
  });

  test("not what was named and allowed, nor what a rule was asked about", () => {
    const asks = rule("ask", { path: "secrets" });
    expect(leftOut([asks, rule("ask", { path: ".env" })], touching("secrets"))).toEqual([".env"]);
    expect(leftOut([asks], touching("secrets"))).toBe("no filter");
    expect(leftOut([asks, rule("deny", { path: "**/key" })], touching("secrets"))).toEqual(["secrets/key"]);
  });
});

test.each<readonly [string, Partial<PolicyRule>, readonly string[], readonly string[]]>([
  ["a folder", { path: "src/lib/**" }, ["src/lib"], [".", "src"]],
  ["a file", { path: ["a/b.ts", "c"] }, ["a/b.ts", "c"], [".", "a"]],
  ["a folder by its absolute path", { path: "/w/src/lib/**" }, ["src/lib"], [".", "src"]],
  ["any folder", { path: "**/*.sql" }, ["."], [".", "src", "src/other", "a"]],
])("the places of a rule about %s", (_title, more, beginnings, holding) => {
  const filter = pathFilter(createPolicy([rule("deny", { ...more, access: "write" })]), grep)?.closedPlaces;
  expect(filter?.beginnings).toEqual(beginnings);
  const folders = [".", "src", "src/other", "a"];
  expect(folders.filter((folder) => filter?.mayHold(folder, "write"))).toEqual(holding);
  expect(folders.filter((folder) => filter?.mayHold(folder, "read"))).toEqual([]);
});

test("a rule that was not sure and asked closes nothing", () => {
  const git = {
    ...plainQuestion,
    tool: "bash",
    facts: { command: { text: "git switch x", touchesMore: "git" } },
  };
  const filterOf = (decision: PolicyRule["decision"]) =>
    pathFilter(createPolicy([rule(decision, { path: "src/**" })]), git);
  const closes = (decision: PolicyRule["decision"]) =>
    filterOf(decision)?.closedPlaces.closes("src/a", "write");
  expect([closes("ask"), closes("deny")]).toEqual([false, true]);
  expect(filterOf("ask")?.denies("src/a", "write")).toBe(true);
});

test("a rule that asks closes nothing that a program only reads", () => {
  const closing = (decision: PolicyRule["decision"]) => {
    const filter = pathFilter(createPolicy([rule(decision, { path: "src/**" })]), grep);
    return (["read", "write"] as const).filter((access) => filter?.closedPlaces.closes("src/a", access));
  };
  expect(closing("ask")).toEqual(["write"]);
  expect(closing("deny")).toEqual(["read", "write"]);
});
