/** Errors of servers that could not read their model's answer. */
import { describe, expect, test } from "vitest";
import { parserFailure } from "../../src/server-words/parser-failure.ts";

const call = '<tool_call>\n{"name": "ls", "arguments": {"path": "a"}}\n</tool_call>';

describe("quotes the model's text", () => {
  test.each<[title: string, body: unknown, text: string, kind: RegExp]>([
    [
      "llama.cpp",
      { error: { code: 500, message: `Failed to parse input at pos 41: ${call}` } },
      call,
      /at pos #:$/,
    ],
    [
      "JSON text",
      JSON.stringify({ error: { message: `Failed to parse input at pos 0: ${call}` } }),
      call,
      /pos/,
    ],
    [
      "an event",
      `data: ${JSON.stringify({ error: `Failed to parse input at pos 7: ${call}` })}\n\n`,
      call,
      /pos/,
    ],
    [
      "Ollama",
      { error: `error parsing tool call: raw='{"path": "it's', err=unexpected end of JSON input` },
      '{"path": "it\'s',
      /^error parsing tool call: raw=$/,
    ],
    [
      "Groq",
      {
        error: {
          message:
            "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.",
          type: "invalid_request_error",
          code: "tool_use_failed",
          failed_generation: '<function=ls>{"path": "a"}</function>',
        },
      },
      '<function=ls>{"path": "a"}</function>',
      /^Failed to call a function/,
    ],
    ["a generation without words", { failed_generation: call, code: 400 }, call, /failed generation/],
    [
      "a format that was expected",
      { error: `The model produced output that does not match the expected chat format: ${call}` },
      call,
      /expected chat format:$/,
    ],
    [
      "words and markup",
      { message: `Could not parse tool calls ${call}` },
      call,
      /^Could not parse tool calls$/,
    ],
    ["an answer", { detail: `Unable to decode the model output: ${call}` }, call, /model output:$/],
    [
      "a gateway that quotes",
      {
        error: {
          message: "Provider returned error",
          metadata: { raw: JSON.stringify({ failed_generation: call }) },
        },
      },
      call,
      /./,
    ],
  ])("%s", (_title, body, text, kind) => {
    const failure = parserFailure(body);
    expect(failure?.text).toBe(text);
    expect(failure?.kind).toMatch(kind);
  });
});

test.each([
  "XML syntax error on line 5: unexpected end element",
  "Failed to parse fc related info to json format!",
  "Error in extracting tool call from response.",
  "openai_harmony.HarmonyError: unexpected tokens remaining in message header: []",
  "Malformed function call",
])("says nothing of the text: %s", (message) => {
  expect(parserFailure({ error: { message } })).toBeDefined();
});

test("failures of one kind have one name", () => {
  const kind = (at: number, text: string) =>
    parserFailure({ error: `Failed to parse input at pos ${at}: ${text}` })?.kind;
  expect(kind(4, call)).toBe(kind(1200, "<function=x>"));
});

test.each([
  "Failed to parse messages: unexpected role at messages[3]",
  "Failed to parse tools: invalid schema",
  "failed to parse grammar",
  "Failed to parse the request body as JSON: tool_choice: invalid",
  "Error rendering the chat template: cannot parse tool call arguments",
  "model not found",
  "invalid api key",
  "Internal server error",
  "context length exceeded",
  "",
])("is another failure: %s", (message) => {
  expect(parserFailure({ error: { message } })).toBeUndefined();
});
