/** Full windows are known by their numbers, in any words; other refusals with numbers are not taken for them. */
import { describe, expect, test } from "vitest";
import { fromStatus } from "../../src/answer/failure.ts";
import { isOverflow, namesSentSize } from "../../src/server-words/overflow.ts";

describe("a full window", () => {
  test.each([
    "Prompt length 9000 is greater than max_seq_len 4096",
    "The request has 9,000 tokens, but at most 4,096 fit",
    "input tokens (9000) > n_ctx (4096)",
    "Requested 9000 tokens, limit 4096",
    "Limit 4096 tokens, requested 9000",
    "This model only supports 4096 tokens; you sent 9000",
    "context overflow: 4096 < 9000",
    "the conversation needs 9000 tokens and the cache holds 4096",
    "Sequence of 40k exceeds 32k",
    "输入长度 9000 超过最大长度 4096",
    "Die Eingabe hat 9.000 Token, erlaubt sind maximal 4.096",
    "This model's maximum context length is 4096 tokens. However, you requested 9000 tokens (8000 in the messages, 1000 in the completion)",
    "'max_tokens' is too large: 1000. This model's maximum context length is 4096 tokens and your request has 3500 input tokens (1000 > 4096 - 3500).",
    "`inputs` must have less than 4096 tokens. Given: 9000",
    "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 3900 `inputs` tokens and 500 `max_new_tokens`",
    "prompt too long (9000 tokens), max_kv_size 4096",
    "the request exceeds the available context size, try increasing it",
  ])("%s", (words) => {
    for (const status of [400, 422, 500]) expect(isOverflow(status, words)).toBe(true);
    expect(isOverflow(429, words)).toBe(false);
    expect(fromStatus(400, words, "Test")).toMatchObject({ code: "context-overflow", retryable: false });
  });

  test("status 413, in any words", () => {
    expect(isOverflow(413, "")).toBe(true);
    expect(isOverflow(413, "Request Entity Too Large")).toBe(true);
  });
});

test.each([
  "max_tokens is too large: 100000. This model supports at most 16384 completion tokens",
  "max_tokens: 100000 > 8192, which is the maximum allowed number of output tokens",
  "max_completion_tokens 100000 exceeds the context window of 32768",
  "Requested 100000 output tokens exceed the limit of 8192",
  "max_tokens must be less than or equal to 8192, got 100000",
  "Rate limit reached on tokens per minute (TPM): Limit 30000, Requested 35000",
  "Too many tokens per day: used 501000 of 500000",
  "This request requires more credits: you requested up to 65536 tokens, but can only afford 1234",
  "Prompt has 2000 tokens, the maximum is 8192: temperature is not allowed above 2",
  "image width 12000 exceeds 8192",
  "tools[0].function.description: string too long, got a string of length 1500, maximum length 1024",
  "Expected a string with maximum length 1024, but got a string with length 1500",
  "Unexpected token at position 9000 of 12000",
  "Request timed out after 120000 ms, limit 60000 ms",
  "model gpt-4-32768 of 2026-11-28 does not know temperature",
  "no reason given",
])("no full window: %s", (words) => {
  expect(isOverflow(400, words)).toBe(false);
  expect(namesSentSize(400, words, 9_000)).toBe(false);
});

describe("two numbers without known words", () => {
  test.each<[words: string, sent: number, isFull: boolean]>([
    ["Bitte hoechstens 4096, nicht 9000", 8_000, true],
    ["9000/4096", 8_000, true],
    ["code 9000, see 4096", 500, false],
    ["code 9000", 8_000, false],
    ["4096 allowed per minute, 9000 came", 8_000, false],
  ])("%s, after %d tokens", (words, sent, isFull) => {
    expect(namesSentSize(400, words, sent)).toBe(isFull);
    expect(namesSentSize(429, words, sent)).toBe(false);
  });
});
