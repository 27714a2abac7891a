/** Lines that are no part of an answer: comments, signs of life and words that gateways send between the pieces. */
import type { ModelEvent } from "@localharness/protocol";
import { describe, expect, it } from "vitest";
import { createCallIds } from "../src/answer/call-ids.ts";
import { createOllamaReader } from "../src/wire/ollama/reader.ts";
import { OpenaiReader } from "../src/wire/openai/reader.ts";
import type { AnswerReader } from "../src/wire/wire.ts";

const readers: Record<"openai" | "ollama", () => AnswerReader> = {
  openai: () => new OpenaiReader("Test", createCallIds([])),
  ollama: () =>
    createOllamaReader({
      who: "Test",
      contextWindow: 4096,
      ids: createCallIds([]),
      maxCalls: 10,
      madeBy: "m",
    }),
};

/** Returns the events of a body that comes whole, and checks that they are the same in pieces. */
function read(wire: keyof typeof readers, body: string): readonly ModelEvent[] {
  const events = (parts: readonly string[]) => {
    const reader = readers[wire]();
    return [...parts.flatMap((part) => reader.push(part)), ...reader.end()].filter(
      ({ type }) => type !== "usage",
    );
  };
  expect(events([...body])).toEqual(events([body]));
  return events([body]);
}

const chunk = (content: string, finish: string | null = null) =>
  JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: finish }] });
const line = (content: string, done = false) => JSON.stringify({ message: { content }, done });
const answer = [
  { type: "text-delta", text: "a" },
  { type: "text-delta", text: "b" },
  { type: "model-end", stopReason: "stop" },
];

const noise = [": still here", "ping", "PROCESSING 12 %", "[keep-alive]", '"hello"', "null", "17", "<3"];

describe.each(noise)("%s", (words) => {
  it("as data before, between and after chunks is skipped", () => {
    const data = [words, chunk("a"), words, chunk("b", "stop"), words, "[DONE]"];
    expect(read("openai", data.map((one) => `data: ${one}\n\n`).join(""))).toEqual(answer);
  });

  it("as data without empty lines is skipped", () => {
    const data = [words, chunk("a"), words, chunk("b", "stop"), "[DONE]"];
    expect(read("openai", data.map((one) => `data: ${one}\n`).join(""))).toEqual(answer);
  });
});

it.each(noise.filter((words) => !words.startsWith("<")))(
  "%s between the lines of Ollama is skipped",
  (words) => {
    expect(read("ollama", [words, line("a"), words, line("b"), line("", true), ""].join("\n"))).toEqual(
      answer,
    );
  },
);

it("reads the lines of Ollama that a gateway sends as events", () => {
  const lines = [line("a"), line("b"), line("", true)].map((one) => `data: ${one}\n\n`);
  expect(read("ollama", `: open\n\n${lines.join("event: message\n")}data: [DONE]\n\n`)).toEqual(answer);
});

it("reads chunks that come as a list", () => {
  const body = `data: [${chunk("a")},${chunk("b", "stop")}]\n\ndata: [DONE]\n\n`;
  expect(read("openai", body)).toEqual(answer);
});

describe("a failure is not skipped", () => {
  it.each([
    ["openai", `data: {"choices": nothing}\n\n`, /not JSON: \{"choices": nothing\}/],
    ["ollama", '{"message": nothing}\n', /not JSON .*\{"message": nothing\}/],
    ["ollama", "<html><body>Log in</body></html>\n", /web page/],
    ["openai", "event: error\ndata: the worker is gone\n\n", /error in the middle .*the worker is gone/],
    ["openai", `data: ${chunk("a")}\n\ndata: upstream is gone\n\n`, /in the middle\. .*upstream is gone/],
  ] as const)("%s: %s", (wire, body, message) => {
    expect(read(wire, body).at(-1)).toMatchObject({
      type: "model-error",
      message: expect.stringMatching(message),
    });
  });
});
