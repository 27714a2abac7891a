/** Checks the tables that `/context` and `/cost` print. */
import { describe, expect, test } from "vitest";
import { contextTable, costLines, windowLines } from "../../src/command-texts/context-lines.ts";

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
