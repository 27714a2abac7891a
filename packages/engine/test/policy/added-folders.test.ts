/** Rules and modes in the folders that the person added to the workspace: restrictions hold there too, permissions do not spread. */
import type { CommandFacts, PolicyQuestion, PolicyRule, TouchedPath } from "@localharness/engine";
import { expect, test } from "vitest";
import { withFacts } from "../../src/calls/examine-call.ts";
import { createPolicy, decide } from "../../src/policy/decide.ts";
import { coverage } from "../../src/policy/grants.ts";
import { pathFilter } from "../../src/policy/path-filter.ts";
import { plainQuestion, rule } from "./ask-about.ts";

const lib = { root: "/lib", trusted: true };
const edit: PolicyQuestion = { ...plainQuestion, tool: "write_file", editsFiles: true, added: ["/lib"] };
const look: PolicyQuestion = {
  ...plainQuestion,
  ...{ tool: "read_file", readOnly: true, risk: "medium", added: ["/lib"], freedoms: { looks: true } },
};
const command: CommandFacts = { text: "make", calls: [["make"]] };
const run: PolicyQuestion = {
  ...plainQuestion,
  ...{ tool: "bash", mode: "auto", editsFiles: false, added: ["/lib"], freedoms: { confined: true } },
};

function touch(path: string, access: TouchedPath["access"] = "write", added = lib): TouchedPath {
  return path.startsWith("/") ? { path, access, added } : { path, access };
}

test.each<[string, PolicyQuestion, readonly PolicyRule[], TouchedPath, string]>([
  [
    "denies what it denies in the workspace",
    edit,
    [rule("deny", { path: "secrets/**" })],
    touch("/lib/secrets/a"),
    "deny",
  ],
  ["denies a whole folder", edit, [rule("deny", { path: "secrets" })], touch("/lib/secrets/a"), "deny"],
  ["denies names anywhere", edit, [rule("deny", { path: "**/*.sql" })], touch("/lib/a/b.sql"), "deny"],
  [
    "denies another case",
    edit,
    [rule("deny", { path: "Secrets", ignoreCase: true })],
    touch("/lib/secrets/a"),
    "deny",
  ],
  [
    "asks too",
    { ...edit, mode: "accept-edits" },
    [rule("ask", { path: "src/*" })],
    touch("/lib/src/a"),
    "ask",
  ],
  [
    "denies nothing else",
    { ...edit, mode: "accept-edits" },
    [rule("deny", { path: "secrets" })],
    touch("/lib/src/a"),
    "allow",
  ],
  [
    "that names the workspace denies nothing there",
    { ...edit, mode: "accept-edits" },
    [rule("deny", { path: "/w/src" })],
    touch("/lib/src/a"),
    "allow",
  ],
  [
    "that names the folder denies there",
    edit,
    [rule("deny", { path: "/lib/src" })],
    touch("/lib/src/a"),
    "deny",
  ],
  [
    "that allows a path allows nothing there",
    edit,
    [rule("allow", { path: "src/**" })],
    touch("/lib/src/a"),
    "ask",
  ],
  [
    "that allows everything in the workspace allows nothing there",
    edit,
    [rule("allow", { path: "**" })],
    touch("/lib/src/a"),
    "ask",
  ],
  [
    "that allows the folder by its path allows there",
    edit,
    [rule("allow", { path: "/lib/**" })],
    touch("/lib/src/a"),
    "allow",
  ],
])("a rule %s", (_, question, rules, path, expected) => {
  expect(decide({ ...question, workspace: "/w", facts: { paths: [path] } }, rules).decision).toBe(expected);
});

const untrusted = { root: "/lib", trusted: false };

test.each<[string, PolicyQuestion, TouchedPath, string]>([
  ["a look without a question", look, touch("/lib/a", "read"), "allow"],
  ["no look without trust in the folder", look, touch("/lib/a", "read", untrusted), "ask"],
  [
    "a look without trust in mode auto",
    { ...look, mode: "auto" },
    touch("/lib/a", "read", untrusted),
    "allow",
  ],
  ["a confined command", { ...run, facts: { command } }, touch("/lib/a"), "allow"],
  ["no command elsewhere", { ...run, facts: { command } }, { path: "/other/a", access: "write" }, "ask"],
  [
    "no command at a place that only looks like the folder",
    { ...run, facts: { command } },
    { path: "/lib/a", access: "write" },
    "ask",
  ],
])("the modes allow %s", (_, question, path, expected) => {
  const facts = { ...question.facts, paths: [path], ...(question.readOnly ? { looks: true } : {}) };
  expect(decide({ ...question, facts }, []).decision).toBe(expected);
});

test("a walk and a program leave out what rules deny in the folder", () => {
  const filter = pathFilter(createPolicy([rule("deny", { path: ["secrets", "**/*.sql"] })]), {
    ...run,
    facts: { command },
  });
  const paths = ["secrets/a", "/lib/secrets/a", "/lib/db/x.sql", "/lib/src/a"];
  expect(paths.map((path) => filter?.denies(path, "read"))).toEqual([true, true, true, false]);
  expect(filter?.closedPlaces.beginnings).toEqual(["secrets", "/lib/secrets", ".", "/lib"]);
  expect(filter?.closedPlaces.mayHold("/lib", "read")).toBe(true);
});

test.each<[string, string | undefined, TouchedPath, string]>([
  ["about the workspace covers the workspace", undefined, touch("a", "read"), "allow"],
  ["about the workspace covers no added folder", undefined, touch("/lib/a", "read"), "ask"],
  ["about a folder covers it", '{"folders":["/lib"]}', touch("/lib/a", "read"), "allow"],
  ["about a folder covers no other", '{"folders":["/other"]}', touch("/lib/a", "read"), "ask"],
  ["about a folder does not cover the workspace", '{"folders":["/lib"]}', touch("a", "read"), "ask"],
])("an answer %s", (_, scope, path, expected) => {
  const asked = withFacts({ ...look, freedoms: {} }, { paths: [path] });
  const answer = rule("allow", {
    id: "remember:read_file:1",
    tool: "read_file",
    origin: "remembered",
    ...(scope === undefined ? {} : { scope }),
  });
  expect(decide(asked, [answer]).decision).toBe(expected);
  // A rule that the person wrote, also for one run, is no answer to a question about the workspace.
  for (const origin of ["user", "session"] as const) {
    const written = rule("allow", { tool: "read_file", origin });
    expect(decide(asked, [written]).decision).toBe("allow");
  }
});

test("an answer says for which folder it is", () => {
  const asked = withFacts({ ...look, freedoms: {} }, { paths: [touch("/lib/a", "read")] });
  expect(coverage(asked, decide(asked, []))).toBe("every read_file call in /lib");
});
