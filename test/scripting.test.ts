/** Checks unattended runs: each output format, the limits of a run, and the recipes of docs/scripting.md as written there. */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Scenario } from "../packages/models/test/fake-server/index.ts";
import { hangMs } from "./measures.ts";
import { configure, makePlace, type Place, program, root, run, start } from "./run-program.ts";
import { argumentsFor, serveModel } from "./serve-model.ts";

const server = await serveModel();

const wire = () => argumentsFor(server);
const write = (path: string) => ({ name: "write_file", arguments: { path, content: "made\n" } });
const bash = (command: string) => ({ name: "bash", arguments: { command } });

test("-p tells how a folder is used once, and again when that changed", async () => {
  const place = makePlace({ "AGENTS.md": "Be\u200b brief." });
  const say = (...args: string[]) => run(["-p", "--model", "demo", ...args, "hi"], { place });
  const first = (await say()).stderr;
  expect(first).toMatch(/sandbox[\s\S]*AGENTS\.md contains 1 invisible character/);
  expect((await say()).stderr).toBe("");
  // A program that reads events gets them in every run.
  expect((await say("--output", "stream-json")).stdout).toContain('"code":"instructions"');
  expect((await say("--sandbox", "off")).stderr).toMatch(/sandbox/);
  writeFileSync(join(place.workspace, "AGENTS.md"), "Be\u200b \u200bbrief.");
  expect((await say()).stderr).toMatch(/^! AGENTS\.md contains 2 invisible characters.*\n$/);
  const elsewhere = { home: place.home, workspace: makePlace().workspace };
  expect((await run(["-p", "--model", "demo", "hi"], { place: elsewhere })).stderr).toMatch(/not trusted/);
});

describe("--output json", () => {
  test("is one object: the answer, why it ended, what it cost", async () => {
    server.use({
      turns: [{ text: "I write.", calls: [write("a.txt")] }, { text: "It is \u001b[31mwritten." }],
    });
    const ended = await run(["-p", "--output", "json", "--answer", "once", ...wire(), "go"]);
    expect(ended.code).toBe(0);
    expect(ended.stdout).toMatch(/^\{.*\}\n$/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the test expects none of them
    expect(ended.stdout).not.toMatch(/\u001b/);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      type: "result",
      sessionId: expect.stringMatching(/.{8}/),
      model: "fake-model",
      reason: "done",
      exitCode: 0,
      result: "It is \u001b[31mwritten.",
      messages: 5,
      turns: 1,
      iterations: 2,
      toolCalls: 1,
      denied: 0,
      usage: { requests: 2, retries: 0, outputTokens: expect.any(Number) },
      durationMs: expect.any(Number),
    });
    expect(ended.stderr).toMatch(/I write\.\n→ write_file/);
  });

  test.each([
    [
      "denied",
      { turns: [{ calls: [write("a.txt")] }, { text: "No." }] },
      4,
      { reason: "done", denied: 1, result: "No." },
    ],
    [
      "a server that fails",
      {
        turns: [{ faults: [{ kind: "status", status: 400, body: { error: { message: "no such thing" } } }] }],
      },
      1,
      { reason: "error", result: "", message: expect.stringContaining("no such thing"), code: "bad-request" },
    ],
  ] as const)("says what was %s", async (_what, scenario, code, result) => {
    server.use(scenario as Scenario);
    const ended = await run(["-p", "--output", "json", ...wire(), "go"]);
    expect(ended.code).toBe(code);
    expect(JSON.parse(ended.stdout)).toMatchObject({ exitCode: code, ...result });
  });

  test("is an object at the end of a loop, too", async () => {
    const place = makePlace({
      "prd.json": JSON.stringify({ stories: [{ id: "a", title: "A", passes: false }] }),
    });
    server.use({ turns: [{ text: "I think." }] });
    const ended = await run(["loop", "prd.json", "--output", "json", ...wire()], { place });
    expect(JSON.parse(ended.stdout)).toMatchObject({ type: "loop-result", exitCode: 3, turns: 2, passed: 0 });
  });
});

test("stdout is empty when a run cannot begin", async () => {
  for (const args of [
    ["-p", "--output", "json", "--base-url", "http://127.0.0.1:1/v1", "go"],
    ["-p", "--output", "json", "--input", "stream-json", "go"],
    ["-p", "--schema", "nowhere.json", "go"],
    ["-p", "--max-turns", "2", "--iterations-per-turn", "3", "go"],
    ["-p", "--timeout", "soon", "go"],
  ]) {
    const ended = await run(args);
    expect([args, ended.stdout]).toEqual([args, ""]);
    expect(ended.stderr).toMatch(/localharness: /);
    expect([1, 2]).toContain(ended.code);
  }
});

