/** Tests how a server's message is read from error bodies of any shape. */
import { describe, expect, it } from "vitest";
import { errorText, fromStatus } from "../../src/answer/failure.ts";
import { signInAdvice } from "../../src/choice/sign-in.ts";

const inner = '{"error":{"code":500,"message":"out of memory"}}';
const twice = JSON.stringify({ error: inner });

describe("errorText", () => {
  it.each<{ body: unknown; text: string | undefined }>([
    { body: { error: "boom" }, text: "boom" },
    { body: { error: inner }, text: "out of memory" },
    { body: { error: twice }, text: "out of memory" },
    { body: { error: `llama-server: ${inner}` }, text: "llama-server: out of memory" },
    { body: { error: `${inner}\nsee the log` }, text: "out of memory\nsee the log" },
    { body: { error: '{"code":1}' }, text: '{"code":1}' },
    { body: { error: "expected { got }" }, text: "expected { got }" },
    { body: { error: '{"error":"cut of' }, text: '{"error":"cut of' },
    { body: { error: 'use {name} or {"error":"x"}' }, text: 'use {name} or {"error":"x"}' },
    { body: "", text: undefined },
    { body: { error: "" }, text: undefined },
  ])("$body", ({ body, text }) => {
    expect(errorText(body)).toBe(text);
  });

  it("stops at a depth, however often JSON is nested in JSON", () => {
    let body = "deep";
    for (let level = 0; level < 5; level += 1) body = JSON.stringify({ error: body });
    expect(errorText(body, 8)).toMatch(/^\{"error":.*deep/);
    expect(errorText(body, 12)).toBe("deep");
  });
});

it("never retries an answer that a server has stopped for repetition", () => {
  const failure = fromStatus(500, "prediction aborted, token repeat limit reached", "Ollama");
  expect(failure).toMatchObject({ code: "bad-response", retryable: false, status: 500 });
});

describe("signInAdvice", () => {
  const address = "https://ollama.com/connect?name=host&key=abc";
  it.each<{ body: string; advice: string | undefined }>([
    {
      body: JSON.stringify({ error: "unauthorized", signin_url: address }),
      advice: `Sign in with a browser, then ask again: ${address}`,
    },
    { body: JSON.stringify({ signin_url: "javascript:alert(1)" }), advice: undefined },
    { body: JSON.stringify({ signin_url: "http://ollama.com" }), advice: undefined },
    { body: JSON.stringify({ signin_url: `https://a/${"b".repeat(2_000)}` }), advice: undefined },
    { body: JSON.stringify({ signin_url: 3 }), advice: undefined },
    { body: JSON.stringify({ error: "no" }), advice: undefined },
    { body: "unauthorized", advice: undefined },
    { body: "[1]", advice: undefined },
  ])("$body", ({ body, advice }) => {
    expect(signInAdvice(body)).toBe(advice);
  });
});
