/**
 * Parts of a frame without a call, and parts of a call without a frame: each comes out as text, with an error, or is
 * reported as dropped.
 */
import type { DetectEvent } from "../../src/index.ts";
import { call, formatContract, text } from "../format-contract.ts";

const body = '{"name": "read_file", "arguments": {"path": "a.txt"}}';
const shown = '{"path": "a.txt"}';
const read = (index: number, format: "hermes" | "nemotron", repairs: Parameters<typeof call>[4] = {}) =>
  call(index, format, "read_file", { path: "a.txt" }, { shown, ...repairs });

const offered = "The tools on offer: read_file, write_file, git_status.";
const nameless = (raw: string, format: "hermes" | "inkling"): DetectEvent => ({
  type: "tool-call-error",
  raw,
  reason: "unreadable",
  message: `The call cannot be read, and names no tool. ${offered}`,
  format,
});

formatContract("items of a list that are no calls", [
  {
    name: "behind a call",
    text: `<tool_call>[${body}, {"note": "one"}]</tool_call> end`,
    events: [...read(0, "hermes"), text('{"note": "one"}] end')],
  },
  {
    name: "in front of a call",
    text: `<tool_call>[{"note": "one"}, ${body}]</tool_call>`,
    events: [text('<tool_call>[{"note": "one"}, '), ...read(0, "hermes")],
  },
  {
    name: "broken behind a call",
    text: `<tool_call>[${body}, {one\ntwo`,
    events: [...read(0, "hermes"), nameless("{one\ntwo", "hermes")],
  },
  {
    name: "in a table, where nothing is a call",
    text: '| <TOOLCALL>[{"": ""},{"',
    events: [text('| <TOOLCALL>[{"": ""},{"')],
  },
  {
    name: "a plain frame of calls",
    text: `<json>{"tool_calls": [${body}]}</json> end`,
    events: [...read(0, "hermes"), text(" end")],
  },
  {
    name: "words in a plain frame that looks like one of calls",
    text: '<json>{"tool_calls": [one]}</json> two',
    events: [text('<json>{"tool_calls": [one]}</json> two')],
  },
  {
    name: "behind a list of calls in an object that is left open",
    text: `<tool_call>{"tool_calls": [${body}], one`,
    events: [...read(0, "hermes", { repairs: ["missing-closer", "missing-end-tag"] }), text(", one")],
  },
  {
    name: "beside a list of calls",
    text: `<tool_call>{"content": "one", "tool_calls": [${body}]}</tool_call>`,
    events: read(0, "hermes", { repairs: ["dropped-key"] }),
  },
  {
    name: "a key of no meaning beside a plain list of calls",
    text: `{"tool_calls": [${body}], "one": 1}`,
    events: [text(`{"tool_calls": [${body}], "one": 1}`)],
  },
  {
    name: "a tag without a name behind a call",
    text: ']<]minimax[>[<tool_call>]<]minimax[>[<invoke name="git_status">]<]minimax[>[</invoke>]<]minimax[>[<invoke one=two> three',
    events: [...call(0, "minimax-m3", "git_status", {}), text("]<]minimax[>[<invoke one=two> three")],
  },
  {
    name: "data in a plain object of calls",
    text: `{"tool_calls": [${body}, {"note": "one"}]}`,
    events: [text(`{"tool_calls": [${body}, {"note": "one"}]}`)],
  },
]);

const other = '{"name": "read_file", "arguments": {"path": "b.txt"}}';