describe("limits", () => {
  test("--timeout ends a run in the middle of a command, with its child processes, and has its own exit code", async () => {
    server.use({ turns: [{ calls: [bash("touch begun; sleep 600")] }, { text: "not reached" }] });
    // On a busy machine the limit may come before the command starts, so longer limits follow.
    for (let seconds = 4, begun = false; !begun; seconds *= 2) {
      const place = makePlace();
      const limit = ["--timeout", String(seconds)];
      const ended = await run(["-p", "--output", "json", ...limit, "--mode", "bypass", ...wire(), "go"], {
        place,
      });
      begun = existsSync(join(place.workspace, "begun"));
      expect(ended.code).toBe(124);
      expect(JSON.parse(ended.stdout)).toMatchObject({ reason: "timeout", exitCode: 124 });
      expect(JSON.parse(ended.stdout).durationMs).toBeLessThan(seconds * 1_000 + hangMs);
      expect(begun || seconds < 100).toBe(true);
    }
  });

  test("--timeout includes the time before the first request", async () => {
    const run = await start(["-p", "--timeout", "1", ...wire()], { stdin: "open" });
    expect((await run.ended).code).toBe(124);
  });

  test("a run that continues a session counts only itself", async () => {
    server.use({ turns: [{ text: "one" }, { text: "two" }] });
    const place = makePlace();
    const first = await run(["-p", "--output", "json", ...wire(), "go"], { place });
    const second = await run(["-p", "--continue", "--output", "json", ...wire(), "on"], { place });
    const [one, two] = [JSON.parse(first.stdout), JSON.parse(second.stdout)];
    expect(two).toMatchObject({ sessionId: one.sessionId, result: "two", turns: 1, notices: [] });
    expect(server.chats.at(-1)?.body?.["messages"]).toMatchObject([
      {},
      { content: "go" },
      {},
      { content: "on" },
    ]);
    expect(two.usage).toMatchObject({ requests: 1, outputTokens: one.usage.outputTokens });
  });

  test("--max-turns limits the model calls for a message", async () => {
    server.use({
      turns: [{ calls: [bash("echo 1")] }, { calls: [bash("echo 2")] }, { text: "not reached" }],
    });
    const ended = await run(["-p", "--max-turns", "2", "--mode", "bypass", ...wire(), "go"]);
    expect(ended.code).toBe(3);
    expect(server.chats).toHaveLength(2);
    expect(ended.stdout).toBe("");
  });
});

describe("--allow", () => {
  const rows: [string, string[], Scenario["turns"][number]["calls"], number][] = [
    ["a tool", ["write_file"], [write("a.txt")], 0],
    ["a tool for some paths", ['write_file --path "docs/**"'], [write("docs/a.txt")], 0],
    ["and for no others", ['write_file --path "docs/**"'], [write("a.txt")], 4],
    ["a command", ["bash --command 'echo hello'"], [bash("echo hello")], 0],
    ["and no other", ["bash --command 'echo hello'"], [bash("touch x")], 4],
    ["by JSON", ['{"tool": "bash", "command": ["touch", "*"]}'], [bash("touch x")], 0],
    ["several rules", ["read_file", "write_file"], [write("a.txt")], 0],
    ["not a name that programs obey", ["write_file"], [write(".git/config")], 4],
    ["not what a rule denies", ["write_file"], [write("private/a.txt")], 4],
  ];
  test.each(rows)("allows %s", async (_what, rules, calls, code) => {
    server.use({ turns: [{ calls: calls ?? [] }, { text: "Done." }] });
    const place = makePlace({ "docs/x.md": "x", "private/x.md": "x", ".git/config": "[core]\n" }, false);
    const deny = { id: "private", decision: "deny", justification: "mine", path: "private/**" };
    configure(place, "policies.json", JSON.stringify({ version: 2, rules: [deny] }));
    const allowed = rules.flatMap((rule) => ["--allow", rule]);
    const ended = await run(["-p", ...allowed, "--sandbox", "off", ...wire(), "go"], { place });
    expect([ended.code, ended.stderr]).toEqual([code, expect.any(String)]);
    // The rules are not saved.
    expect(readFileSync(join(place.home, ".config/localharness/policies.json"), "utf8")).not.toContain(
      "--allow",
    );
  });

  test.each([
    ["fly", /no tool named "fly"/],
    ["bash --command 'git *'", /git .*allow it only with all its words/],
    ["bash --comand x", /"--comand" is not an option of a rule/],
    ["write_file --path '../**'", /--allow/],
    ['{"decision": "deny", "tool": "bash"}', /it can only allow/],
    ['bash --command "echo', /a quote in it is not closed/],
  ])("refuses %s before anything runs", async (rule, said) => {
    const ended = await run(["-p", "--allow", rule, ...wire(), "go"]);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toMatch(said);
  });
});

