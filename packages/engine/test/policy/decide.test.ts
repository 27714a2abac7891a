/** Policy: rules, then the mode, then the risk. */
import {
  type CommandFacts,
  decide,
  explain,
  type PolicyQuestion,
  type PolicyRule,
} from "@localharness/engine";
import { describe, expect, test } from "vitest";
import { plainQuestion as question, rule } from "./ask-about.ts";

const bash: Partial<PolicyQuestion> = { tool: "bash", scope: "npm test", editsFiles: false };
const look: Partial<PolicyQuestion> = { tool: "ls", readOnly: true, editsFiles: false };

describe("ZodoLlama: risk safe runs, low asks once a session, medium asks, high asks with a warning", () => {
  test.each<readonly [PolicyQuestion["risk"], string, RegExp]>([
    ["safe", "allow", /without asking/],
    ["low", "ask", /once a session/],
    ["medium", "ask", /each time/],
    ["high", "ask", /look at the arguments/],
  ])("%s: %s", (risk, decision, reason) => {
    const made = decide({ ...question, risk }, []);
    expect(made).toMatchObject({ decision, rule: `risk:${risk}` });
    expect(made.reason).toMatch(reason);
  });
});

describe("modes", () => {
  test.each<readonly [PolicyQuestion["mode"], Partial<PolicyQuestion>, string]>([
    ["default", {}, "ask risk:high"],
    ["plan", {}, "deny mode:plan"],
    ["plan", { risk: "low" }, "deny mode:plan"],
    ["plan", { risk: "safe" }, "allow risk:safe"],
    ["plan", { ...look, risk: "medium" }, "ask risk:medium"],
    ["plan", { ...look, risk: "safe" }, "allow risk:safe"],
    ["accept-edits", {}, "allow mode:accept-edits"],
    ["accept-edits", bash, "ask risk:high"],
    ["accept-edits", { ...look, risk: "low" }, "ask risk:low"],
    ["bypass", {}, "allow mode:bypass"],
    ["bypass", bash, "allow mode:bypass"],
  ])("%s with %j: %s", (mode, more, expected) => {
    const { decision, rule: by } = decide({ ...question, ...more, mode }, []);
    expect(`${decision} ${by}`).toBe(expected);
  });
});

describe("looking in a trusted folder", () => {
  const free = { looks: true };
  const plain: Partial<PolicyQuestion> = { ...look, risk: "medium", facts: { looks: true }, freedoms: free };
  const secret = { id: "secret:.env", decision: "ask", reason: "keys" } as const;
  test.each<readonly [string, Partial<PolicyQuestion>, readonly PolicyRule[], string]>([
    ["runs", {}, [], "allow look"],
    ["runs in mode plan", { mode: "plan" }, [], "allow look"],
    ["asks without the freedom", { freedoms: {} }, [], "ask risk:medium"],
    ["asks where nothing says that the call only looks", { facts: {} }, [], "ask risk:medium"],
    ["asks for a tool that is not read-only", { readOnly: false }, [], "ask risk:medium"],
    ["asks about a concern", { facts: { looks: true, concerns: [secret] } }, [], "ask built-in:secret:.env"],
    ["asks when a rule asks", {}, [rule("ask", { tool: "ls" })], "ask ask-rule"],
    ["is denied by a rule", {}, [rule("deny", { tool: "ls" })], "deny deny-rule"],
  ])("%s", (_title, more, rules, expected) => {
    const { decision, rule: by } = decide({ ...question, ...plain, ...more }, rules);
    expect(`${decision} ${by}`).toBe(expected);
  });
});

test.each<readonly [string, Partial<PolicyQuestion["freedoms"] & object>, string | undefined, RegExp]>([
  [
    "says what a confined command needs",
    { confined: true },
    "downloads",
    /^it downloads \(curl\), so it needs the network$/,
  ],
  [
    "says so beside another effect",
    { confined: true },
    "changes a",
    /^it changes a; it downloads \(curl\), so/,
  ],
  ["says only the effect without a sandbox", {}, "downloads", /^it downloads$/],
])("the question %s", (_title, freedoms, effect, reason) => {
  const command = { text: "curl x", leaves: "it downloads (curl), so it needs the network" };
  const asked = {
    tool: "bash",
    risk: "high",
    readOnly: false,
    freedoms,
    facts: { command, effect },
  } as const;
  expect(decide({ ...question, ...asked } as PolicyQuestion, []).reason).toMatch(reason);
});

test.each<readonly [string, Partial<CommandFacts>, readonly PolicyRule[], RegExp]>([
  [
    "what it may destroy",
    { destroys: "it may discard changes (git reset)" },
    [],
    /discard changes.*undo has no copy/,
  ],
  [
    "that undo keeps what it destroys",
    { destroys: 'it changes "src", which exists', kept: [{ path: "src", below: true }] },
    [],
    /exists; undo keeps a copy/,
  ],
  [
    "what it does, before a rule that may match",
    { destroys: 'it changes "src", which exists', unclear: "a $" },
    [rule("ask", { path: ".env*" })],
    /^it changes "src", which exists; undo has no copy; /,
  ],
])("a question in mode default says %s", (_what, command, rules, reason) => {
  const asked = { ...bash, mode: "default", facts: { command: { text: "x", ...command } } } as const;
  expect(decide({ ...question, ...asked } as PolicyQuestion, rules)).toMatchObject({
    decision: "ask",
    reason: expect.stringMatching(reason),
  });
});