formatContract("a call beside a list of calls", [
  {
    name: "an empty list",
    text: `<tool_call>{"tool_calls": [], "name": "read_file", "arguments": ${shown}}</tool_call>`,
    events: read(0, "hermes"),
  },
  {
    name: "an empty list in a plain object",
    text: `{"tool_calls": [], "name": "read_file", "arguments": ${shown}}`,
    events: call(0, "openai", "read_file", { path: "a.txt" }, { shown }),
  },
  {
    name: "a list without a call",
    text: `<tool_call>{"tool_calls": [{"note": "one"}], "name": "read_file", "arguments": ${shown}}</tool_call>`,
    events: read(0, "hermes", { repairs: ["dropped-key"] }),
  },
  {
    name: "behind the list",
    text: `<tool_call>{"tool_calls": [${body}], "function": ${other}}</tool_call>`,
    events: read(0, "hermes", { repairs: ["dropped-key"] }),
  },
  {
    name: "behind the list in a plain object",
    text: `{"tool_calls": [${body}], "function": ${other}}`,
    events: call(0, "openai", "read_file", { path: "a.txt" }, { shown, repairs: ["dropped-key"] }),
  },
  {
    name: "a second list",
    text: `<tool_call>{"tool_calls": [${body}], "tool_calls": [${other}]}</tool_call>`,
    events: read(0, "hermes", { repairs: ["dropped-key"] }),
  },
  {
    name: "cut off behind a list without a call",
    text: '<tool_call>{"tool_calls": [{"": ""], "function": {"name": "read_file", "arguments": {',
    events: [
      { type: "tool-call-start", index: 0, name: "read_file", format: "hermes" },
      { type: "tool-call-delta", index: 0, argumentsText: "{" },
      {
        type: "tool-call-error",
        raw: '<tool_call>{"tool_calls": [{"": ""], "function": {"name": "read_file", "arguments": {',
        reason: "incomplete",
        message: "The text ended inside the call of read_file.",
        format: "hermes",
        name: "read_file",
      },
    ],
  },
]);

formatContract("keys of a call object that are no part of a call", [
  {
    name: "beside the arguments",
    text: `<tool_call>{"name": "read_file", "why": "one", "arguments": ${shown}}</tool_call>`,
    events: read(0, "hermes", { repairs: ["dropped-key"] }),
  },
  {
    name: "a key behind the arguments, with nothing in it",
    text: `<tool_call>{"name": "read_file", "arguments": ${shown}, "one": ""}</tool_call>`,
    events: read(0, "hermes", { repairs: ["dropped-key"] }),
  },
  {
    name: "thoughts beside the arguments",
    text: `<tool_call>{"thought": "one", "name": "read_file", "arguments": ${shown}}</tool_call>`,
    events: read(0, "hermes", { repairs: ["dropped-key"] }),
  },
  {
    name: "arguments beside the name",
    text: '<tool_call>{"name": "read_file", "path": "a.txt"}</tool_call>',
    events: call(0, "hermes", "read_file", { path: "a.txt" }, { repairs: ["argument-key"] }),
  },
  {
    name: "keys that are no arguments beside the name",
    text: '<tool_call>{"name": "git_status", "path": "a.txt"}</tool_call> end',
    events: [
      {
        type: "tool-call-error",
        raw: '<tool_call>{"name": "git_status", "path": "a.txt"}</tool_call>',
        reason: "invalid-arguments",
        message:
          'The arguments of git_status must stand under the key "arguments"; the keys path came beside the name.',
        format: "hermes",
        name: "git_status",
      },
      text(" end"),
    ],
  },
  {
    name: "an id behind the arguments",
    text: `<tool_call>{"name": "read_file", "arguments": ${shown}, "id": "c1"}</tool_call>`,
    events: read(0, "hermes", { id: "c1" }),
  },
  {
    name: "a key that comes twice",
    text: '<tool_call>{"name": "read_file", "arguments": {"path": "one", "path": "a.txt"}}</tool_call>',
    events: read(0, "hermes", { shown: '{"path": "one", "path": "a.txt"}', repairs: ["dropped-key"] }),
  },
]);

