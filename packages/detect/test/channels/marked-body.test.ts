/** Calls in markup inside a message to a tool: they are read, and never become the text of its only argument. */
import { describe, expect, test } from "vitest";
import { detect, formats, summarize } from "../../src/index.ts";
import { call, formatContract, sampleTools, text } from "../format-contract.ts";

const tools = [
  ...sampleTools,
  {
    name: "run_task",
    parameters: { type: "object", properties: { command: { type: "string" } }, required: ["command"] },
  },
];
const options = { tools };
const invoke = (name: string, parameters = "") => `<atem:invoke name="${name}">${parameters}</atem:invoke>`;
const command = '<atem:parameter name="command">date</atem:parameter>';
const run = (index = 0) => call(index, "glimmer", "run_task", { command: "date" });

formatContract("ATEM calls in a message", [
  {
    name: "without their outer tag",
    options,
    text: ` to=run_task<|message|>${invoke("run_task", command)}<|eom|>`,
    events: run(),
  },
  {
    name: "two without their outer tag",
    options,
    text: ` to=run_task<|message|>${invoke("run_task", command)}\n${invoke("git_status")}<|eom|>`,
    events: [...run(), text("\n"), ...call(1, "glimmer", "git_status", {})],
  },
  {
    name: "after words",
    options,
    text: ` to=run_task<|message|>I run it.\n${invoke("run_task", command)}<|eom|>`,
    events: [text("I run it.\n"), ...run()],
  },
  {
    name: "without the mark of the message",
    options,
    text: ` to=run_task<atem:function_calls>${invoke("run_task", command)}</atem:function_calls>`,
    events: run(),
  },
]);

describe("a call in the markup of another format, in a message to its tool", () => {
  const messages = new Set<string>(["glimmer", "harmony", "fenced-json", "openai"]);
  test.each(formats.filter(({ id }) => !messages.has(id)))("$id", ({ example }) => {
    const reply = `<|channel|>commentary to=functions.read_file<|message|>${example}<|call|>`;
    const { calls, errors } = summarize(detect(reply, { tools: sampleTools }));
    expect([...calls.map((made) => made.arguments), ...errors]).toEqual([{ path: "a.txt" }]);
  });
});

describe("a message that holds markup of calls and no call", () => {
  test.each([
    "Use <tool_call> there.",
    "<parameter=command>date</parameter>",
    "<command>date</command>",
    '`<invoke name="run_task"></invoke>`',
    "[TOOL_CALLS]",
    'Then {"arguments": {"command": "date"}} runs.',
    "<|tool_call>call:",
  ])("%j", (body) => {
    const reply = `<|channel|>commentary to=functions.run_task<|message|>${body}<|call|>`;
    const { calls, errors } = summarize(detect(reply, options));
    expect([calls.length, errors.length]).toEqual([0, 1]);
  });
});

formatContract("a call in the tag of its tool", [
  {
    name: "in a frame",
    options,
    text: '<run_task><tool_call>{"name":"run_task","arguments":{"command":"date"}}</tool_call></run_task>',
    events: [text("<run_task>"), ...call(0, "hermes", "run_task", { command: "date" }), text("</run_task>")],
  },
]);