describe("mode auto", () => {
  const command = (more: Partial<CommandFacts> = {}): Partial<PolicyQuestion> => ({
    ...bash,
    facts: { paths: [{ path: "build", access: "write" }], command: { text: "rm -r build", ...more } },
  });
  const outside = (path: string): Partial<PolicyQuestion> => ({
    ...bash,
    facts: { paths: [{ path, access: "read" }], command: { text: `cat ${path}` } },
  });
  const protectedName = { id: "protected:.git", decision: "ask", reason: "hooks" } as const;
  test.each<readonly [string, Partial<PolicyQuestion>, readonly PolicyRule[], string, RegExp]>([
    ["edits of the workspace run", {}, [], "allow mode:auto", /edits/],
    ["edits run without a sandbox, too", { freedoms: {} }, [], "allow mode:auto", /edits/],
    ["commands in the sandbox run", command(), [], "allow mode:auto", /sandbox/],
    ["also those that are not clear", command({ unclear: "a $" }), [], "allow mode:auto", /sandbox/],
    ["commands ask without a sandbox", { ...command(), freedoms: {} }, [], "ask risk:high", /no sandbox/],
    ["the network asks", command({ leaves: "it pushes" }), [], "ask risk:high", /mode auto asks: it pushes/],
    ["removing asks", command({ destroys: "it changes build" }), [], "ask risk:high", /undo has no copy/],
    [
      "removing what is kept runs",
      command({ destroys: "it changes build", kept: [{ path: "build", below: true }] }),
      [],
      "allow mode:auto",
      /sandbox/,
    ],
    [
      "removing what is kept asks without a sandbox",
      { ...command({ destroys: "it changes build", kept: [{ path: "build" }] }), freedoms: {} },
      [],
      "ask risk:high",
      /no sandbox/,
    ],
    [
      "looks run in any folder",
      { ...look, risk: "medium", facts: { looks: true } },
      [],
      "allow mode:auto",
      /reads of ordinary/,
    ],
    ["a path outside asks", outside("/etc/hosts"), [], "ask risk:high", /\/etc\/hosts, outside/],
    ["a path above asks", outside("../a"), [], "ask risk:high", /\.\.\/a, outside/],
    [
      "unknown paths ask",
      { ...bash, facts: { command: { text: "x" } } },
      [],
      "ask risk:high",
      /is unknown which files/,
    ],
    ["a tool without a command asks", { ...bash, facts: {} }, [], "ask risk:high", /look at the arguments/],
    ["a rule that asks", command(), [rule("ask", { tool: "bash" })], "ask ask-rule", /because/],
    ["a rule that denies", {}, [rule("deny")], "deny deny-rule", /because/],
    [
      "a protected name",
      { facts: { concerns: [protectedName] } },
      [],
      "ask built-in:protected:.git",
      /hooks/,
    ],
  ])("%s", (_title, more, rules, expected, reason) => {
    const asked = { ...question, freedoms: { confined: true }, ...more, mode: "auto" as const };
    const { decision, rule: by, reason: why } = decide(asked, rules);
    expect(`${decision} ${by}`).toBe(expected);
    expect(why).toMatch(reason);
  });
});

test("the reason says what this call can do", () => {
  const facts = { effect: 'removes "a"' };
  expect(decide({ ...question, facts }, []).reason).toBe('it removes "a"');
});

