import type { JSONSchema7, LanguageModelV4GenerateResult } from "@ai-sdk/provider";
import { type ScriptedTurn, startFakeServer } from "@localharness/models/fake-server";
import { describe, expect, it } from "vitest";
import { readResult } from "../../src/ai-sdk/read-content.ts";
import { call, made, modelOn, open } from "./middle-model.ts";

const noTokens = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined };
const usage = {
  inputTokens: noTokens,
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

describe("the content of a whole reply", () => {
  const cases: readonly { title: string; turn: ScriptedTurn; content: readonly object[]; reason: string }[] =
    [
      {
        title: "is the model's own where there is no call",
        turn: { text: " {not} a <tool_call \n" },
        content: [{ type: "text", text: " {not} a <tool_call \n" }],
        reason: "stop",
      },
      {
        title: "has thoughts, text and calls in their order",
        turn: { text: `<think>\nHm.\n</think>\n\nBefore.\n${call}\nAfter.` },
        content: [
          { type: "reasoning", text: "\nHm.\n" },
          { type: "text", text: "\n\nBefore.\n" },
          made,
          { type: "text", text: "\nAfter." },
        ],
        reason: "tool-calls",
      },
      {
        title: "keeps a call as text beside a native one",
        turn: { text: call, calls: [{ id: "n1", name: "read_file", arguments: { path: "b.txt" } }] },
        content: [
          { type: "text", text: call },
          { type: "tool-call", toolCallId: "n1", toolName: "read_file", input: '{"path":"b.txt"}' },
        ],
        reason: "tool-calls",
      },
      { title: "has a call without its end", turn: { text: open }, content: [made], reason: "tool-calls" },
      {
        title: "has a call without its end as one with invalid input if the reply was cut at its limit",
        turn: { text: `Before.\n${open}`, finishReason: "length" },
        content: [
          { type: "text", text: "Before.\n" },
          { ...made, input: open },
        ],
        reason: "length",
      },
      {
        title:
          "has a call without its end as one with invalid input if the reply ended for an unknown reason",
        turn: { text: open, finishReason: "abort" },
        content: [{ ...made, input: open }],
        reason: "tool-calls",
      },
      {
        title: "has a call without its end if the reply ended normally by a word that the SDK does not know",
        turn: { text: open, finishReason: "eos" },
        content: [made],
        reason: "tool-calls",
      },
      {
        title: "keeps a call as text when a filter broke the reply off",
        turn: { text: call, finishReason: "content_filter" },
        content: [{ type: "text", text: call }],
        reason: "content-filter",
      },
    ];
  it.each(cases)("$title", async ({ turn, content, reason }) => {
    await using server = await startFakeServer({ turns: [turn] });
    const result = await modelOn(server, { generateId: () => "c1" }).doGenerate({
      prompt: [{ role: "user", content: [{ type: "text", text: "go" }] }],
      tools: [
        { type: "function", name: "read_file", inputSchema: { type: "object", properties: { path: {} } } },
      ],
    });
    expect(result.content).toEqual(content);
    expect(result.finishReason.unified).toBe(reason);
  });
});

it("has a call without its end as one with invalid input in the text where the reply was cut", () => {
  const source = { type: "source", sourceType: "url", id: "u", url: "http://x" } as const;
  const texts = [open, open, " "].map((text) => ({ type: "text", text }) as const);
  const finishReason = { unified: "length", raw: "length" } as const;
  const tools = [{ name: "read_file", parameters: { properties: { path: {} } } }];
  const reading = { tools, generateId: () => "c1", unreadable: "call" } as const;
  const read = (content: LanguageModelV4GenerateResult["content"]) =>
    readResult({ content, finishReason, usage, warnings: [] }, reading).content;
  const cut = { ...made, input: open };
  expect(read([...texts.slice(0, 2), source])).toEqual([made, cut, source]);
  expect(read(texts)).toEqual([made, cut, texts[2]]);
  expect(read([...texts.slice(0, 1), { type: "reasoning", text: "Hm." }])).toMatchObject([cut, {}]);
});

describe("the input of a call", () => {
  const path = { path: { type: "string" } } as const;
  const cases: readonly { title: string; inputSchema: JSONSchema7; input: string }[] = [
    {
      title: "has no keys that the schema does not declare",
      inputSchema: { type: "object", properties: path },
      input: '{"path":"a.txt"}',
    },
    {
      title: "is empty for a tool without properties",
      inputSchema: { type: "object", properties: {} },
      input: "{}",
    },
    {
      title: "keeps other keys if the schema allows them",
      inputSchema: { type: "object", properties: path, additionalProperties: true },
      input: '{"path":"a.txt","mood":"sunny"}',
    },
    {
      title: "keeps other keys if the schema has branches",
      inputSchema: { type: "object", properties: path, anyOf: [{}] },
      input: '{"path":"a.txt","mood":"sunny"}',
    },
    { title: "keeps all keys without a schema", inputSchema: {}, input: '{"path":"a.txt","mood":"sunny"}' },
  ];
  it.each(cases)("$title", async ({ inputSchema, input }) => {
    const text = '<tool_call>{"name":"read_file","arguments":{"path":"a.txt","mood":"sunny"}}</tool_call>';
    await using server = await startFakeServer({ turns: [{ text }] });
    const { content } = await modelOn(server, { generateId: () => "c1" }).doGenerate({
      prompt: [{ role: "user", content: [{ type: "text", text: "go" }] }],
      tools: [{ type: "function", name: "read_file", inputSchema }],
    });
    expect(content).toEqual([{ type: "tool-call", toolCallId: "c1", toolName: "read_file", input }]);
  });
});
