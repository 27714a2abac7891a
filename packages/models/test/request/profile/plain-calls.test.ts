/** Ids and names of calls as every API takes them. */
import type { ModelMessage, ToolCall } from "@localharness/protocol";
import { expect, test } from "vitest";
import { plainCalls } from "../../../src/request/profile/plain-calls.ts";

const answer = (...calls: readonly (readonly [id: string, name: string])[]): ModelMessage => ({
  role: "assistant",
  content: "",
  toolCalls: calls.map(([id, name]): ToolCall => ({ id, name, arguments: "{}" })),
});
const result = (toolCallId: string, toolName: string): ModelMessage => ({
  role: "tool",
  toolCallId,
  toolName,
  content: "r",
});

const odd = [
  ["functions.ls:0", "functions.ls"],
  ["functions_ls_0", "ls"],
  ["functions ls 0", "ls<|channel|>commentary"],
  ["chatcmpl-tool-0123456789abcdef0123456789abcdef", "ls"],
  ["chatcmpl-tool-0123456789abcdef0123456789abcdeF", "no.such.tool"],
  ["::", "no such tool"],
  ["ü", "a".repeat(80)],
] as const;

function callsOf(messages: readonly ModelMessage[]): ToolCall[] {
  return messages.flatMap((message) => (message.role === "assistant" ? (message.toolCalls ?? []) : []));
}

test("every id and name is plain, no two ids meet, and each result finds its call", () => {
  const messages = [
    answer(...odd),
    ...odd.map(([id, name]) => result(id, name.includes("such") ? name : "ls")),
  ];
  const sent = plainCalls(messages);
  const calls = callsOf(sent);
  for (const { id, name } of calls) {
    expect(id).toMatch(/^[A-Za-z0-9_-]{1,40}$/);
    expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  }
  expect(new Set(calls.map(({ id }) => id)).size).toBe(odd.length);
  const results = sent.filter((message) => message.role === "tool");
  expect(results.map(({ toolCallId }) => toolCallId)).toEqual(calls.map(({ id }) => id));
  expect(results.map(({ toolName }) => toolName)).toEqual(calls.map(({ name }) => name));
  expect(calls[0]?.name).toBe("ls");
  expect(new Set([calls[4]?.name, calls[5]?.name]).size).toBe(2);
});

test("plain ids and names stay", () => {
  const messages = [answer(["call_1", "ls"]), result("call_1", "ls")];
  expect(plainCalls(messages)).toEqual(messages);
});

test("an id that looks like the form of another gets a form that is free", () => {
  const [taken] = callsOf(plainCalls([answer(["a b", "ls"])]));
  const sent = callsOf(plainCalls([answer(["a b", "ls"], [taken?.id ?? "", "ls"])]));
  expect(sent[0]?.id).toBe(taken?.id);
  expect(sent[1]?.id).not.toBe(taken?.id);
});

test("a longer history keeps the forms of the shorter one", () => {
  const shorter = [answer(["x:1", "a.b"]), result("x:1", "a.b")];
  const longer = [...shorter, answer(["x_1", "a_b"]), result("x_1", "a_b")];
  expect(plainCalls(longer).slice(0, 2)).toEqual(plainCalls(shorter));
});
