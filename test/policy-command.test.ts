/** Checks the policy commands (add, list, explain, test, forget) and that calls follow the rules. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { configure, makePlace, type Place, program, run, start } from "./run-program.ts";

const files = { "a.txt": "one\n", "private/b.txt": "one\n" };
const policy = (place: Place, ...args: string[]) => run(["policy", ...args], { place });
const call = (place: Place, tool: string, args: object, ...more: string[]) =>
  run(["tool", "call", tool, JSON.stringify(args), "--sandbox", "off", ...more], { place });
const rulesOf = (place: Place) =>
  JSON.parse(readFileSync(join(place.home, ".config/localharness/policies.json"), "utf8"));

describe("add", () => {
  test.each([
    [
      ["deny", "--path", "private/**"],
      { decision: "deny", path: "private/**" },
      /deny any tool, path private/,
    ],
    [
      ["allow", "--tool", "read_file,grep_search", "--because", "reading is fine"],
      { decision: "allow", tool: ["read_file", "grep_search"], justification: "reading is fine" },
      /allow read_file, grep_search · in every folder · reading is fine · id /,
    ],
    [
      ["deny", "--path", "src/lib/**", "--access", "write"],
      { decision: "deny", path: "src/lib/**", access: "write" },
      /deny .*src\/lib/,
    ],
    [
      ["ask", "--tool", "bash", "--command", "npm publish *"],
      { decision: "ask", tool: "bash", command: ["npm", "publish", "*"] },
      /ask bash, command npm publish \*/,
    ],
    [
      ['{"id": "mine", "decision": "deny", "tool": "remove", "risk": ["high"]}'],
      { id: "mine", decision: "deny", tool: "remove", risk: ["high"] },
      /^deny remove, risk high · .* · id mine\n/,
    ],
  ])("keeps %j as a rule, and shows it", async (words, rule, line) => {
    const place = makePlace(files);
    const added = await policy(place, "add", ...words);
    expect(added).toMatchObject({ code: 0, stderr: "" });
    expect(added.stdout).toMatch(line);
    expect(rulesOf(place)).toMatchObject({ version: 2, rules: [rule] });
    expect((await policy(place, "list")).stdout).toBe(added.stdout);
  });

  test("a rule with the absolute path of a folder of the workspace holds there", async () => {
    const place = makePlace({ "private/p.txt": "sealed\n" });
    await policy(place, "add", "deny", "--path", `${place.workspace}/private/**`);
    const read = await run(["tool", "call", "read_file", '{"path": "private/p.txt"}'], { place });
    expect(read.code).not.toBe(0);
    expect(read.stdout + read.stderr).toContain("your rule for path");
    const hint = await policy(place, "add", "deny", "--path", "*.secret");
    expect(hint.stderr).toContain("**/*.secret matches them in every folder");
  });

  test.each([
    [["perhaps", "--tool", "ls"], /expected allow, ask, deny or a rule as JSON, got "perhaps"/],
    [["deny", "--access", "write", "--tool", "ls"], /--access needs --path/],
    [["deny"], /at least one of --tool, --path and --command/],
    [["allow", "--command", "git *"], /git is a program that runs what a repository says/],
    [["allow", "--command", "*"], /an allow for any command is no rule/],
    [["allow", "--tool", "git_*"], /is not the name of a tool/],
    [
      ['{"id": "x", "decision": "allow", "pathh": "a"}'],
      /unknown key "pathh" in a rule\. Did you mean "?path/,
    ],
    [['{"id": "x", "id": "y", "decision": "deny"}'], /the key "id" occurs twice/],
    [
      [
        '{"id": "x", "decision": "deny", "path": "a/**", "examples": {"matches": [{"paths": [{"path": "b", "access": "read"}]}]}}',
      ],
      /examples: it does not match its own example/,
    ],
  ])("refuses %j and says what is wrong", async (words, problem) => {
    const place = makePlace(files);
    const { code, stderr } = await policy(place, "add", ...words);
    expect(code, stderr).toBe(2);
    expect(stderr).toMatch(problem);
    expect(existsSync(join(place.home, ".config/localharness/policies.json"))).toBe(false);
  });

  test("--here makes a rule for this workspace only; an unknown tool gets a warning", async () => {
    const place = makePlace(files);
    const added = await policy(place, "add", "allow", "--tool", "fly", "--here");
    expect(added.stdout).toContain("allow fly · in this folder");
    expect(added.stderr).toContain("there is no tool named fly yet");
    expect(rulesOf(place)).toMatchObject({ rules: [{ workspace: place.workspace }] });
  });

  test("is undone by forget, once", async () => {
    const place = makePlace(files);
    await policy(place, "add", '{"id": "mine", "decision": "deny", "tool": "remove"}');
    expect(await policy(place, "forget", "mine")).toMatchObject({ code: 0 });
    expect(await policy(place, "forget", "mine")).toMatchObject({ code: 1 });
    expect((await policy(place, "list")).stdout).toBe("there are no rules and no remembered answers\n");
  });
});

