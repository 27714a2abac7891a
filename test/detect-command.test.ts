/** `localharness detect`, run as a whole program. */
import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { run } from "./run-program.ts";

describe("detect", () => {
  const text = 'I look.\n<tool_call>\n{"name": "ls", "arguments": {"path": "src"}}\n</tool_call>';

  test("prints calls, text and reasoning", async () => {
    const { code, stdout } = await run(["detect"], { stdin: `<think>where?</think>${text}` });
    expect(code).toBe(0);
    expect(stdout).toBe('calls: 1\n  ls {"path":"src"}  [hermes]\ntext:\nI look.\nreasoning:\nwhere?\n');
  });

  test("knows only the tools on offer", async () => {
    const folder = mkdtempSync(join(tmpdir(), "lh-detect-"));
    const path = join(folder, "tools.json");
    writeFileSync(
      path,
      JSON.stringify([{ type: "function", function: { name: "other", parameters: { type: "object" } } }]),
    );
    const { stdout } = await run(["detect", "--json", "--tools", path], { stdin: text });
    expect(JSON.parse(stdout).calls).toEqual([]);
  });

  test("--jsonl answers each line, in order, and says which could not be read", async () => {
    const tools = [{ name: "ls", parameters: { type: "object", properties: { path: { type: "string" } } } }];
    const lines = [
      { id: "a", text, tools },
      { id: "b", text: "no call", tools },
    ];
    const input = `${lines.map((line) => JSON.stringify(line)).join("\n")}\n{bad\n`;
    const { code, stdout, stderr } = await run(["detect", "--jsonl"], { stdin: input });
    expect({ code, stderr }).toEqual({ code: 1, stderr: "1 of 3 lines could not be read\n" });
    expect(
      stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      {
        id: "a",
        calls: [{ name: "ls", arguments: { path: "src" }, format: "hermes", repaired: false }],
        reasoning: "",
      },
      { id: "b", calls: [], text: "no call", reasoning: "" },
      { id: null, line: 3, error: expect.stringMatching(/not JSON/) },
    ]);
  });

  test("reads 20 MB of lines with little memory", async () => {
    const folder = mkdtempSync(join(tmpdir(), "lh-detect-"));
    const line = JSON.stringify({ id: 1, text: `${"words and more words. ".repeat(900)}${text}` });
    writeFileSync(join(folder, "in.jsonl"), `${line}\n`.repeat(1_000));
    // Not from getrusage, whose peak includes the process that it was forked from.
    const status = "process.getBuiltinModule('fs').readFileSync('/proc/self/status', 'utf8')";
    const peak = existsSync("/proc/self/status") ? status : "'VmHWM: ' + process.resourceUsage().maxRSS";
    const probe = `process.on('exit', () => console.error(/VmHWM:\\s+\\d+/.exec(${peak})[0]))`;
    const env = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(probe)}` };
    const ended = await run(["detect", "--jsonl", join(folder, "in.jsonl")], { env });
    expect([ended.code, ended.stdout.split("\n").length]).toEqual([0, 1_001]);
    expect(Number(/VmHWM:\s+(\d+)/.exec(ended.stderr)?.[1])).toBeLessThan(180 * 1024);
  });
});
