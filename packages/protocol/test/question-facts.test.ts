/** The line of facts of a permission question: what the person must know beside the call. */
import { expect, test } from "vitest";
import type { PermissionRequest } from "../src/permission-request.ts";
import { questionFacts, scopeText, shortFacts, unnamedPaths } from "../src/question-facts.ts";

const asked = (more: Partial<PermissionRequest>): PermissionRequest => ({
  ...{ requestId: "r", callId: "c", toolName: "bash", arguments: {}, argumentsHash: "", risk: "high" },
  ...{ rule: "risk:high", reason: "", covers: "", concerns: [], ...more },
});

test.each<[string, string, string, readonly string[]]>([
  ["a path that the command names", "cat src/a.ts", "src/a.ts", []],
  ["one with ./ before it", "cat ./src/a.ts", "src/a.ts", []],
  ["a quoted one", 'cat "src/a.ts";ls', "src/a.ts", []],
  ["the value of an option", "make --file=src/a.mk", "src/a.mk", []],
  ["a target of redirection", "ls >out 2>&1", "out", []],
  ["a folder with its slash", "ls src/", "src", []],
  ["a part of another name", "echo x > docs/srcs.txt", "src", ["write src"]],
  ["the beginning of another path", "echo x > .env.example", ".env", ["write .env"]],
  ["the end of another path", "echo x > a/b/notes", "notes", ["write notes"]],
  ["a path that is named later", "cat srcs; ls src", "src", []],
])("%s counts as named or not", (_name, command, path, expected) => {
  const request = asked({ arguments: { command }, paths: [{ path, access: "write" }] });
  expect(unnamedPaths(request)).toEqual(expected);
});

test.each<[string, Partial<PermissionRequest>, readonly string[]]>([
  ["the usual reason of a concern, which its warning says", { reason: "shows a secret" }, []],
  [
    "that a call is asked about again, beside the warning",
    { reason: "asked again, because a.txt changed after the question before; shows a secret" },
    ["asked again, because a.txt changed after the question before"],
  ],
])("%s", (_name, more, expected) => {
  const concerns = [{ id: "secret", reason: "shows a secret" }];
  expect(shortFacts(asked({ toolName: "read_file", rule: "built-in:secret", concerns, ...more }))).toEqual(
    expected,
  );
});

test("all facts name each offer as a whole with its digit, and no other scope of the answers", () => {
  const offers = ["one", "two", "three", "four"].map((id) => ({
    id,
    words: `Take ${id}`,
    short: id,
    detail: `what ${id} does`,
    ...(id === "three" ? { warns: true as const } : {}),
  }));
  const request = asked({ covers: "this one call", answers: ["once", "deny"], offers });
  const facts = questionFacts(request);
  expect(facts.filter((fact) => fact.startsWith("["))).toEqual([
    "[1] Take one: what one does",
    "[2] Take two: what two does",
    "[3] Take three: what three does",
    "[5] Take four: what four does",
  ]);
  expect(facts.join()).not.toContain("this one call");
  expect(scopeText(request)).toBe("");
  expect(scopeText(asked({ covers: "this one call", answers: ["once", "deny"] }))).toBe(
    "an answer covers this one call",
  );
});

test.each([
  ["risk:high", "Asked by the default rule: it changes things"],
  ["mine", "Asked by rule mine: it changes things"],
])("the rule %s in all facts", (rule, expected) => {
  expect(questionFacts(asked({ rule, reason: "it changes things" }))).toContain(expected);
});