describe("--schema", () => {
  const schema = JSON.stringify({
    type: "object",
    required: ["count", "names"],
    additionalProperties: false,
    properties: { count: { type: "integer" }, names: { type: "array", items: { $ref: "#/$defs/name" } } },
    $defs: { name: { type: "string", pattern: "^[a-z]+$" } },
  });
  const right = '{"count": 1, "names": ["a"]}';
  const answered = async (turns: Scenario["turns"], ...args: string[]) => {
    server.use({ turns });
    const place = makePlace({ "answer.json": schema });
    return run(["-p", "--schema", "answer.json", ...wire(), ...args, "go"], { place });
  };

  test.each([
    ["as it is", right],
    ["in a code fence with words around it", `Here it is:\n\n\`\`\`json\n${right}\n\`\`\`\n`],
    ["with a number as text, mended", '{"count": "1", "names": ["a"]}'],
  ])("prints the JSON alone: %s", async (_what, text) => {
    const ended = await answered([{ text }]);
    expect(ended.code).toBe(0);
    expect(ended.stdout).toBe('{"count":1,"names":["a"]}\n');
    expect(JSON.stringify(server.chats[0]?.body)).toContain("follow this JSON Schema");
  });

  test("asks a second time and names the problems", async () => {
    const ended = await answered(
      [{ text: '{"count": 1, "names": ["A1"]}' }, { text: right }],
      "--output",
      "json",
    );
    expect(ended.code).toBe(0);
    expect(JSON.parse(ended.stdout)).toMatchObject({ value: { count: 1, names: ["a"] }, turns: 2 });
    const [first, again] = server.chats.map(({ body }) => body ?? {});
    expect(JSON.stringify(again)).toContain("$/names/0 must match pattern");
    // The server gets the schema only without tools, because a schema would prevent tool calls.
    expect([first && "tools" in first, first && "response_format" in first]).toEqual([true, false]);
    expect([again && "tools" in again, again?.["response_format"]]).toEqual([
      false,
      { type: "json_schema", json_schema: { name: "answer", schema: JSON.parse(schema) } },
    ]);
  });

  test("ends with exit code 5 and an empty stdout when the second answer is wrong too", async () => {
    const ended = await answered([{ text: "One." }, { text: "I said: one." }, { text: right }]);
    expect(ended).toMatchObject({ code: 5, stdout: "" });
    expect(ended.stderr).toMatch(
      /does not follow the schema, even after a second request: it is not one JSON value/,
    );
    expect(server.chats).toHaveLength(2);
  });

  test("refuses a schema that cannot be checked as a whole", async () => {
    const place = makePlace({ "answer.json": '{"type": "object", "requierd": ["a"]}' });
    const ended = await run(["-p", "--schema", "answer.json", ...wire(), "go"], { place });
    expect(ended.code).toBe(2);
    expect(ended.stderr).toMatch(/unknown keyword: "requierd"/);
  });
});

describe("in a minimal environment", () => {
  test.each([
    ["no home folder", ""],
    ["a home folder that is none", "/dev/null"],
  ])("%s: a run is done all the same", async (_what, home) => {
    server.use({ turns: [{ calls: [write("a.txt")] }, { text: "Done." }] });
    const place = makePlace({}, false);
    const env = { HOME: home, LANG: "", NO_COLOR: "" };
    const ended = await run(["-p", "--allow", "write_file", "--sandbox", "off", ...wire(), "go"], {
      place,
      env,
    });
    expect(ended.stdout).toBe("Done.\n");
    expect([ended.code, ended.stderr]).toEqual([0, expect.any(String)]);
    expect(existsSync(join(place.workspace, "a.txt"))).toBe(true);
  });
});

/** Returns a code block of the page, by the word after its language. */
function recipe(name: string): string {
  const text = readFileSync(join(root, "docs", "scripting.md"), "utf8");
  const found = new RegExp(`^\`\`\`(?:sh|js) ${name}\\n([\\s\\S]*?)^\`\`\`$`, "m").exec(text)?.[1];
  if (found === undefined) throw new Error(`docs/scripting.md has no recipe ${name}`);
  return found;
}

