/** The events that a draft becomes: calls with keys that no call may have, and which error comes first. */
import { describe, expect, test } from "vitest";
import { detect, type ToolSchema } from "../../src/index.ts";

const tools: readonly ToolSchema[] = [
  { name: "look", parameters: { type: "object", properties: { at: { type: "string" } } } },
  { name: "build", parameters: { type: "object", properties: { constructor: { type: "string" } } } },
];

function errorsOf(name: string, args: string): string[] {
  const events = detect(`<tool_call>{"name": "${name}", "arguments": ${args}}</tool_call>`, { tools });
  return events.flatMap((event) => (event.type === "tool-call-error" ? [event.reason] : []));
}

describe("keys that reach for a prototype", () => {
  test.each([
    ["__proto__", "look", '{"__proto__": {"a": 1}}', ["invalid-arguments"]],
    ["__proto__ inside a value", "look", '{"at": "x", "list": [{"__proto__": 1}]}', ["invalid-arguments"]],
    ["constructor where the tool has none", "look", '{"constructor": {"a": 1}}', ["invalid-arguments"]],
    ["prototype where the tool has none", "look", '{"at": "x", "prototype": "y"}', ["invalid-arguments"]],
    ["constructor where the tool has one", "build", '{"constructor": "x"}', []],
    ["constructor inside a value", "look", '{"at": "x", "more": {"constructor": "y"}}', []],
    ["constructor as a text", "look", '{"at": "constructor"}', []],
  ])("%s", (_title, name, args, reasons) => {
    expect(errorsOf(name, args)).toEqual(reasons);
  });
});

const bad = '{"at": 1/*x}';

test("a tool that is not on offer is the first thing to say about a call that cannot be read", () => {
  expect([errorsOf("fly", bad), errorsOf("look", bad)]).toEqual([["unknown-tool"], ["unreadable"]]);
});

test("a word of the tool's name that is said again and again is no nearer to it", () => {
  expect(errorsOf("look look look of what it is not", '{"at": "x"}')).toEqual(["unknown-tool"]);
});

test("what is dropped beside a list of calls is reported with its last one", () => {
  const list = '[{"name": "look", "arguments": {"at": "x"}}]';
  const events = detect(`<tool_call>{"tool_calls": ${list}, "more": {"of": "this"}}</tool_call>`, { tools });
  expect(events.at(-1)).toMatchObject({ type: "tool-call-end", repairs: ["dropped-key"] });
});