formatContract("parts of calls in tags and marks", [
  {
    name: "an argument without a name that the text ends in",
    text: "<function=git_status><parameter>one",
    events: [
      { type: "tool-call-start", index: 0, name: "git_status", format: "qwen-coder" },
      {
        type: "tool-call-error",
        raw: "<function=git_status><parameter>one",
        reason: "incomplete",
        message: "The text ended inside the call of git_status.",
        format: "qwen-coder",
        name: "git_status",
      },
    ],
  },
  {
    name: "an argument that the text ends in, behind a JSON object of arguments",
    text: '<function=write_file>{"path": "a", "content": "b"}<parameter=tags>one',
    events: [
      { type: "tool-call-start", index: 0, name: "write_file", format: "qwen-coder" },
      { type: "tool-call-delta", index: 0, argumentsText: '{"path":"a","content":"b"' },
      {
        type: "tool-call-error",
        raw: '<function=write_file>{"path": "a", "content": "b"}<parameter=tags>one',
        reason: "incomplete",
        message: "The text ended inside the call of write_file.",
        format: "qwen-coder",
        name: "write_file",
      },
    ],
  },
  {
    name: "words behind a mark that begins no call",
    text: '<｜tool▁call▁begin｜>read_file<｜tool▁sep｜>{"path": "a.txt"}<｜tool▁call▁end｜><｜tool▁call▁begin｜>one\ntwo',
    events: [
      ...call(0, "deepseek", "read_file", { path: "a.txt" }, { shown }),
      text("<｜tool▁call▁begin｜>one\ntwo"),
    ],
  },
  {
    name: "tags behind a JSON object of arguments",
    text: '<function=write_file>{"path": "a"}<parameter=content>b</parameter></function>',
    events: call(
      0,
      "qwen-coder",
      "write_file",
      { path: "a", content: "b" },
      {
        shown: '{"path":"a","content":"b"}',
      },
    ),
  },
]);

formatContract("what comes twice, and comments, are reported", [
  {
    name: "an argument of GLM",
    text: "<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>one</arg_value>\n<arg_key>path</arg_key>\n<arg_value>two</arg_value>\n</tool_call>",
    events: call(
      0,
      "glm",
      "read_file",
      { path: "two" },
      { shown: '{"path":"one","path":"two"}', repairs: ["dropped-key"] },
    ),
  },
  {
    name: "a text in XML",
    text: "<read_file><path>one</path><!-- note --><path>two</path></read_file>",
    events: call(
      0,
      "morph-xml",
      "read_file",
      { path: "two" },
      { shown: '{"path":"one","path":"two"}', repairs: ["comment", "dropped-key"] },
    ),
  },
  {
    name: "a key in YAML",
    text: "<read_file>\npath: one # note\npath: two\n</read_file>",
    events: call(
      0,
      "yaml-xml",
      "read_file",
      { path: "two" },
      { shown: '{"path":"one","path":"two"}', repairs: ["comment", "dropped-key"] },
    ),
  },
  {
    name: "a keyword in Python, of which a number is too large to be one",
    text: "[read_file(path='one', limit=1e999, path='two')]",
    events: call(0, "pythonic", "read_file", { path: "two", limit: "1e999" }, { repairs: ["dropped-key"] }),
  },
  {
    name: "text behind the sign of a block in YAML",
    text: "<write_file>\npath: a\ncontent: | one\n</write_file>",
    events: call(0, "yaml-xml", "write_file", { path: "a", content: "| one" }),
  },
  {
    name: "a name",
    text: `<tool_call>{"name": "one", "name": "read_file", "arguments": ${shown}}</tool_call>`,
    events: read(0, "hermes", { repairs: ["dropped-key"] }),
  },
]);

formatContract("a key that comes twice in JSON inside a tag is reported", [
  {
    name: "where the tag gives the type",
    text: '<|open|>tools<|sep|><|open|>call tool="write_file"<|sep|><|open|>argument key="path"<|sep|>a<|close|>argument<|sep|><|open|>argument key="content"<|sep|>b<|close|>argument<|sep|><|open|>argument key="options" type="object"<|sep|>{"force": false, "force": true}<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>',
    events: call(
      0,
      "kimi-k3",
      "write_file",
      { path: "a", content: "b", options: { force: true } },
      { repairs: ["dropped-key"] },
    ),
  },
]);