describe("a rule", () => {
  test("allows a call that would be asked about, until another rule denies it", async () => {
    const place = makePlace(files);
    await policy(place, "add", "allow", "--tool", "read_file");
    expect(await call(place, "read_file", { path: "private/b.txt" })).toMatchObject({ code: 0 });
    await policy(place, "add", "deny", "--path", "private/**", "--because", "private");
    const denied = await call(place, "read_file", { path: "./x/../private/b.txt" }, "--answer", "once");
    expect(denied).toMatchObject({ code: 4, stderr: expect.stringContaining("private") });
    expect((await call(place, "read_file", { path: "a.txt" })).code).toBe(0);
    const search = await call(place, "grep_search", { pattern: "one" }, "--answer", "once");
    expect(search.stdout).toContain("a.txt");
    expect(search.stdout).not.toContain("b.txt");
  });

  test("that denies a program applies wherever the program is in a command", async () => {
    const place = makePlace(files);
    await policy(place, "add", "deny", "--command", "touch *", "--because", "no touching");
    for (const command of [
      "touch x",
      "/usr/bin/touch x",
      "env touch x",
      "true && touch x",
      "sh -c 'touch x'",
    ]) {
      const ended = await call(place, "bash", { command }, "--answer", "once");
      expect({ command, code: ended.code }).toEqual({ command, code: 4 });
      expect(ended.stderr).toContain("no touching");
    }
    expect(existsSync(join(place.workspace, "x"))).toBe(false);
  });

  test("that allows a command allows it alone", async () => {
    const place = makePlace(files);
    await policy(place, "add", "allow", "--tool", "bash", "--command", "touch x");
    expect((await call(place, "bash", { command: "touch x" })).code).toBe(0);
    for (const command of ["touch x y", "touch x; touch z", "touch x > z", "touch x $(touch z)"]) {
      expect({ command, code: (await call(place, "bash", { command })).code }).toEqual({ command, code: 4 });
    }
    expect(existsSync(join(place.workspace, "z"))).toBe(false);
  });

  test("of a trusted project can deny; one that would allow is ignored with a warning", async () => {
    const rules = [
      { id: "no", decision: "deny", justification: "the project says no", tool: "ls" },
      { id: "all", decision: "allow", justification: "", tool: "*" },
    ];
    const place = makePlace({ ".localharness/policy.json": JSON.stringify({ version: 2, rules }) });
    expect(await call(place, "ls", {})).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("the project says no"),
    });
    const write = await call(place, "write_file", { path: "x", content: "x" });
    expect(write.code).toBe(4);
    expect(write.stderr).toMatch(/project:all[\s\S]*can deny and ask, not allow/);
  });
});

describe("explain", () => {
  test.each([
    ["ls .git", /an answer would cover: every command that only reads/],
    [
      "npm test",
      /an answer would cover: exactly this command[\s\S]*a wider answer would cover: any "npm test \.\.\."/,
    ],
    ["node .", /an answer would cover: this one call: calls like this are asked about each time/],
  ])("says what the answer to %s covers, as the question does", async (command, line) => {
    const explained = await policy(makePlace(files), "explain", "bash", JSON.stringify({ command }));
    expect(explained.stdout).toMatch(line);
  });

  test.each([
    [[], /^DENY by built-in:untrusted: /, /this folder is not trusted yet: .*localharness trust add/],
    [["--mode", "accept-edits"], /^ALLOW by mode:accept-edits: /, /^$/],
  ])("judges as a session with %j would in a folder without trust", async (args, decision, told) => {
    const call = ["explain", "write_file", '{"path": "new.txt", "content": "x"}'];
    const explained = await policy(makePlace(files, false), ...call, ...args);
    expect(explained.stdout).toMatch(decision);
    expect(explained.stderr.replaceAll("\n", " ").trim()).toMatch(told);
  });

  test("names every rule with the reason why it matched or not, and the paths of the call", async () => {
    const place = makePlace(files);
    await policy(place, "add", '{"id": "reads", "decision": "allow", "tool": "read_file"}');
    await policy(
      place,
      "add",
      '{"id": "git", "decision": "ask", "path": ".git/**", "justification": "mine"}',
    );
    const explained = await policy(place, "explain", "write_file", '{"path": ".git/config", "content": "x"}');
    expect(explained.stdout).toMatch(/^ASK by built-in:protected:\.git: /);
    for (const line of [
      /^tool write_file, risk high, mode default, workspace .*\/ws$/m,
      /^would write \.git\/config$/m,
      /^matched built-in:protected:\.git: /m,
      /^skipped reads: it is for the tool read_file$/m,
      /^matched git: mine$/m,
    ]) {
      expect(explained.stdout).toMatch(line);
    }
    const json = await policy(place, "explain", "ls", "{}", "--json");
    expect(JSON.parse(json.stdout)).toMatchObject({ decision: { decision: "allow", rule: "risk:safe" } });
    expect((await policy(place, "explain", "fly", "{}")).code).toBe(2);
    expect((await policy(place, "explain", "ls", "{path")).code).toBe(2);
  });
});

