/** Checks the table of slash commands and the tables that `/context` and `/cost` print. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { App, Dialog } from "../../src/app.ts";
import { contextTable, windowLines } from "../../src/commands/context.ts";
import { costLines } from "../../src/commands/cost.ts";
import { help } from "../../src/commands/help.ts";
import { jobLines } from "../../src/commands/jobs.ts";
import { serverLines } from "../../src/commands/mcp.ts";
import { nearestCommand } from "../../src/commands/nearest-command.ts";
import { permissions } from "../../src/commands/permissions.ts";
import { slashCommands } from "../../src/commands/slash-commands.ts";
import { createTheme } from "../../src/theme/theme.ts";

const names = slashCommands.flatMap(({ name, aliases = [] }) => [name, ...aliases]);

test("every name and alias is unique, and every command says what it does", () => {
  expect(new Set(names).size).toBe(names.length);
  for (const { name, about } of slashCommands) expect([name, about.length > 5]).toEqual([name, true]);
});

test("every required command exists", () => {
  const wanted =
    "help init model tools permissions mode tasks context compact clear resume fork tree export config toggle-toolcall-json cost theme bug undo redo rename quit copy jobs mcp";
  for (const name of wanted.split(" ")) expect(names).toContain(name);
});

const documented = readFileSync(join(import.meta.dirname, "../../../../docs/terminal.md"), "utf8");

test.each(slashCommands.map(({ name }) => name))("docs/terminal.md has a row for /%s", (name) => {
  expect(documented).toMatch(new RegExp(`^\\| (?:.*, )?\`/${name}\\b`, "m"));
});

test.each([
  ["modle", "model"],
  ["hlep", "help"],
  ["toggle", "toggle-toolcall-json"],
  ["permisions", "permissions"],
  ["ex", undefined],
  ["xyzzy", undefined],
])("/%s means %s", (word, expected) => {
  expect(nearestCommand(word, names)).toBe(expected);
});

test.each<readonly [string, readonly string[]]>([
  ["auto", ["auto is a mode: /mode auto changes to it. /permissions shows rules and remembered answers"]],
  ["", []],
  ["automatic", []],
])("/permissions %s", async (words, said) => {
  const told: string[] = [];
  let opened = 0;
  const app = { say: (text: string) => told.push(text), open: () => (opened += 1) };
  await permissions.run(app as unknown as App, words);
  expect([told, opened]).toEqual([said, said.length === 0 ? 1 : 0]);
});

test("/help continues a long description below itself", async () => {
  let dialog: Dialog | undefined;
  const theme = createTheme("none", {});
  const app = {
    commands: [{ name: "look", about: "one two three four five six seven eight nine ten eleven twelve" }],
    host: { listCustomCommands: async () => [] },
    open(opened: Dialog) {
      dialog = opened;
    },
    theme: () => theme,
    rows: () => 60,
  } as unknown as App;
  await help.run(app, "");
  const lines = dialog?.(app, () => undefined).render(60) ?? [];
  const at = lines.findIndex((line) => line.startsWith("/look "));
  expect(lines.slice(at, at + 2)).toEqual([
    expect.stringMatching(/^\/look {20}one two/),
    expect.stringMatching(/^ {25}\S+.*twelve/),
  ]);
});

describe("contextTable", () => {
  const parts = [
    { name: "system prompt", bytes: 850, tokens: 213 },
    { name: "tool \u001b[2Jx", bytes: 40, tokens: 10 },
  ];

  test("shows the total, the share of the window and the server's count; cleans names", () => {
    expect(contextTable(parts, 8_192, 300)).toEqual([
      "    ~213      850 B  system prompt  ████████████████████",
      "     ~10       40 B  tool \\x1b[2Jx  █",
      "    ~223      890 B  total, estimated, 3% of a window of 8192; about 300 by the server's counts",
    ]);
  });

  test("computes the share from the server's count of the next request", () => {
    expect(contextTable(parts, 8_192, 300, 819).at(-1)).toBe(
      "    ~223      890 B  total, estimated; the server counts 819 in the next request, 10% of a window of 8192",
    );
  });

  test("leaves out what is unknown", () => {
    expect(contextTable([], undefined, undefined)).toEqual(["      ~0        0 B  total, estimated"]);
  });
});

test("windowLines: the window with its source, and what of each turn the server had in its cache", () => {
  const turns = [
    { turnId: "turn-1", requests: 3, inputTokens: 4_000, cachedTokens: 3_000, compactions: 0 },
    { turnId: "turn-2", requests: 1, inputTokens: 900, compactions: 1 },
  ];
  expect(windowLines({ window: { tokens: 8_192, from: "num_ctx of config.json" }, turns })).toEqual([
    "window: 8192 tokens (num_ctx of config.json)",
    "parts are estimated with 4 bytes a token; counts of turns are the server's",
    "turn 1: 3 requests, 4000 tokens of prompts, 3000 (75%) were in its cache",
    "turn 2: 1 request, 900 tokens of prompts, the server does not say what it had in its cache; 1 compaction",
  ]);
  expect(windowLines({ turns: [] })[0]).toMatch(/^window: unknown/);
});

describe("costLines", () => {
  const row = {
    model: "qwen3:8b",
    requests: 1,
    inputTokens: 700,
    cachedTokens: 0,
    outputTokens: 5,
    ms: 61_000,
  };

  test("shows a line for each model, one for tools, and money only with configured prices", () => {
    expect(costLines({ models: [row], toolCalls: 1, toolMs: 20 })).toEqual([
      "qwen3:8b: 1 request, 700 tokens in, 5 out, 1 min 1 s",
      "tools: 1 call, 20 ms",
    ]);
    const more = { ...row, requests: 2, cachedTokens: 512 };
    expect(costLines({ models: [row, more], toolCalls: 0, toolMs: 0, money: 0.001_23 })).toEqual([
      "qwen3:8b: 1 request, 700 tokens in, 5 out, 1 min 1 s",
      "qwen3:8b: 2 requests, 700 tokens in (512 from the cache), 5 out, 1 min 1 s",
      "tools: 0 calls, 0 ms",
      "cost at your prices: 0.0012",
    ]);
  });

  test("says that there were no requests yet", () => {
    expect(costLines({ models: [], toolCalls: 0, toolMs: 0 })).toEqual(["no requests to a model yet"]);
  });
});

test("/mcp shows each server with its state, its tools, its problems and its last three log messages", async () => {
  const server = { name: "p", state: "runs", running: true, tools: ["p__a"], problems: ["left out"] };
  const host = { listServers: async () => [{ ...server, logs: ["1", "2", "3", "4"] }] };
  expect(await serverLines(host)).toEqual([
    "p  runs",
    "  tools: p__a",
    "  ! left out",
    "  log: 2",
    "  log: 3",
    "  log: 4",
  ]);
  expect(await serverLines({ listServers: async () => [] })).toEqual([
    expect.stringMatching(/^there are no/),
  ]);
});

describe("/jobs line by line", () => {
  const job = {
    id: "job-1",
    command: "npm run dev",
    state: "running",
    running: true,
    ageMs: 61_000,
    lastLine: "ready",
  };
  const ended: string[] = [];
  const host = {
    listJobs: async () => [job],
    endJob: async (id: string) => {
      ended.push(id);
    },
  };

  test("lists jobs with state, age, command and last line, and ends one", async () => {
    expect(await jobLines(host, "")).toEqual(["job-1  running, 1 min 1 s  npm run dev", "  ready"]);
    expect(await jobLines(host, "end job-1")).toEqual(["job-1 has ended"]);
    expect(ended).toEqual(["job-1"]);
    for (const wrong of ["end", "stop job-1"])
      expect(await jobLines(host, wrong)).toEqual(["usage: /jobs, /jobs end ID"]);
    expect(await jobLines({ ...host, listJobs: async () => [] }, "")).toEqual([
      "no command runs in the background",
    ]);
  });
});
