/** JSON between tags. */
import { expect } from "vitest";
import { call, formatContract, reasoning, sampleTools, text, textContract } from "../format-contract.ts";

const body = '{"name": "read_file", "arguments": {"path": "a.txt"}}';
const shown = { shown: '{"path": "a.txt"}' };
const read = (index: number, repairs: Parameters<typeof call>[4] = {}) =>
  call(index, "hermes", "read_file", { path: "a.txt" }, { ...shown, ...repairs });

formatContract("hermes", [
  { name: "one call", text: `<tool_call>\n${body}\n</tool_call>`, events: read(0) },
  {
    name: "text before, between and after",
    text: `Before <tool_call>${body}</tool_call>\n<tool_call>${body}</tool_call> After`,
    events: [text("Before "), ...read(0), text("\n"), ...read(1), text(" After")],
  },
  {
    name: "a list in one frame",
    text: `<tool_call>[${body}, ${body}]</tool_call>`,
    events: [...read(0), ...read(1)],
  },
  {
    name: "arguments before the name",
    text: '<tool_call>{"arguments": {"path": "a.txt"}, "name": "read_file"}</tool_call>',
    events: call(0, "hermes", "read_file", { path: "a.txt" }),
  },
  {
    name: "an end tag inside a string",
    text: '<tool_call>{"name":"read_file","arguments":{"path":"a</tool_call>b"}}</tool_call>',
    events: call(0, "hermes", "read_file", { path: "a</tool_call>b" }),
  },
  {
    name: "an opener inside a string",
    text: '<tool_call>{"name":"read_file","arguments":{"path":"<tool_call>{"}}</tool_call>',
    events: call(0, "hermes", "read_file", { path: "<tool_call>{" }),
  },
  {
    name: "a thought before it",
    text: `<think>I need it.</think>\n<tool_call>${body}</tool_call>`,
    events: [reasoning("I need it."), text("\n"), ...read(0)],
  },
  {
    name: "no arguments for a tool that needs none",
    text: '<tool_call>{"name":"git_status"}</tool_call>',
    events: call(0, "hermes", "git_status", {}, { repairs: ["missing-arguments"] }),
  },
]);

