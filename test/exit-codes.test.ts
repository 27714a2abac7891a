/** Checks every exit code of the program and the messages with it. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Scenario } from "../packages/models/test/fake-server/index.ts";
import { configure, makePlace, type Place, run } from "./run-program.ts";
import { argumentsFor, serveModel } from "./serve-model.ts";

const server = await serveModel();

const wire = () => argumentsFor(server);
const write = { name: "write_file", arguments: { path: "new.txt", content: "made\n" } };
const look = { name: "ls", arguments: {} };
const search = (pattern: string) => ({ name: "grep_search", arguments: { pattern } });

interface Row {
  readonly what: string;
  readonly turns: Scenario["turns"];
  readonly args?: readonly string[];
  readonly code: number;
  readonly stdout?: RegExp;
  readonly stderr?: RegExp;
}

const rows: readonly Row[] = [
  { what: "an answer without tools", turns: [{ text: "Hello." }], code: 0, stdout: /^Hello\.\n$/ },
  {
    what: "a call that is allowed",
    turns: [{ calls: [write] }, { text: "Done." }],
    args: ["--answer", "once"],
    code: 0,
    stdout: /Done/,
  },
  {
    what: "a mode that allows edits",
    turns: [{ calls: [write] }, { text: "Done." }],
    args: ["--mode", "accept-edits"],
    code: 0,
  },
  {
    what: "a call that nobody can allow",
    turns: [{ calls: [write] }, { text: "I could not." }],
    code: 4,
    stdout: /I could not/,
    stderr: /✗ write_file permission_denied/,
  },
  {
    what: "a call that is denied",
    turns: [{ calls: [write] }, { text: "Well." }],
    args: ["--answer", "deny"],
    code: 4,
  },
  {
    what: "a mode that only looks",
    turns: [{ calls: [write] }, { text: "Well." }],
    args: ["--mode", "plan"],
    code: 4,
  },
  {
    what: "the limit of iterations",
    turns: [{ calls: [look] }, { calls: [search("a")] }, { calls: [search("b")] }],
    args: ["--iterations-per-turn", "2", "--answer", "once"],
    code: 3,
    stderr: /Stopped at the limit of 2 iterations/,
  },
  {
    what: "a model that goes in circles",
    turns: Array.from({ length: 12 }, () => ({ calls: [look] })),
    args: ["--iterations-per-turn", "40"],
    code: 3,
    stderr: /repeats the same call/,
  },
  {
    what: "a tool that does not exist, which the model can act on",
    turns: [{ calls: [{ name: "fly", arguments: {} }] }, { text: "Then not." }],
    code: 0,
    stderr: /✗ fly not_found: there is no tool named "fly"/,
  },
  {
    what: "arguments that are no JSON, which the model can act on",
    turns: [{ calls: [{ ...look, argumentsText: '{"path": "a' }] }, { text: "Sorry." }],
    code: 0,
    stderr: /✗ ls validation_failed/,
  },
  {
    what: "an answer that reached its limit of length",
    turns: [{ text: "Half of it", finishReason: "length" }],
    code: 3,
    stdout: /Half of it/,
    stderr: /The answer was cut/,
  },
  {
    what: "an answer that a filter ended",
    turns: [{ text: "Half of it", finishReason: "content_filter" }],
    code: 1,
    stdout: /Half of it/,
    stderr: /ended it with "content_filter"/,
  },
  {
    what: "an empty answer, also when the model was asked to go on",
    turns: Array.from({ length: 9 }, () => ({ text: " \n" })),
    code: 1,
    stdout: /^\s*$/,
    stderr: /The model ended with an empty answer/,
  },
  {
    what: "an empty answer after a call that ran",
    turns: [{ calls: [look] }, ...Array.from({ length: 9 }, () => ({ text: "" }))],
    code: 1,
    stderr: /The model ended with an empty answer/,
  },
  {
    what: "an error of the server",
    turns: [
      {
        faults: Array.from(
          { length: 9 },
          () => ({ kind: "status", status: 400, body: { error: { message: "no such thing" } } }) as const,
        ),
      },
    ],
    code: 1,
    stderr: /error: .*no such thing/,
  },
  {
    what: "a web page in place of an answer",
    turns: [{ faults: Array.from({ length: 9 }, () => ({ kind: "html" }) as const) }],
    code: 1,
    stderr: /error: .*(HTML|web page)/i,
  },
  {
    what: "half a call at the end of a broken stream, which never runs",
    turns: [
      {
        text: "I write.",
        calls: [write],
        faults: Array.from({ length: 9 }, () => ({ kind: "drop", afterEvents: 4 }) as const),
      },
    ],
    args: ["--answer", "once"],
    code: 1,
    stdout: /I write/,
    stderr: /error: /,
  },
];

describe("exit codes of a turn", () => {
  test.each(rows)("$what: $code", async ({ turns, args = [], code, stdout, stderr }) => {
    server.use({ turns });
    const place = makePlace({ "a.txt": "a\nb\n" });
    const ended = await run(["-p", ...wire(), ...args, "Do it"], { place });
    expect(ended.code, ended.stderr).toBe(code);
    if (stdout !== undefined) expect(ended.stdout).toMatch(stdout);
    if (stderr !== undefined) expect(ended.stderr).toMatch(stderr);
    if (code !== 0) expect(existsSync(join(place.workspace, "new.txt"))).toBe(false);
  });

  test("for a missing model the message lists the existing ones and says how to get it", async () => {
    const ended = await run([
      "-p",
      "--provider",
      "ollama",
      "--base-url",
      server.origin,
      "--model",
      "other",
      "hi",
    ]);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(/fake-model/);
    expect(ended.stderr).toMatch(/ollama pull other/);
  });

  test("for a server that is down the message says what was tried and how to start it", async () => {
    const ended = await run([
      "-p",
      "--provider",
      "ollama",
      "--base-url",
      "http://127.0.0.1:9",
      "--model",
      "m",
      "hi",
    ]);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(/127\.0\.0\.1:9/);
    expect(ended.stderr).toMatch(/ollama serve/);
  });
});

const usage: [string, readonly string[], RegExp][] = [
  ["an unknown option", ["--modle", "x"], /unknown option --modle\. Did you mean --model\?/],
  ["a slip in a command", ["detct"], /Did you mean detect\?/],
  ["no message", ["-p"], /there is no message/],
  ["an unknown provider", ["-p", "--provider", "olama", "hi"], /Did you mean ollama\?/],
  ["a provider whose key is missing", ["-p", "--provider", "xai", "--model", "grok-4", "hi"], /XAI_API_KEY/],
  ["a base URL that is none", ["-p", "--base-url", "nonsense", "--model", "m", "hi"], /base URL/],
  [
    "a workspace that is no folder",
    ["-p", "--model", "demo", "--workspace", "/etc/passwd", "hi"],
    /\/etc\/passwd cannot be opened/,
  ],
  ["an unknown tool in --tools", ["-p", "--model", "demo", "--tools", "ls,fly", "hi"], /fly/],
  ["a chat that prints", ["-i", "-p", "hi"], /--interactive cannot be combined with --print/],
  ["a task file that is missing", ["loop", "none.json"], /none\.json cannot be used: /],
  ["a text to read that is missing", ["detect", "none.txt"], /none\.txt cannot be read: ENOENT/],
  ["a text to read that is a folder", ["detect", "."], /\. cannot be read: EISDIR/],
  ["a task file without a name", ["loop"], /usage: localharness loop TASKFILE/],
  ["an unknown action", ["policy", "remove", "x"], /usage: localharness policy list/],
  ["an action with a name that every object has", ["hooks", "constructor"], /usage: localharness hooks list/],
  [
    "an unknown format",
    ["detect", "--format", "hermse"],
    /there is no format "hermse"\. Did you mean hermes\?/,
  ],
];

describe("exit code 2", () => {
  test.each(usage)("%s", async (_what, args, said) => {
    const ended = await run(args, { stdin: "" });
    expect(ended, ended.stderr).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toMatch(said);
    expect(ended.stderr).not.toMatch(/\n\s+at /);
  });

  test("a configuration with mistakes names file, line and key", async () => {
    const place = makePlace();
    const path = configure(
      place,
      "config.json",
      '{\n  "model": "demo",\n  "num_ctx": "big",\n  "thinkng": true\n}',
    );
    const ended = await run(["-p", "hi"], { place });
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain(`${path}:3: "num_ctx" expects a whole number`);
    expect(ended.stderr).toContain(`${path}:4: unknown key "thinkng". Did you mean thinking?`);
  });

  test("keys that others can read are refused", async () => {
    const place = makePlace();
    configure(place, "keys.json", '{"xai": "secret-key-1"}', 0o644);
    const ended = await run(["-p", "--model", "demo", "hi"], { place });
    expect(ended.code).toBe(2);
    expect(ended.stderr).toMatch(/chmod 600/);
    expect(ended.stderr).not.toContain("secret-key-1");
  });
});

describe("a message", () => {
  const model: Scenario["turns"] = [{ text: "ok" }];
  const sent = () => {
    const messages = server.chats[0]?.body?.["messages"];
    return Array.isArray(messages) ? (messages.at(-1) as { content: string }).content : undefined;
  };

  test("from stdin follows the one on the command line", async () => {
    server.use({ turns: model });
    expect((await run(["-p", ...wire(), "Explain", "this:"], { stdin: "line 1\nline 2\n" })).code).toBe(0);
    expect(sent()).toBe("Explain this:\n\nline 1\nline 2");
  });

  test("may come from stdin alone, without -p", async () => {
    server.use({ turns: model });
    expect((await run(wire(), { stdin: "Hello from a pipe\n" })).code).toBe(0);
    expect(sent()).toBe("Hello from a pipe");
  });

  test("does not wait for ever on a pipe that nobody writes to", async () => {
    server.use({ turns: model });
    const ended = await run(["-p", ...wire(), "Hello"], { stdin: "open" });
    expect(ended).toMatchObject({ code: 0, stdout: "ok\n" });
    expect(ended.stderr).toMatch(/no input on stdin/);
  });

  test("may look like a command after --", async () => {
    server.use({ turns: model });
    expect((await run([...wire(), "--", "models"], { stdin: "" })).code).toBe(0);
    expect(sent()).toBe("models");
  });
});

describe("settings", () => {
  test("of the file apply, and environment variables override them", async () => {
    server.use({ turns: [{ text: "ok" }] });
    const place: Place = makePlace();
    configure(
      place,
      "config.json",
      JSON.stringify({
        provider: "ollama",
        host: server.origin,
        model: "fake-model",
        num_ctx: 4096,
        tools: "minimal",
      }),
    );
    expect((await run(["-p", "hi"], { place, env: { LOCALHARNESS_NUM_CTX: "6144" } })).code).toBe(0);
    const body = server.chats[0]?.body;
    expect(body?.["options"]).toMatchObject({ num_ctx: 6144 });
    expect(body?.["tools"]).toHaveLength(6);
  });

  test("without a home folder the program runs and saves nothing", async () => {
    const ended = await run(["-p", "--model", "demo", "what time is it"], { env: { HOME: "" } });
    expect(ended.code, ended.stderr).toBe(0);
  });

  test("a recording is played back without the server", async () => {
    server.use({ turns: [{ text: "Let me look.", calls: [look] }, { text: "All good." }] });
    const place = makePlace();
    const file = join(place.home, "turn.jsonl");
    const live = await run(["-p", ...wire(), "--record", file, "hi"], { place });
    const requests = server.log.length;
    const again = await run(["-p", "--replay", file, "hi"], { place });
    expect(again).toMatchObject({ code: 0, stdout: live.stdout });
    expect(server.log).toHaveLength(requests);
    expect(readFileSync(file, "utf8")).toContain('"type":"recording"');
  });
});