formatContract("more parts that belong to nothing", [
  {
    name: "half a tag of no meaning behind the arguments",
    text: "<function=read_file><parameter=path>a.txt</parameter><one",
    events: [
      ...call(
        0,
        "qwen-coder",
        "read_file",
        { path: "a.txt" },
        {
          shown: '{"path":"a.txt"}',
          repairs: ["missing-end-tag"],
        },
      ),
      text("<one"),
    ],
  },
  {
    name: "a comment in a list",
    text: `<|tools_prefix|>[{"read_file": {"path": "a.txt"}} // one\n]<|tools_suffix|>`,
    events: call(0, "apertus", "read_file", { path: "a.txt" }, { shown, repairs: ["comment"] }),
  },
  {
    name: "words between Mistral's mark and its list",
    text: `[TOOL_CALLS] one [{"name": "read_file", "arguments": ${shown}}]`,
    events: call(0, "mistral", "read_file", { path: "a.txt" }, { shown, repairs: ["comment"] }),
  },
  {
    name: "words in front of the name of a tool",
    text: `>>>one .read_file${shown}`,
    events: call(0, "functionary", "read_file", { path: "a.txt" }, { repairs: ["near-name"] }),
  },
  {
    name: "a call that cannot be read in a plain list of calls",
    text: '{"tool_calls":[{"function":{"name":"read_file","arguments":{"path":"a"},"""function":{"name":"read_file","arguments":{',
    events: [
      { type: "tool-call-start", index: 0, name: "read_file", format: "openai" },
      { type: "tool-call-delta", index: 0, argumentsText: '{"path":"a"}' },
      {
        type: "tool-call-error",
        raw: '{"tool_calls":[{"function":{"name":"read_file","arguments":{"path":"a"},""',
        reason: "unreadable",
        message: "The arguments of read_file cannot be read as an object.",
        format: "openai",
        name: "read_file",
      },
      text('"function":{"name":"read_file","arguments":{'),
    ],
  },
]);

formatContract("a framed call that is not JSON and has no name", [
  {
    name: "is an error at the beginning of a line",
    text: "I look.\n<tool_call>{path: a.txt</tool_call> end",
    events: [text("I look.\n"), nameless("<tool_call>{path: a.txt</tool_call>", "hermes"), text(" end")],
  },
  {
    name: "is an error after a call",
    text: `<tool_call>${body}</tool_call><tool_call>{bad}</tool_call>`,
    events: [...read(0, "hermes"), nameless("<tool_call>{bad}</tool_call>", "hermes")],
  },
  {
    name: "is an error after words if its mark is a special token",
    text: "So <|content_invoke_tool_json|>{bad}<|end_message|>",
    events: [text("So "), nameless("<|content_invoke_tool_json|>{bad}<|end_message|>", "inkling")],
  },
  {
    name: "is text after words on its line, as they may be about it",
    text: "Qwen writes <tool_call>{...}</tool_call> here.",
    events: [text("Qwen writes <tool_call>{...}</tool_call> here.")],
  },
  {
    name: "is text without a brace",
    text: "<tool_call>read the file</tool_call>",
    events: [text("<tool_call>read the file</tool_call>")],
  },
]);

formatContract("a word that joins the end of a call to the end tag of its frame", [
  {
    name: "is dropped after JSON",
    text: `<tool_call>${body}oops</tool_call> end`,
    events: [...read(0, "hermes", { repairs: ["comment"] }), text(" end")],
  },
  {
    name: "is dropped after tags",
    text: "<tool_call><function=git_status></function>oops</tool_call> end",
    events: [...call(0, "qwen-coder", "git_status", {}, { repairs: ["comment"] }), text(" end")],
  },
  {
    name: "is text after a space",
    text: "<tool_call><function=git_status></function> so</tool_call> end",
    events: [...call(0, "qwen-coder", "git_status", {}, { repairs: ["missing-end-tag"] }), text(" so end")],
  },
]);