/** Makes a place where `localharness` is the built program and the model is the scripted one. */
async function equipped(
  files: Readonly<Record<string, string>>,
): Promise<{ place: Place; env: Record<string, string> }> {
  const place = makePlace(files, false);
  const folder = join(place.home, "bin");
  mkdirSync(folder);
  writeFileSync(join(folder, "localharness"), `#!/bin/sh\nexec "${process.execPath}" "${program()}" "$@"\n`);
  chmodSync(join(folder, "localharness"), 0o755);
  const env = {
    PATH: `${folder}:${process.env["PATH"]}`,
    LOCALHARNESS_HOST: server.baseUrl,
    LOCALHARNESS_MODEL: "fake-model",
    LOCALHARNESS_SANDBOX: "off",
  };
  return { place, env };
}

function git(place: Place, ...args: string[]): string {
  const author = ["-c", "user.name=a", "-c", "user.email=a@localhost", "-c", "init.defaultBranch=main"];
  return execFileSync("git", [...author, ...args], { cwd: place.workspace, encoding: "utf8", stdio: "pipe" });
}

describe("recipes", () => {
  test("pre-commit: the verdict decides; without a model the commit continues", async () => {
    const { place, env } = await equipped({ "a.js": "console.log(1)\n" });
    git(place, "init", "--quiet");
    git(place, "add", "--all");
    const hook = join(place.workspace, ".git/hooks/pre-commit");
    mkdirSync(join(place.workspace, ".git/hooks"), { recursive: true });
    writeFileSync(hook, recipe("pre-commit"), { mode: 0o755 });
    const runHook = (more = {}) => run([], { place, env: { ...env, ...more }, program: [hook] });
    server.use({ turns: [{ text: '{"ok": false, "why": "console.log is left in a.js"}' }] });
    const stopped = await runHook();
    expect(stopped).toMatchObject({ code: 1, stdout: "" });
    expect(stopped.stderr).toContain("console.log is left");
    expect(JSON.stringify(server.chats[0]?.body)).toContain("+console.log(1)");
    server.use({ turns: [{ text: '{"ok": true, "why": "clean"}' }] });
    expect((await runHook()).code).toBe(0);
    const alone = await runHook({ LOCALHARNESS_PROVIDER: "nowhere" });
    expect(alone.code).toBe(0);
    expect(alone.stderr).toContain("the review did not run");
  });

  test("ci-review: a file with the review and its cost", async () => {
    const { place, env } = await equipped({ "a.js": "1\n" });
    git(place, "init", "--quiet");
    git(place, "add", "--all");
    git(place, "commit", "--quiet", "-m", "one");
    const base = git(place, "rev-parse", "HEAD").trim();
    writeFileSync(join(place.workspace, "a.js"), "2\n");
    git(place, "commit", "--quiet", "-a", "-m", "two");
    server.use({
      turns: [{ calls: [{ name: "read_file", arguments: { path: "a.js" } }] }, { text: "a.js:1 is 2." }],
    });
    const ended = await run(["-c", recipe("ci-review")], {
      place,
      env: { ...env, BASE: base },
      program: ["sh"],
    });
    expect([ended.code, ended.stderr]).toEqual([0, expect.not.stringContaining("review ended")]);
    const review = JSON.parse(readFileSync(join(place.workspace, "review.json"), "utf8"));
    expect(review).toMatchObject({ result: "a.js:1 is 2.", toolCalls: 1, denied: 0, usage: { requests: 2 } });
  });

  test("folders: each run is confined to its own, and writes one file only", async () => {
    const { place, env } = await equipped({ "packages/one/a.js": "1\n", "packages/two/b.js": "2\n" });
    server.use({
      turns: [
        { calls: [write("SUMMARY.md"), write("../two/other.md"), write("more.md")] },
        { text: "Done." },
      ],
    });
    const ended = await run(["-c", recipe("folders")], { place, env, program: ["sh"] });
    expect(ended.stdout).toBe("");
    expect(ended.stderr).toMatch(/packages\/one\/: code 4[\s\S]*packages\/two\/: code 4/);
    const at = (path: string) => existsSync(join(place.workspace, "packages", path));
    expect([at("one/SUMMARY.md"), at("two/SUMMARY.md"), at("one/more.md"), at("two/other.md")]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test("driver: another program answers the questions", async () => {
    const { place, env } = await equipped({});
    server.use({
      turns: [{ calls: [write("hello.txt")] }, { calls: [write("other.txt")] }, { text: "One of two." }],
    });
    const file = join(place.home, "driver.mjs");
    writeFileSync(file, recipe("driver"));
    const ended = await run([file], { place, env, program: [process.execPath] });
    expect([ended.stdout, ended.stderr]).toEqual(["One of two.", expect.any(String)]);
    const at = (path: string) => existsSync(join(place.workspace, path));
    expect([at("hello.txt"), at("other.txt")]).toEqual([true, false]);
  });
});
