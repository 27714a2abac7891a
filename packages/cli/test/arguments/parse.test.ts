/** Checks which command lines are parsed, and the messages for those that are refused. */
import { describe, expect, test } from "vitest";
import { parseArguments } from "../../src/arguments/parse.ts";

const understood: [string, string, string[], Record<string, string | number | true>][] = [
  ["", "chat", [], {}],
  ["hello", "chat", ["hello"], {}],
  ["-p list the files", "chat", ["list", "the", "files"], { print: true }],
  ["--print --model qwen3:8b hi", "chat", ["hi"], { print: true, model: "qwen3:8b" }],
  ["--model=a=b hi", "chat", ["hi"], { model: "a=b" }],
  ["-m x -w dir", "chat", [], { model: "x", workspace: "dir" }],
  ["--num-ctx 8192 --calls-per-iteration=3", "chat", [], { "num-ctx": 8192, "calls-per-iteration": 3 }],
  ["tool call ls {} --answer once --json", "tool", ["call", "ls", "{}"], { answer: "once", json: true }],
  ["--mode plan policy list", "policy", ["list"], { mode: "plan" }],
  ["detect --jsonl -", "detect", ["-"], { jsonl: true }],
  ["-- tool --model", "chat", ["tool", "--model"], {}],
  ["loop prd.json --max-turns 3", "loop", ["prd.json"], { "max-turns": 3 }],
  ["tell me", "chat", ["tell", "me"], {}],
  ["sesions are slow", "chat", ["sesions", "are", "slow"], {}],
  ["update the readme", "chat", ["update", "the", "readme"], {}],
  ["-p version", "chat", ["version"], { print: true }],
];

const refused: [string, RegExp][] = [
  ["--modle x", /unknown option --modle\. Did you mean --model\?/],
  ["--xyzzy", /unknown option --xyzzy\. localharness --help/],
  ["-x", /unknown option -x/],
  ["--yolo", /unknown option --yolo\. Here it is --mode bypass, .*; --mode auto asks/],
  ["--dangerously-skip-permissions", /Here it is --mode bypass/],
  ["--full-auto", /Here it is --mode auto\./],
  ["--constructor", /unknown option --constructor\. localharness --help/],
  ["--model", /--model needs a value: --model NAME/],
  ["--model --print", /--model needs a value/],
  ["--model=", /--model expects NAME, got nothing/],
  [
    "--mode plann",
    /--mode expects one of default, plan, accept-edits, auto, bypass, got "plann"\. Did you mean plan\?/,
  ],
  ["--answer yes", /--answer expects one of once, session, remember, deny/],
  ["--num-ctx 1.5", /--num-ctx expects a whole number from 256 to 16777216, got "1\.5"/],
  ["--num-ctx 255", /--num-ctx expects a whole number from 256 to 16777216, got "255"/],
  ["--timeout 0", /--timeout expects a whole number above 0, got "0"/],
  ["--max-calls 0", /--calls-per-iteration expects a whole number/],
  ["--max-iteration 3", /unknown option --max-iteration\. Did you mean --iterations-per-turn\?/],
  ["--print=yes", /--print takes no value/],
  ["-p hello --json", /--json does not apply to localharness\. Use --output json\. /],
  ["models --record f", /--record does not apply to localharness models/],
  [
    "version",
    /unknown command version\. Instead: localharness --version\. To send it as a message: localharness -- version/,
  ],
  ["export", /unknown command export\. Instead: localharness sessions export ID/],
  ["Init", /unknown command Init\. Instead: \/init in a chat has the model write AGENTS\.md/],
  ["update", /does not update itself/],
  ["sesions list", /unknown command sesions\. Did you mean sessions list\?/],
  ["sesions list --all", /Did you mean sessions list\?/],
  ["detct", /unknown command detct\. Did you mean detect\? To send it as a message: localharness -- detct/],
];

describe("parseArguments", () => {
  test.each(understood)("reads: %s", (line, command, positionals, flags) => {
    const argv = line === "" ? [] : line.split(" ");
    expect(parseArguments(argv)).toEqual({
      ok: true,
      invocation: { command, positionals, flags },
      warnings: [],
    });
  });

  test("takes an earlier name of an option, and tells the name of today once", () => {
    expect(parseArguments(["--max-calls", "3", "--max-calls=4", "--max-iterations=5", "hi"])).toEqual({
      ok: true,
      invocation: {
        command: "chat",
        positionals: ["hi"],
        flags: { "calls-per-iteration": 4, "iterations-per-turn": 5 },
      },
      warnings: ["--max-calls is now --calls-per-iteration", "--max-iterations is now --iterations-per-turn"],
    });
  });

  test.each(refused)("refuses: %s", (line, message) => {
    const parsed = parseArguments(line.split(" "));
    expect(parsed).toMatchObject({ ok: false, message: expect.stringMatching(message) });
  });

  test("refuses --print before a command instead of sending the command as a message", () => {
    expect(parseArguments(["-p", "tool"])).toMatchObject({ ok: false });
  });
});
