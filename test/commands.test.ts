/** Checks the commands other than the chat, run as whole programs. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultLimits } from "@localharness/engine";
import { defaultTools } from "@localharness/harness/config/fields";
import { defaultNumCtx } from "@localharness/models";
import { defaultChangeLimits } from "@localharness/workspace/changes/default-change-limits";
import { describe, expect, test } from "vitest";
import { configure, makePlace, program, root, run } from "./run-program.ts";

/** The settings whose values are limits of the harness, and the default of each. */
const defaults = {
  num_ctx: defaultNumCtx,
  tools: defaultTools,
  "limits.calls_per_iteration": defaultLimits.callsPerIteration,
  "limits.iterations_per_turn": defaultLimits.iterationsPerTurn,
  "limits.iterations_without_progress": defaultLimits.iterationsWithoutProgress,
  "limits.calls_per_minute": defaultLimits.callsPerMinute,
  "limits.commands_per_turn": defaultLimits.commandsPerTurn,
  "limits.bytes_written_per_turn": defaultLimits.bytesWrittenPerTurn,
  undo_megabytes: defaultChangeLimits.totalBytes / 1024 / 1024,
};
const files = { "a.txt": "one\ntwo\n" };
const write = JSON.stringify({ path: "new.txt", content: "made\n" });

