/** Reads the front matter of SKILL.md files as their authors write it. */
import { describe, expect, test } from "vitest";
import { readSkillFacts, skillBody } from "../../../src/prompt/skills/skill-file.ts";

const head = (...lines: readonly string[]) => ["---", ...lines, "---", "", "Do it.", ""].join("\n");

describe("a description is read however it is written", () => {
  test.each([
    ["description: cuts wood", "cuts wood"],
    ["description: cuts wood: first oak, then ash", "cuts wood: first oak, then ash"],
    ["description: cuts wood # not metal", "cuts wood"],
    ['description: "cuts \\"hard\\" wood # and metal"', 'cuts "hard" wood # and metal'],
    ["description: 'it''s for wood'", "it's for wood"],
    ['description: "cuts\n  wood"', "cuts wood"],
    ["description: cuts\n  wood and\n  metal", "cuts wood and metal"],
    ["description:\n  cuts wood", "cuts wood"],
    ["description: >-\n  cuts\n\n  wood", "cuts wood"],
    ["description: |\n  cuts # all\n    wood", "cuts # all wood"],
    ["metadata:\n  author: me\n  tags:\n    - a\ndescription: cuts wood", "cuts wood"],
    ["tags:\n- a\n- b\ndescription: cuts wood", "cuts wood"],
    ["tags: [a,\n  b]\ndescription: cuts wood", "cuts wood"],
    ["# a comment\n\ndescription: cuts\u200b wood", "cuts wood"],
    [`description: ${"x".repeat(2_000)}`, "x".repeat(1_024)],
  ])("%j", (lines, description) => {
    expect(readSkillFacts(head("name: saw", lines), "folder")).toMatchObject({ name: "saw", description });
  });
});

describe("a file that cannot be read says why", () => {
  test.each([
    ["Do it.", '"description" is missing'],
    [head("name: saw"), '"description" is missing'],
    ["---\ndescription: x\n", "line 1: the front matter is not closed"],
    [head("description: x", "description: y"), 'line 3: the key "description" occurs twice'],
    [head("description: x", "}"), "line 3: expected a key"],
    [head('description: "x'), 'line 2: the value of "description" cannot be read'],
    [head("description: *x"), 'line 2: the value of "description" cannot be read'],
    [head("description: x", "name: ../saw"), '"name" expects'],
    [head("description: x", `name: ${"n".repeat(65)}`), '"name" expects'],
  ])("%j", (text, problem) => {
    expect(readSkillFacts(text, "saw")).toContain(problem);
  });
});

test("who may use a skill, and what it claims in vain", () => {
  const lines = ["description: x", "user-invocable: false", "allowed-tools: Bash(*)", "model: best"];
  expect(readSkillFacts(head(...lines), "saw")).toEqual({
    ...{ name: "saw", description: "x", forModel: true, forPerson: false },
    ignored: ["allowed-tools", "model"],
  });
  expect(readSkillFacts(head("description: x", "disable-model-invocation: true"), "saw")).toMatchObject({
    ...{ forModel: false, forPerson: true, ignored: [] },
  });
});

test("the text below the front matter is the skill", () => {
  expect(skillBody(head("description: x"))).toBe("Do it.");
  expect(skillBody("---\nnever closed")).toBe("---\nnever closed");
});