formatContract("hermes: repairs", [
  { name: "no end tag", text: `<tool_call>${body}`, events: read(0, { repairs: ["missing-end-tag"] }) },
  {
    name: "half an end tag",
    text: `<tool_call>${body}</tool_`,
    events: read(0, { repairs: ["half-end-tag"] }),
  },
  {
    name: "another end tag in front of the right one",
    text: `<tool_call>${body}</think></tool_call>`,
    events: read(0, { repairs: ["wrong-end-tag"] }),
  },
  {
    name: "the next opener in place of the end tag",
    text: `<tool_call>${body}<tool_call>${body}</tool_call>`,
    events: [...read(0, { repairs: ["missing-end-tag"] }), ...read(1)],
  },
  {
    name: "an end tag that comes after text",
    text: `<tool_call>${body} done</tool_call>.`,
    events: [...read(0, { repairs: ["missing-end-tag"] }), text(" done.")],
  },
  {
    name: "a closer too many",
    text: `<tool_call>${body}}</tool_call>`,
    events: read(0, { repairs: ["extra-closer"] }),
  },
  {
    name: "a closer too few before the end tag",
    text: '<tool_call>{"name":"read_file","arguments":{"path":"a.txt"}</tool_call>',
    events: call(0, "hermes", "read_file", { path: "a.txt" }, { repairs: ["missing-closer"] }),
  },
  {
    name: "only the outer closer lost at the end of the text",
    text: '<tool_call>{"name":"read_file","arguments":{"path":"a.txt"}',
    events: call(0, "hermes", "read_file", { path: "a.txt" }, { repairs: ["missing-closer"] }),
  },
  {
    name: "stringified arguments",
    text: String.raw`<tool_call>{"name":"read_file","arguments":"{\"path\":\"a.txt\"}"}</tool_call>`,
    events: call(0, "hermes", "read_file", { path: "a.txt" }, { repairs: ["stringified-arguments"] }),
  },
  {
    name: "another key for the arguments",
    text: '<tool_call>{"name":"read_file","input":{"path":"a.txt"}}</tool_call>',
    events: call(0, "hermes", "read_file", { path: "a.txt" }, { repairs: ["argument-key"] }),
  },
  {
    name: "a namespaced name in other case",
    text: '<tool_call>{"name":"functions.Read_File","arguments":{"path":"a.txt"}}</tool_call>',
    events: call(0, "hermes", "read_file", { path: "a.txt" }, { repairs: ["tool-name"] }),
  },
  {
    name: "a fence inside the frame",
    text: `<tool_call>\n\`\`\`json\n${body}\n\`\`\`\n</tool_call>`,
    events: read(0, { repairs: ["fence"] }),
  },
  {
    name: "single quotes, Python literals and a trailing comma",
    text: "<tool_call>{'name': 'write_file', 'arguments': {'path': 'a', 'content': None,}}</tool_call>",
    events: call(
      0,
      "hermes",
      "write_file",
      { path: "a", content: null },
      {
        shown: "{'path': 'a', 'content': None,}",
        repairs: ["single-quotes", "python-literal", "trailing-comma"],
      },
    ),
  },
  {
    name: "quotes and line feeds that were not escaped",
    text: '<tool_call>{"name":"write_file","arguments":{"path":"a","content":"say "hi",\nthen "}" go"}}</tool_call>',
    events: call(
      0,
      "hermes",
      "write_file",
      { path: "a", content: 'say "hi",\nthen "}" go' },
      {
        shown: '{"path":"a","content":"say "hi",\nthen "}" go"}',
        repairs: ["unescaped-quote", "control-character"],
      },
    ),
  },
  {
    name: "a number written as text is typed by the schema",
    text: '<tool_call>{"name":"read_file","arguments":{"path":"a","offset":"3"}}</tool_call>',
    events: call(
      0,
      "hermes",
      "read_file",
      { path: "a", offset: 3 },
      { shown: '{"path":"a","offset":"3"}', repairs: ["typed-value"] },
    ),
  },
]);

formatContract("hermes: calls that cannot be taken", [
  {
    name: "the text ends inside the arguments",
    text: '<tool_call>{"name":"read_file","arguments":{"path":"a',
    events: [
      { type: "tool-call-start", index: 0, name: "read_file", format: "hermes" },
      { type: "tool-call-delta", index: 0, argumentsText: '{"path":"a' },
      {
        type: "tool-call-error",
        raw: '<tool_call>{"name":"read_file","arguments":{"path":"a',
        reason: "incomplete",
        message: "The text ended inside the call of read_file.",
        format: "hermes",
        name: "read_file",
      },
    ],
  },
  {
    name: "a tool that is not on offer, and a call after it",
    text: `<tool_call>{"name":"launch","arguments":{}}</tool_call><tool_call>${body}</tool_call>`,
    events: [
      {
        type: "tool-call-error",
        raw: '<tool_call>{"name":"launch","arguments":{}}</tool_call>',
        reason: "unknown-tool",
        message: 'There is no tool called "launch". The tools on offer: read_file, write_file, git_status.',
        format: "hermes",
        name: "launch",
      },
      ...read(0),
    ],
  },
  {
    name: "arguments that are no object",
    text: '<tool_call>{"name":"read_file","arguments":["a.txt"]}</tool_call>',
    events: [
      {
        type: "tool-call-error",
        raw: '<tool_call>{"name":"read_file","arguments":["a.txt"]}</tool_call>',
        reason: "invalid-arguments",
        message: "The arguments of read_file must be an object; a list came.",
        format: "hermes",
        name: "read_file",
      },
    ],
  },
  {
    name: "a prototype key",
    text: '<tool_call>{"name":"read_file","arguments":{"path":"a","__proto__":{"x":1}}}</tool_call>',
    events: [
      { type: "tool-call-start", index: 0, name: "read_file", format: "hermes" },
      { type: "tool-call-delta", index: 0, argumentsText: '{"path":"a","__proto__":{"x":1}}' },
      {
        type: "tool-call-error",
        raw: '<tool_call>{"name":"read_file","arguments":{"path":"a","__proto__":{"x":1}}}</tool_call>',
        reason: "invalid-arguments",
        message: 'The arguments of read_file must not have the key "__proto__".',
        format: "hermes",
        name: "read_file",
      },
    ],
  },
]);

