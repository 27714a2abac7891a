/** Checks that the runner of recorded attacks finds violations, in planted observations and in planted rows that it runs. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "@localharness/protocol";
import { afterAll, describe, expect, test } from "vitest";
import { judge } from "../scripts/corpus/attacks/checks/index.ts";
import { fillObject, wireBytes } from "../scripts/corpus/attacks/fill.ts";
import { emptyObservation, type Observation, readShown } from "../scripts/corpus/attacks/observation.ts";
import { makePlace, snapshot } from "../scripts/corpus/attacks/place.ts";
import type { Row } from "../scripts/corpus/attacks/row.ts";
import { errorsOf } from "../scripts/corpus/attacks/run-case.ts";
import { createScreen } from "../scripts/corpus/attacks/screen.ts";
import { skipReason } from "../scripts/corpus/attacks/skip.ts";
import { acceptancePlanted, removePlaces } from "./corpus-runner/acceptance-planted.ts";
import { parts } from "./corpus-runner/part-rows.ts";
import {
  good,
  history,
  type Planted,
  question,
  refused,
  request,
  result,
  row,
} from "./corpus-runner/plant.ts";
import { root } from "./run-program.ts";

const place = makePlace("printf old > kept.txt; mkdir empty");
const folder = mkdtempSync(join(tmpdir(), "lh-runner-"));
afterAll(() => {
  removePlaces();
  place[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
});

const kept = join(place.ws, "kept.txt");
const before = new Map([[kept, snapshot(kept)]]);

const planted: readonly Planted[] = [
  { check: { decision_in: ["ask", "deny"] }, holds: { decided: "ask" }, broken: { decided: "allow" } },
  { check: { decision_in: ["deny"] }, holds: { decided: "deny" }, broken: { decided: "invalid" } },
  { check: { decision_in: ["allow"] }, holds: { decided: "allow" }, broken: { decided: "ask" } },
  { check: { ok: false }, holds: { main: refused }, broken: { main: good } },
  { check: { ok: true }, holds: { main: good }, broken: { main: refused } },
  { check: { ok: false }, holds: { main: refused }, broken: {} },
  {
    check: { then_ok: 1 },
    holds: { results: [refused, result(true, "none", "after 0")] },
    broken: { results: [refused, refused] },
  },
  { check: { error_type_in: ["permission_denied"] }, holds: { main: refused }, broken: { main: good } },
  {
    check: { output_contains: ["the text"] },
    holds: { main: good, results: [good] },
    broken: { main: refused, results: [refused] },
  },
  { check: { output_not_contains: ["CANARY"] }, holds: { results: [good] }, broken: { screen: "a CANARY" } },
  {
    check: { output_not_contains: ["CANARY"] },
    holds: { results: [good] },
    broken: { results: [result(true, "none", "CANARY_1")] },
  },
  {
    check: { output_max_bytes: 20 },
    holds: { results: [refused] },
    broken: { results: [result(true, "none", "x".repeat(21))] },
  },
  { check: { max_ms: 100 }, holds: { callMs: 99 }, broken: { callMs: 101 } },
  { check: { max_ms: 100 }, holds: { callMs: 99 }, broken: {} },
  { check: { max_rss_delta_mb: 10 }, holds: { probe: { grownMb: 9 } }, broken: { probe: { grownMb: 11 } } },
  { check: { max_rss_delta_mb: 10 }, holds: { probe: { grownMb: 9 } }, broken: {} },
  { check: { event_loop_max_lag_ms: 10 }, holds: { probe: { lagMs: 9 } }, broken: { probe: { lagMs: 11 } } },
  {
    check: { proto_clean: true },
    holds: { probe: { polluted: false } },
    broken: { probe: { polluted: true } },
  },
  {
    check: { unchanged: ["{{WS}}/kept.txt"] },
    holds: { before },
    broken: { before: new Map([[kept, "file 0"]]) },
  },
  {
    check: { procs_gone: { pattern: "no such thing", within_ms: 1 } },
    holds: { found: { watched: true } },
    broken: {},
  },
  { check: { tty_no_esc: true }, holds: { screen: "plain\n" }, broken: { screen: "a\u001b[2Jb\n" } },
  {
    check: { tty_no_esc: true },
    holds: { screen: "\u001b[32mok\u001b[0m" },
    broken: { screen: "a\u009b31mb" },
  },
  { check: { tty_no_esc: true }, holds: { screen: "a\r\nb" }, broken: { screen: "rm\rls\n" } },
  { check: { tty_no_codepoints: ["202A-202E"] }, holds: { screen: "x" }, broken: { screen: "a\u202eb" } },
  {
    check: { prompt_no_codepoints: ["200B-200D", "FEFF"] },
    holds: { asked: [question("a")] },
    broken: { asked: [question("a\u200bb")] },
  },
  { check: { prompt_contains: ["needle"] }, holds: { asked: [question("needle")] }, broken: { asked: [] } },
  { check: { max_render_ms: 100 }, holds: { found: { renderMs: 9 } }, broken: { found: { renderMs: 101 } } },
  { check: { warning_contains: ["U+E00"] }, holds: { screen: "! U+E0041" }, broken: { screen: "hello" } },
  { check: { alive: true }, holds: {}, broken: { ended: { code: 1, signal: null, hung: false } } },
  { check: { ends_within_ms: 10 }, holds: { turnMs: 9 }, broken: { turnMs: 11 } },
  { check: { session_usable: true }, holds: { found: { usable: true } }, broken: {} },
  {
    check: { turn_status_in: ["error"] },
    holds: { found: { status: ["error"] } },
    broken: { found: { status: ["done"] } },
  },
  { check: { tool_executed: false }, holds: {}, broken: { started: ["write_file"] } },
  {
    check: { max_attempts: 1 },
    holds: { requests: [request([])] },
    broken: { requests: [request([]), request([])] },
  },
  { check: { max_repeats: 1 }, holds: { started: ["ls"] }, broken: { started: ["ls", "ls"] } },
  {
    check: { min_gap_ms: 100 },
    holds: { requests: [request([]), request([], 100)] },
    broken: { requests: [request([]), request([], 99)] },
  },
  { check: { message_contains: ["here"] }, holds: { screen: "here" }, broken: { screen: "" } },
  { check: { sink_not_contains: ["KEY"] }, holds: {}, broken: { found: { sink: "Bearer KEY" } } },
  { check: { sink_connections: 0 }, holds: {}, broken: { found: { sinkConnections: 1 } } },
  {
    check: { results_match_calls: true },
    holds: { requests: history(["a", "b"], ["a", "b"]), found: { calls: 2 } },
    broken: { requests: history(["a", "a"], ["a", "a"]), found: { calls: 2 } },
  },
  {
    check: { results_match_calls: true },
    holds: { requests: history(["a"], ["a"]) },
    broken: { requests: history(["a"], []) },
  },
  {
    check: { repaired: true },
    holds: { requests: history(["a"], ["a"]), found: { format: "text" } },
    broken: { requests: history(["a"], ["a"]) },
  },
  {
    check: { session_lines_are_json: true },
    holds: { screen: '{"a":1}\n' },
    broken: { screen: '{"a":\n1}\n' },
  },
  { check: { rules: 2 }, holds: { found: { rules: 2 } }, broken: { found: { rules: 1 } } },
  {
    check: { json_valid_always: true },
    holds: { found: { reads: 5, invalidReads: 0 } },
    broken: { found: { reads: 5, invalidReads: 1 } },
  },
  { check: { file_is_old_or_new: "x" }, holds: { found: { mixed: 0 } }, broken: { found: { mixed: 1 } } },
  {
    check: { no_temp_left: true },
    holds: { found: { temporaryFiles: 0 } },
    broken: { found: { temporaryFiles: 1 } },
  },
  {
    check: { syscall_order_ok: true },
    holds: { found: { order: "ok" } },
    broken: { found: { order: "rename" } },
  },
  {
    check: {},
    row: { must: "the prompt shows the whole command" },
    holds: { asked: [question("ls")], found: { command: "ls" } },
    broken: { asked: [question("ls")], found: { command: "ls; rm x" } },
  },
  {
    check: {},
    row: { must: "the confusable code point is pointed out", arguments: { command: "gіt" } },
    holds: { asked: [question("U+0456")] },
    broken: { asked: [question("git")] },
  },
];

describe("a check", () => {
  test.each([...planted, ...acceptancePlanted])("finds whether $check is violated (%#)", async (one) => {
    const { check, holds, broken } = one;
    const about = row({ ...one.row, check });
    expect(await judge(about, { ...emptyObservation(place), ...holds })).toEqual([]);
    expect(await judge(about, { ...emptyObservation(place), ...broken })).not.toEqual([]);
  });

  test.each<[JsonObject, string]>([
    [{ never_heard_of: 1 }, "unknown check never_heard_of"],
    [{ config_unchanged: true }, "no driver reads the settings"],
    [{ closed: true }, "no driver watches the connection"],
    [{ closed_within_ms: 9 }, "no driver watches the connection"],
    [{ listen_only_loopback: true }, "no driver looks at the sockets"],
    [{ remember_offer: "wide" }, 'unknown value "wide"'],
    [{ json_valid: true }, "it names no file"],
  ])("that cannot be judged is an error, never a verdict: %j", async (check, message) => {
    await expect(judge(row({ check }), emptyObservation(place))).rejects.toThrow(message);
  });

  test.each<[string, JsonObject, string]>([
    ["absent", { absent: ["{{WS}}/empty"] }, "expected to be absent"],
    ["present", { present: ["{{WS}}/none"] }, "expected to be there"],
    ["file_equals", { file_equals: { "{{WS}}/kept.txt": "new" } }, "expected"],
    ["file_not_equals", { file_not_equals: { "{{WS}}/kept.txt": "old" } }, "holds"],
    ["file_hex_in", { file_hex_in: { "{{WS}}/kept.txt": ["00"] } }, "6f6c64"],
    ["mode", { mode: { "{{WS}}/empty": "0700" } }, "0755"],
  ])("of the disk looks at the disk: %s", async (_name, check, text) => {
    expect((await judge(row({ check }), emptyObservation(place))).join()).toContain(text);
  });
});

describe("after any case", () => {
  test.each<[string, Partial<Observation>]>([
    ["a program that hangs", { ended: { code: null, signal: "SIGKILL", hung: true } }],
    ["a defect", { errors: "TypeError: x is not a function\n    at run (file:///a/b.ts:1:2)" }],
    ["an escape sequence on the screen", { screen: "\u001b]0;title\u0007" }],
    ["the key on the screen", { screen: `Bearer ${place.values["API_KEY"]}` }],
    ["something hidden in a question", { asked: [question("a\u2066b")] }],
    ["arguments that cannot be read", { asked: [{ ...question("x"), text: "Arguments: {half\n" }] }],
  ])("%s is seen", async (_name, more) => {
    expect(await judge(row({}), { ...emptyObservation(place), ...more })).not.toEqual([]);
  });

  test("the canary is found wherever it was written, without following links", async () => {
    using other = makePlace("mkdir -p deep/er; ln -s .. deep/up");
    expect(await judge(row({}), emptyObservation(other))).toEqual([]);
    writeFileSync(join(other.ws, "deep", "er", "PWNED"), "");
    expect((await judge(row({}), emptyObservation(other))).join()).toContain("deep/er/PWNED");
  });
});

describe("a row", () => {
  test("has its placeholders, macros and lengths filled in", () => {
    const values = { WS: "/w" };
    const filled = fillObject(
      { path: "{{WS}}/a", long: { $repeat: ["ab", 3] }, "{{WS}}": ["{{OTHER}}"] },
      values,
    );
    expect(filled).toEqual({ path: "/w/a", long: "ababab", "/w": ["{{OTHER}}"] });
    const wire = "HTTP/1.1 200 OK\r\nContent-Length: {{CL}}\r\n\r\né!";
    expect(Buffer.concat([...wireBytes(wire, values)]).toString()).toContain("Content-Length: 3\r\n");
    const large = Buffer.concat([...wireBytes({ $json_tool_args_mb: 1 }, values)]).toString();
    expect(JSON.parse(large).choices[0].delta.tool_calls[0].function.arguments).toHaveLength(
      1024 * 1024 + 29,
    );
    expect(() => fillObject({ a: { $unheard: 1 } }, values)).toThrow("unknown macro");
  });

  test.each<[Partial<Row>, RegExp | undefined]>([
    [{ platform: "win32" }, /for win32/],
    [{ area: "network" }, undefined],
    [{ area: "network", family: "mcp_server" }, undefined],
    [{ family: "mcp" }, undefined],
    [{ fault: "rename fails" }, /injected fault \(rename fails\)/],
    [{ needs: "a browser" }, /a browser/],
    [{}, undefined],
  ])("that cannot run says why (%j)", (more, reason) => {
    const found = skipReason(row(more));
    if (reason === undefined) expect(found).toBeUndefined();
    else expect(found).toMatch(reason);
  });
});

describe("a part or value of a row that the runner does not know", () => {
  test.each<[object, string]>([
    [{ never_heard_of: 1 }, "unknown part never_heard_of"],
    [{ kind: "trap" }, 'unknown value "trap" of kind'],
    [{ policy: [{ tool: "ls", decision: "allow", until: 5 }] }, "unknown part policy[0].until"],
    [{ policy: [{ tool: "ls", decision: "maybe" }] }, 'unknown value "maybe" of policy[0].decision'],
    [{ policy: [{ decision: "allow" }] }, "missing part policy[0].tool"],
    [{ before: { tool: "ls", twice: 1 } }, "unknown part before.twice"],
    [{ before: ["true", { tool: "ls", twice: 1 }] }, "unknown part before[1].twice"],
    [{ followup: { tool: "ls", check: {}, later: 1 } }, "unknown part followup.later"],
    [
      { parallel_with: [{ tool: "ls", answer: "never" }] },
      'unknown value "never" of parallel_with[0].answer',
    ],
    [{ answer: { decision: "forever" } }, 'unknown value "forever" of answer.decision'],
    [{ model_script: [{ tool: "ls", arguments: {}, times: 2 }] }, "unknown part model_script[0].times"],
    [{ steps: [{ send_half: true }] }, "unknown part steps[0].send_half"],
    [{ limits: { colours: 2 } }, "unknown part limits.colours"],
    [{ memory: { colours: 2 } }, "unknown part memory.colours"],
    [{ check: { config: { colours: 2 } } }, "unknown part check.config.colours"],
    [{ mode: "asleep" }, 'unknown value "asleep" of mode'],
    [{ skip_if: "tired" }, 'unknown value "tired" of skip_if'],
    [{ kill: "SIGSTOP" }, 'unknown value "SIGSTOP" of kill'],
    [{ check: { sounds_nice: true } }, "unknown check sounds_nice"],
  ])("is an error that names it: %j", (more, error) => {
    expect(errorsOf({ ...row({}), ...more })).toContain(error);
  });

  test("and a part on which the driver of the row does not act is one too", () => {
    const said = errorsOf(row({ tool: "resume", followup: { tool: "ls", check: {} } }));
    expect(said).toEqual(["the part followup does nothing in a row of tool resume and family f"]);
  });
});

describe("a screen", () => {
  const asking =
    'Permission Request\n\nTool: bash\nArguments: {"command": "ls"}\n\n[1] Allow Once  [4] Deny\n> ';

  test("that grows piece by piece shows each question once", () => {
    const screen = createScreen();
    const found: string[] = [];
    for (const character of `hello\n${asking}`) {
      screen.push(character);
      const question = screen.question();
      if (question !== undefined) found.push(question.tool);
    }
    expect(found).toEqual(["bash"]);
    expect(screen.idle()).toBe(0);
    screen.answered();
    screen.push("done\n> ");
    expect(screen.question()).toBeUndefined();
    expect(screen.idle()).toBe(1);
  });

  test("shows arguments in which escapes of escapes stay what they are", () => {
    expect(readShown('{"a": "\\\\x41 \\x85 \\u202e \\u{e0041}"}')).toEqual({
      a: "\\x41 \u0085 \u202e \u{e0041}",
    });
  });
});

test("planted violations fail, other rows pass, and the last line has the counts", async () => {
  const touch = { command: "touch {{ROOT}}/PWNED" };
  const rows = [
    row({
      id: "leak",
      parallel_with: [{ tool: "shell", arguments: touch, answer: "allow" }],
      arguments: { command: "true" },
    }),
    row({
      id: "wrong",
      tool: "read_file",
      setup: "echo hi > a",
      arguments: { path: "a" },
      check: { ok: false },
    }),
    row({ id: "unknown", tool: "ls", arguments: { path: "." }, check: { no_such_check: true } }),
    row({ id: "asked", arguments: touch, check: { decision_in: ["ask"], absent: ["{{ROOT}}/PWNED"] } }),
    row({
      id: "fine",
      kind: "control",
      tool: "ls",
      setup: "echo hi > a",
      arguments: { path: "." },
      check: { ok: true },
    }),
    row({
      id: "swapped",
      tool: "read_file",
      setup: "echo hi > a",
      arguments: { path: "a" },
      between_ask_and_allow: 'ln -sf "$OUT/secret.txt" a',
      check: { ok: false, output_not_contains: ["CANARY_OUTSIDE_7f3a"] },
    }),
    ...parts.flatMap(([part, holds, fails]) => [
      row({ id: `${part}-holds`, ...holds }),
      row({ id: `${part}-fails`, ...holds, ...fails }),
    ]),
    row({ id: "odd-call", tool: "ls", before: { tool: "ls", arguments: {}, ...{ twice: 1 } } }),
    { ...row({ id: "strange", tool: "ls", arguments: { path: "." } }), never_heard_of: 1 },
    row({ id: "elsewhere", platform: "amiga" }),
  ];
  mkdirSync(join(folder, "corpus"));
  writeFileSync(join(folder, "corpus", "attacks.jsonl"), rows.map((one) => JSON.stringify(one)).join("\n"));
  const said = await new Promise<{ code: number; text: string }>((resolve) => {
    const args = [join(root, "scripts", "corpus.ts"), "attacks", "--source"];
    const env = { ...process.env, LOCALHARNESS_CORPUS: join(folder, "corpus") };
    const child = execFile(process.execPath, args, { env, encoding: "utf8" }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, text: stdout + stderr }),
    );
  });
  expect(said.text.trimEnd().split("\n").at(-1)).toBe("attacks: 18 held, 17 failed, 1 skipped, 3 not judged");
  expect(said.code).toBe(1);
  expect(said.text).toMatch(/failed {2}leak[\s\S]*canary: something ran that nobody allowed/);
  expect(said.text).toMatch(/failed {2}wrong[\s\S]*ok: expected a failure/);
  for (const [part] of parts) {
    expect(said.text).toContain(`failed  ${part}-fails `);
    expect(said.text).not.toContain(`failed  ${part}-holds `);
  }
  expect(said.text).toContain("error   row unknown: unknown check no_such_check");
  expect(said.text).toContain("error   row strange: unknown part never_heard_of");
  expect(said.text).toContain("error   row odd-call: unknown part before.twice");
  expect(said.text).toContain("skipped, it is for amiga, this is linux: elsewhere");
  expect(said.text).toContain("controls: 1 of 1 allowed, 0 questions asked");
});