describe("tool", () => {
  test("list names every tool with its risk", async () => {
    const { code, stdout } = await run(["tool", "list"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ls +safe +\S/m);
    expect(stdout).toMatch(/^bash +high +\S/m);
    expect(JSON.parse((await run(["tool", "list", "--json"])).stdout)[0]).toHaveProperty("parameters");
  });

  const calls: [string, readonly string[], number, RegExp, RegExp][] = [
    ["a safe tool runs", ["ls", "{}"], 0, /a\.txt/, /^$/],
    ["an alias and no arguments", ["list_dir"], 0, /a\.txt/, /^/],
    [
      "a question without a terminal is a deny",
      ["write_file", '{"path":"b.txt","content":"x"}'],
      4,
      /^$/,
      /permission_denied/,
    ],
    ["a stated answer allows it", ["read_file", '{"path":"a.txt"}', "--answer", "once"], 0, /1: one\n/, /^/],
    [
      "a stated answer denies it",
      ["write_file", '{"path":"b.txt","content":"x"}', "--answer", "deny"],
      4,
      /^$/,
      /permission_denied/,
    ],
    ["arguments that are no JSON", ["ls", "{path"], 1, /^$/, /validation_failed: [\s\S]*JSON/],
    [
      "a missing parameter",
      ["read_file", "{}", "--answer", "once"],
      1,
      /^$/,
      /validation_failed: [\s\S]*path/,
    ],
    ["an unknown tool", ["fly", "{}"], 1, /^$/, /not_found: there is no tool named "fly"/],
    [
      "a path that leads out",
      ["read_file", '{"path":"../x"}', "--answer", "once"],
      4,
      /^$/,
      /permission_denied: .*leads out of the workspace/,
    ],
  ];
  test.each(calls)("call: %s", async (_what, args, code, stdout, stderr) => {
    const ended = await run(["tool", "call", ...args], { place: makePlace(files) });
    expect(ended.code, ended.stderr).toBe(code);
    expect(ended.stdout).toMatch(stdout);
    expect(ended.stderr).toMatch(stderr);
  });

  test("call --json prints the result as the model would read it", async () => {
    const { stdout } = await run(["tool", "call", "get_working_directory", "--json"], { place: makePlace() });
    expect(JSON.parse(stdout)).toMatchObject({
      success: true,
      data: expect.stringMatching(/\/ws$/),
      error_message: null,
      error_type: "none",
      metadata: {
        execution_time_ms: expect.any(Number),
        data_size_bytes: expect.any(Number),
        timestamp: expect.any(Number),
      },
    });
  });
});

test("the compiled code of the program is out of reach of tools, also in a home folder", async () => {
  const place = makePlace();
  const path = realpathSync(place.home);
  const folders = [{ path, owner: statSync(path).uid, trusted: true, decided: 0 }];
  configure(place, "trust.json", JSON.stringify({ version: 1, folders }));
  const inCache = (name: string) => join(place.home, ".cache", name);
  const writing = async (name: string) => {
    const args = JSON.stringify({ path: `.cache/${name}`, content: "x" });
    const where = ["--workspace", place.home, "--mode", "bypass", "--answer", "once"];
    return await run(["tool", "call", "write_file", args, ...where], { place, env: { XDG_CACHE_HOME: "" } });
  };
  expect(await writing("other/session.code")).toMatchObject({ code: 0 });
  const before = readFileSync(inCache("localharness/code/session.code"));
  const { code, stderr } = await writing("localharness/code/session.code");
  expect([code, stderr]).toEqual([4, expect.stringContaining("permission_denied")]);
  expect(await writing("localharness/code/new.code")).toMatchObject({ code: 4 });
  expect(existsSync(inCache("localharness/code/new.code"))).toBe(false);
  expect(readFileSync(inCache("localharness/code/session.code")).length).toBeGreaterThanOrEqual(
    before.length,
  );
});

describe("policy", () => {
  test("an answer is remembered, listed, explained, used and forgotten", async () => {
    const place = makePlace(files);
    expect((await run(["tool", "call", "write_file", write, "--answer", "remember"], { place })).code).toBe(
      0,
    );
    const policies = join(place.home, ".config/localharness/policies.json");
    expect(JSON.parse(readFileSync(policies, "utf8"))).toMatchObject({
      version: 2,
      rules: [{ scope: '{"edits":"text"}' }],
    });
    const listed = await run(["policy", "list"], { place });
    const id = /id (\S+)/.exec(listed.stdout)?.[1] ?? "";
    expect(listed.stdout).toMatch(
      /allow every edit of ordinary files, .*by any tool.* · in this folder · you chose Remember.* · id /,
    );
    const explained = await run(["policy", "explain", "write_file", write], { place });
    expect(explained.stdout).toMatch(
      /^ALLOW by remember:[\s\S]*risk high, mode default[\s\S]*matched remember:/,
    );
    expect(
      (await run(["tool", "call", "write_file", '{"path":"b.txt","content":"x"}'], { place })).code,
    ).toBe(0);
    expect(await run(["policy", "forget", id], { place })).toMatchObject({ code: 0 });
    expect(await run(["policy", "forget", id], { place })).toMatchObject({ code: 1 });
    expect((await run(["policy", "list"], { place })).stdout).toBe(
      "there are no rules and no remembered answers\n",
    );
    expect((await run(["policy", "explain", "write_file", write], { place })).stdout).toMatch(
      /^ASK by risk:high/,
    );
    expect(
      (await run(["tool", "call", "write_file", '{"path":"c.txt","content":"x"}'], { place })).code,
    ).toBe(4);
  });

  test("a remembered command covers only that command", async () => {
    const place = makePlace();
    const bash = (command: string, ...rest: string[]) =>
      run(["tool", "call", "bash", JSON.stringify({ command }), ...rest], { place });
    expect((await bash("touch one", "--answer", "remember")).code).toBe(0);
    expect((await bash("touch one")).code).toBe(0);
    expect((await bash("touch one; touch two")).code).toBe(4);
  });

  test("twenty programs that remember answers at once lose none", async () => {
    const place = makePlace();
    const numbers = Array.from({ length: 20 }, (_, number) => number);
    const ended = await Promise.all(
      numbers.map((number) =>
        run(
          ["tool", "call", "bash", JSON.stringify({ command: `touch ${number}` }), "--answer", "remember"],
          {
            place,
          },
        ),
      ),
    );
    expect(ended.map(({ code, stderr }) => (code === 0 ? "done" : stderr))).toEqual(
      numbers.map(() => "done"),
    );
    const { rules } = JSON.parse(
      readFileSync(join(place.home, ".config/localharness/policies.json"), "utf8"),
    );
    const commandOf = ({ scope }: { scope: string }): string => JSON.parse(scope).command;
    expect(rules.map(commandOf).toSorted()).toEqual(numbers.map((number) => `touch ${number}`).toSorted());
  });

  test("a damaged file is reported and kept; a file of a later version is left alone", async () => {
    const damaged = makePlace();
    configure(damaged, "policies.json", '{"version": 1, "rul');
    expect((await run(["policy", "list"], { place: damaged })).stderr).toMatch(
      /is damaged .*kept as .*broken-/,
    );
    const later = makePlace();
    const path = configure(later, "policies.json", '{"version": 3, "rules": []}');
    expect(
      (await run(["tool", "call", "write_file", write, "--answer", "remember"], { place: later })).stderr,
    ).toMatch(/later version \(3/);
    expect(readFileSync(path, "utf8")).toBe('{"version": 3, "rules": []}');
  });
});

describe("demo", () => {
  test.each(["demo", "demo:hermes", "demo:text"])(
    "%s runs a whole turn without a model or server",
    async (model) => {
      const ended = await run(["demo", "--model", model]);
      expect(ended.code, ended.stderr).toBe(0);
      for (const name of ["ls", "grep_search", "edit_file", "git_status", "update_task"])
        expect(ended.stderr).toContain(`✓ ${name}`);
      expect(ended.stderr).toMatch(/⚠️ {2}Permission Request\n\nTool: edit_file[\s\S]*> once/);
      expect(ended.stdout).toMatch(/Done: src\/tea\.js is fixed\./);
      expect(ended.stdout).toMatch(/not a language model/);
      expect(ended.stdout).toMatch(/ollama/);
      const folder = /Workspace: (\S+),/.exec(ended.stderr)?.[1] ?? "";
      expect(existsSync(folder)).toBe(false);
    },
  );

  test("continues when the edit is denied, and keeps the copy with --keep", async () => {
    const ended = await run(["demo", "--answer", "deny", "--keep"]);
    expect(ended.code).toBe(4);
    const folder = /is kept: (\S+)/.exec(ended.stderr)?.[1] ?? "";
    expect(readFileSync(join(folder, "src/tea.js"), "utf8")).toContain("TODO");
  });
});

/** Makes the running Node report an old version. */
const oldNode = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.0.0" } });
process.argv.splice(1, 1);
require(process.argv[1]);`;

describe("help and version", () => {
  test.each([["--version"], ["-V"]])("%s", async (flag) => {
    expect(await run([flag])).toMatchObject({ code: 0, stdout: "0.1.0\n", stderr: "" });
  });

  test.each([["--help"], ["-h"], ["help"], ["tool", "--help"], ["help", "loop"], ["detect", "-h"]])(
    "%s %s",
    async (...args) => {
      const ended = await run(args.filter((word) => word !== undefined));
      expect(ended).toMatchObject({ code: 0, stderr: "" });
      expect(ended.stdout).toMatch(/Exit codes:/);
    },
  );

  test("for an unknown command say so", async () => {
    expect(await run(["help", "nonsense"])).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("there is no command nonsense"),
    });
    expect((await run(["detect", "--help"])).stdout).toMatch(/--tools FILE +JSON list of tools/);
  });

  test("an address is shown without its secrets", async () => {
    const env = { LOCALHARNESS_HOST: "http://bob:hunter2secret@127.0.0.1:1/v1?key=hunter3secret" };
    for (const json of [[], ["--json"]]) {
      const { stdout } = await run(["config", "show", ...json], { env });
      expect(stdout).toContain("http://****@127.0.0.1:1/v1?key=****");
      expect(stdout).not.toMatch(/hunter|bob/);
    }
  });

  test("config shows what holds without a setting, sets a value and takes it back", async () => {
    const place = makePlace({});
    const config = (...words: string[]) => run(["config", ...words], { place });
    const shown = (await config("show")).stdout;
    for (const [key, value] of Object.entries(defaults)) {
      expect(shown.split("\n")).toContainEqual(
        expect.stringMatching(new RegExp(`^${key} +${value}\\b.* default `)),
      );
    }
    expect(await config("set", "num_ctx", "8192")).toMatchObject({ code: 0, stdout: "num_ctx = 8192\n" });
    expect((await config("show")).stdout).toMatch(/^num_ctx +8192 +config\.json /m);
    expect(await config("set", "num_ct", "1")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Did you mean num_ctx?"),
    });
    expect(await config("set", "mode", "fast")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/"mode" expects one of default, plan, .* got "fast"/),
    });
    const env = { LOCALHARNESS_NUM_CTX: "4096" };
    expect((await run(["config", "set", "num_ctx", "2048"], { place, env })).stdout).toBe(
      "num_ctx = 4096 (LOCALHARNESS_NUM_CTX overrides config.json)\n",
    );
    expect((await config("unset", "num_ctx")).stdout).toMatch(/^num_ctx = 16384.*\(unset\)/);
    expect((await config("set", "num_ctx")).stderr).toMatch(/usage: localharness config path/);
  });

  test("config schema prints the JSON Schema of the file", async () => {
    const { code, stdout } = await run(["config", "schema"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      properties: {
        num_ctx: { type: "integer", minimum: 256 },
        mode: { default: "default" },
        limits: { properties: { calls_per_iteration: { default: defaultLimits.callsPerIteration } } },
      },
    });
  });

  test("an earlier name of an option works, and stderr tells the name of today", async () => {
    const { code, stdout, stderr } = await run(["config", "show", "--json", "--max-calls", "3"]);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: "localharness: --max-calls is now --calls-per-iteration\n",
    });
    expect(JSON.parse(stdout).settings["limits.calls_per_iteration"]).toEqual({
      value: 3,
      from: "--calls-per-iteration",
    });
  });

  test("on an old Node the start file says which version is needed", async () => {
    const old = mkdtempSync(join(tmpdir(), "lh-old-"));
    const script = join(old, "old-node.cjs");
    writeFileSync(script, oldNode);
    const ended = await run([program(), "--version"], { program: [process.execPath, script] });
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(/needs Node\.js 24 or later/);
  });

  test.each([
    ["linux", "Run `npm ci` in CHECKOUT to get one"],
    ["darwin", "Install Node.js 24 (https://nodejs.org): for this system `npm ci` brings none."],
  ])("in a checkout without its packages an old Node says what to do (%s)", async (system, advice) => {
    const checkout = mkdtempSync(join(tmpdir(), "lh-checkout-"));
    for (const folder of ["bin", "packages/cli/src"]) mkdirSync(join(checkout, folder), { recursive: true });
    copyFileSync(join(root, "bin/localharness"), join(checkout, "bin/localharness"));
    writeFileSync(join(checkout, "packages/cli/src/main.ts"), "");
    const script = join(checkout, "old-node.cjs");
    writeFileSync(script, `Object.defineProperty(process, "platform", { value: "${system}" });\n${oldNode}`);
    const start = join(checkout, "bin/localharness");
    const ended = await run([start, "--version"], { program: [process.execPath, script] });
    expect(ended).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(advice.replace("CHECKOUT", checkout)),
    });
  });

  test("in a checkout the start file runs the sources", async () => {
    const ended = await run(["--version"], { program: [process.execPath, join(root, "bin/localharness")] });
    expect(ended).toMatchObject({ code: 0, stdout: "0.1.0\n" });
  });

  test("in a checkout an old Node hands over to the pinned one, with input, output and exit code", async () => {
    const found = ["/usr/bin/node", "/usr/local/bin/node"].find(
      (path) =>
        existsSync(path) && !/^v(2[4-9]|[3-9]\d)/.test(execFileSync(path, ["-v"], { encoding: "utf8" })),
    );
    if (found === undefined) return;
    const place = makePlace();
    const options = { place, program: [found, join(root, "bin/localharness")], stdin: "what time is it" };
    expect(await run(["-p", "--model", "demo"], options)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/get_current_time/),
    });
    expect(await run(["--unknown"], options)).toMatchObject({ code: 2 });
  });
});

test("the built package has all that it needs, and its start file can be run", async () => {
  const start = program();
  const folder = join(start, "../..");
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  expect(manifest).toMatchObject({
    name: "localharness",
    bin: { localharness: "bin/localharness" },
    dependencies: { "@vscode/ripgrep": "1.18.0" },
  });
  chmodSync(start, 0o755);
  const listed = execFileSync("npm", ["pack", "--dry-run", "--json"], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [packed] = Object.values(JSON.parse(listed)) as { files: { path: string }[] }[];
  const paths = packed?.files.map((file) => file.path) ?? [];
  expect(paths).toEqual(
    expect.arrayContaining(["bin/localharness", "lib/main.cjs", "demo-workspace/src/tea.js", "package.json"]),
  );
});