describe("rules", () => {
  const allow = rule("allow");
  const ask = rule("ask");
  const deny = rule("deny");
  test.each<readonly [string, readonly PolicyRule[], Partial<PolicyQuestion>, string]>([
    ["an allow wins over the risk", [allow], {}, "allow allow-rule"],
    ["an ask wins over an allow", [allow, ask], {}, "ask ask-rule"],
    ["a deny wins over both, wherever it stands", [allow, ask, deny], {}, "deny deny-rule"],
    ["a deny wins over bypass", [deny], { mode: "bypass" }, "deny deny-rule"],
    ["an ask wins over bypass", [ask], { mode: "bypass" }, "ask ask-rule"],
    ["plan wins over an allow", [allow], { mode: "plan" }, "deny mode:plan"],
    ["a deny wins over safe", [deny], { risk: "safe" }, "deny deny-rule"],
    ["the first of its kind is named", [rule("allow", { id: "one" }), allow], {}, "allow one"],
    ["a rule for another tool does not match", [rule("allow", { tool: "ls" })], {}, "ask risk:high"],
    [
      "a rule for another workspace does not match",
      [rule("allow", { workspace: "/w2" })],
      {},
      "ask risk:high",
    ],
    [
      "a rule for a parent of the workspace does not match",
      [rule("allow", { workspace: "/" })],
      {},
      "ask risk:high",
    ],
    [
      "a rule for exactly this scope matches",
      [rule("allow", { tool: "bash", scope: "npm test" })],
      bash,
      "allow allow-rule",
    ],
    ["a rule for a shorter scope does not match", [rule("allow", { scope: "npm" })], bash, "ask risk:high"],
    [
      "a rule for a longer scope does not match",
      [rule("allow", { scope: "npm test && rm -rf ." })],
      bash,
      "ask risk:high",
    ],
    ["a rule without a scope matches any", [rule("allow", { tool: "bash" })], bash, "allow allow-rule"],
    [
      "a rule with a scope does not match a call without",
      [rule("allow", { scope: "npm test" })],
      {},
      "ask risk:high",
    ],
  ])("%s", (_title, rules, more, expected) => {
    const { decision, rule: by } = decide({ ...question, ...more }, rules);
    expect(`${decision} ${by}`).toBe(expected);
  });

  test("an explanation has every rule, whether it matched, and why", () => {
    const rules = [
      rule("allow", { tool: "ls" }),
      rule("allow", { workspace: "/x" }),
      rule("ask", { scope: "q" }),
      allow,
    ];
    expect(explain(question, rules)).toEqual({
      decision: { decision: "allow", rule: "allow-rule", reason: "because allow" },
      considered: [
        { rule: rules[0], matched: false, why: "it is for the tool ls" },
        { rule: rules[1], matched: false, why: "it is for the workspace /x" },
        { rule: rules[2], matched: false, why: "it is for exactly: q" },
        { rule: rules[3], matched: true, why: "because allow" },
      ],
    });
  });
});

describe("concerns count as rules of the harness itself", () => {
  const protectedName = { id: "protected:.git/config", decision: "ask", reason: "git runs it" } as const;
  const untrusted = { id: "untrusted", decision: "deny", reason: "not trusted" } as const;
  const asks = { facts: { concerns: [protectedName] } };
  test.each<readonly [string, readonly PolicyRule[], Partial<PolicyQuestion>, string]>([
    ["an ask beats an allow", [rule("allow")], asks, "ask built-in:protected:.git/config"],
    ["an ask beats bypass", [], { ...asks, mode: "bypass" }, "ask built-in:protected:.git/config"],
    [
      "an ask beats accept-edits",
      [],
      { ...asks, mode: "accept-edits" },
      "ask built-in:protected:.git/config",
    ],
    ["an ask beats a safe risk", [], { ...asks, risk: "safe" }, "ask built-in:protected:.git/config"],
    ["an ask is named before a rule's", [rule("ask")], asks, "ask built-in:protected:.git/config"],
    ["a rule's deny beats an ask", [rule("deny")], asks, "deny deny-rule"],
    ["plan beats an ask", [], { ...asks, mode: "plan" }, "deny mode:plan"],
    [
      "a deny beats all",
      [rule("deny"), rule("allow")],
      { facts: { concerns: [protectedName, untrusted] }, mode: "bypass" },
      "deny built-in:untrusted",
    ],
  ])("%s", (_title, rules, more, expected) => {
    const { decision, rule: by } = decide({ ...question, ...more }, rules);
    expect(`${decision} ${by}`).toBe(expected);
  });

  test("an explanation has them before the rules", () => {
    expect(explain({ ...question, ...asks }, [rule("allow")]).considered).toEqual([
      {
        rule: {
          id: "built-in:protected:.git/config",
          decision: "ask",
          justification: "git runs it",
          origin: "built-in",
        },
        matched: true,
        why: "git runs it",
      },
      { rule: rule("allow"), matched: true, why: "because allow" },
    ]);
  });
});

describe("deny over ask over allow, whoever wrote the rules and wherever they stand", () => {
  const origins = [undefined, "user", "project", "session", "remembered"] as const;
  const rules = origins.flatMap((origin) =>
    (["allow", "ask", "deny"] as const).map((decision) =>
      rule(decision, { id: `${decision} of ${origin}`, ...(origin === undefined ? {} : { origin }) }),
    ),
  );
  const decisionOf = (some: readonly PolicyRule[]) => decide(question, some).decision;

  test("of any two the stricter decides, in both orders; a project's allow is none", () => {
    const strictness = { allow: 0, ask: 1, deny: 2 };
    for (const one of rules) {
      for (const other of rules) {
        const usable = [one, other].filter(
          (each) => !(each.decision === "allow" && each.origin === "project"),
        );
        const strictest = usable
          .map((each) => each.decision)
          .sort((a, b) => strictness[b] - strictness[a])[0];
        expect(decisionOf([one, other])).toBe(strictest ?? "ask");
      }
    }
  });

  test("a thousand rules for other tools and paths change nothing", () => {
    const others = Array.from({ length: 1_000 }, (_, index) =>
      rule("deny", index % 2 === 0 ? { tool: `tool-${index}` } : { path: `folder-${index}/**` }),
    );
    expect(decisionOf([...others, rule("allow")])).toBe("allow");
    expect(decisionOf([...others, rule("allow"), rule("deny", { tool: ["ls", "write_file"] })])).toBe("deny");
  });
});