describe("test", () => {
  const write = (place: Place, rules: readonly object[]) =>
    writeFileSync(join(place.workspace, "rules.json"), JSON.stringify({ version: 2, rules }));

  test("checks a file and its examples, with an exit code for scripts", async () => {
    const place = makePlace(files);
    const rule = { id: "no-env", decision: "deny", justification: "secret", path: "**/.env" };
    const read = (path: string) => ({ tool: "read_file", paths: [{ path, access: "read" }] });
    write(place, [{ ...rule, examples: { matches: [read(".env"), read("a/.env")], misses: [read("env")] } }]);
    expect(await policy(place, "test", "rules.json")).toMatchObject({
      code: 0,
      stdout: "no-env  valid, 3 examples\n1 rule, 0 invalid\n",
    });
    write(place, [
      { ...rule, path: "../.env" },
      { ...rule, id: "all", examples: { misses: [read(".env")] } },
    ]);
    const wrong = await policy(place, "test", "rules.json");
    expect(wrong.code).toBe(1);
    expect(wrong.stdout).toMatch(
      /^no-env {2}path: .*relative to the workspace\nall {2}examples: it matches what it must not/,
    );
    expect(wrong.stdout).toMatch(/\n2 rules, 2 invalid\n$/);
    expect(await policy(place, "test", "nowhere.json")).toMatchObject({ code: 2 });
    writeFileSync(join(place.workspace, "rules.json"), '{"version": 2, "rules": [\n{"id": "x"}]}');
    expect((await policy(place, "test", "rules.json")).stderr).toMatch(/line 2: a rule needs "decision"/);
  });

  test("without a file checks the rules in force", async () => {
    const place = makePlace(files);
    await policy(place, "add", '{"id": "mine", "decision": "deny", "tool": "remove"}');
    expect((await policy(place, "test")).stdout).toBe("mine  valid, 0 examples\n1 rule, 0 invalid\n");
  });
});

test("a damaged file of rules is kept and reported, and every call with a risk is asked about", async () => {
  const place = makePlace(files);
  configure(place, "policies.json", '{"version": 2, "rules": [{"id": "x", "decision": "deny"');
  await policy(place, "list");
  const names = readdirSync(join(place.home, ".config/localharness"));
  expect(names.some((name) => name.startsWith("policies.json.broken-"))).toBe(true);
  const ended = await call(place, "write_file", { path: "x", content: "x" }, "--mode", "bypass");
  expect(ended.code).toBe(4);
  expect(ended.stderr).toMatch(/may hold rules that forbid something[\s\S]*permission_denied/);
});

describe("the reference", () => {
  const reference = readFileSync(join(import.meta.dirname, "../docs/policy.md"), "utf8");

  test("names every key that the schema has", async () => {
    const { stdout, code } = await policy(makePlace(), "schema");
    const schema = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(schema.$schema).toBe("https://json-schema.org/draft/2020-12/schema");
    const keys = Object.keys(schema.properties.rules.items.properties);
    expect(keys.length).toBeGreaterThan(10);
    expect(keys.filter((key) => !reference.includes(`| \`${key}\` |`))).toEqual([]);
  });

  test("shows valid files of rules", async () => {
    const blocks = [...reference.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = ""]) => text);
    expect(blocks).toHaveLength(2);
    for (const [index, text] of blocks.entries()) {
      const place = makePlace({ "rules.json": text });
      const tested = await policy(place, "test", "rules.json");
      expect({ index, code: tested.code, stdout: tested.stdout }).toMatchObject({ index, code: 0 });
    }
  });

  test("shows commands that work", async () => {
    const block = /```sh\n([\s\S]*?)```/.exec(reference)?.[1] ?? "";
    const script = `set -e; localharness() { "$NODE" "$PROGRAM" "$@"; }\n${block}`;
    const env = { NODE: process.execPath, PROGRAM: program() };
    const { ended } = await start([], { place: makePlace(files), program: ["bash", "-c", script], env });
    const { code, stdout, stderr } = await ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/ id rule:[\s\S]*\nASK by risk:high: /);
  });
});