const listed = '<tool_call>{"tool_calls":[{"x":{"a":1}}],"git_status":{';

formatContract("hermes: keys beside a list of calls", [
  {
    name: "name no call",
    text: listed,
    events: [
      {
        type: "tool-call-error",
        raw: listed.slice(0, listed.indexOf("]") + 1),
        reason: "unknown-tool",
        message: `There is no tool called "x". The tools on offer: ${sampleTools.map((tool) => tool.name).join(", ")}.`,
        format: "hermes",
        name: "x",
      },
      text(',"git_status":{'),
    ],
  },
]);

formatContract("mistral: a list that another frame interrupts", [
  {
    name: "is one error with its text, and the text after it stays text",
    text: '[TOOL_CALLS][{"name":"launch","x":1"y":5}[TOOL_CALLS]',
    events: [
      {
        type: "tool-call-error",
        raw: '[TOOL_CALLS][{"name":"launch","x":1"y":5}',
        reason: "unknown-tool",
        message: expect.stringContaining('There is no tool called "launch".') as string,
        format: "mistral",
        name: "launch",
      },
      text("[TOOL_CALLS]"),
    ],
  },
]);

formatContract("onyx", [
  {
    name: "one call over several lines",
    text: 'Let me look.\n<tool>\n{\n  "name": "read_file",\n  "arguments": {\n    "path": "."\n  }\n}\n</tool>',
    events: [
      text("Let me look.\n"),
      ...call(0, "onyx", "read_file", { path: "." }, { shown: '{\n    "path": "."\n  }' }),
    ],
  },
]);

textContract("tags without a call", [
  "The tag <tool_call> opens a call and </tool_call> ends it.",
  "<tool_call>not a call</tool_call>",
  "<tools>[]</tools> and <json>{}</json>",
  `Write \`<tool_call>${body}</tool_call>\` to call it.`,
  `For example:\n<tool_call>${body}</tool_call>\n<tool_call>${body}</tool_call>\nThen wait.`,
  `> <tool_call>${body}</tool_call>`,
  `The string "<tool_call>${body}</tool_call>" is a call.`,
  `\`\`\`\n<tool_call>${body}</tool_call>\n\`\`\`\nis how a call looks.`,
]);

formatContract("mistral: words before the list", [
  {
    name: "are passed over in front of a list of calls",
    text: `[TOOL_CALLS] so then [${body}] Done`,
    events: [
      ...call(0, "mistral", "read_file", { path: "a.txt" }, { ...shown, repairs: ["comment"] }),
      text(" Done"),
    ],
  },
]);

formatContract("several objects in one frame", [
  {
    name: "with a line feed between them",
    text: `<tool_call>${body}\n${body}</tool_call> end`,
    events: [...read(0), ...read(1), text(" end")],
  },
  {
    name: "with a comma between them",
    text: `<tool_call>${body}, ${body}</tool_call> end`,
    events: [...read(0), ...read(1), text(" end")],
  },
  {
    name: "of which the second is not a call",
    text: `<tool_call>${body}\n{"note": "one"}`,
    events: [...read(0), text('\n{"note": "one"}')],
  },
]);

formatContract("a list that begins with an item that is not a call", [
  {
    name: "and ends in a broken item is text",
    text: '<tool_call>[{"note": "one"},\'\':[}x',
    events: [text('<tool_call>[{"note": "one"},\'\':[}x')],
  },
]);
