import type { PolicyRule } from "@localharness/engine";
import { expect, test } from "vitest";
import { ruleLine } from "../../src/policy-file/rule-line.ts";

const base = { id: "x", justification: "" };
const cases: readonly (readonly [PolicyRule, string])[] = [
  [{ ...base, decision: "deny" }, "deny any tool · in every folder · id x"],
  [{ ...base, decision: "ask", tool: "*" }, "ask any tool · in every folder · id x"],
  [
    { ...base, decision: "allow", tool: ["ls", "bash"], workspace: "/w", justification: "why not" },
    "allow ls, bash · in /w · why not · id x",
  ],
  [{ ...base, decision: "allow", tool: "ls", workspace: "/here" }, "allow ls · in this folder · id x"],
  [
    { ...base, decision: "deny", path: ["a/**", "b"], access: "write", ignoreCase: true },
    "deny any tool, write a/** or b in any case · in every folder · id x",
  ],
  [{ ...base, decision: "deny", access: "read" }, "deny any tool, read · in every folder · id x"],
  [
    { ...base, decision: "ask", tool: "bash", command: ["npm", "*"], risk: ["low", "high"], mode: "bypass" },
    "ask bash, command npm *, risk low or high, mode bypass · in every folder · id x",
  ],
  [
    { ...base, decision: "allow", arguments: { path: { matches: "a*" } }, scope: "exactly\nthis\u202e" },
    'allow any tool, arguments {"path":{"matches":"a*"}}, exactly exactly\\nthis\\u202e · in every folder · id x',
  ],
  [
    {
      ...base,
      decision: "allow",
      tool: "bash",
      scope: '{"command":"npm test","files":{"package.json":"1","tests":"not a file of the workspace"}}',
    },
    'allow bash, exactly the command "npm test", as long as 1 file does not change · in every folder · id x',
  ],
  [
    {
      ...base,
      decision: "allow",
      tool: "bash",
      scope: '{"any":["npm","test"],"folder":".","files":{"package.json scripts":"1"}}',
    },
    'allow bash, any command "npm test ...", as long as 1 file does not change · in every folder · id x',
  ],
  [
    { ...base, decision: "allow", tool: "bash", scope: '{"commands":"only looking"}' },
    "allow bash, commands that only read · in every folder · id x",
  ],
  [
    { ...base, decision: "allow", scope: '{"edits":"text"}' },
    "allow every edit of ordinary files, of which undo has the old content, by any tool · in every folder · id x",
  ],
  [
    { ...base, decision: "allow", scope: '{"edits":"text","folders":["/a","/b"]}' },
    "allow every edit of ordinary files of /a and /b, of which undo has the old content, by any tool · in every folder · id x",
  ],
  [{ ...base, decision: "allow", scope: "null" }, "allow any tool, exactly null · in every folder · id x"],
];

test.each(cases)("a rule on one line: %j", (rule, line) => {
  expect(ruleLine(rule, "/here")).toBe(line);
});
