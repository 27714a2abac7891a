/** Marks that models and servers lose, double or write otherwise, format by format; and texts that only talk about them. */
import { describe, expect, test } from "vitest";
import type { FormatId } from "../../src/index.ts";
import { detect, summarize } from "../../src/index.ts";
import { call, formatContract, sampleTools, textContract } from "../format-contract.ts";

const read = (format: FormatId, more: Parameters<typeof call>[4] = {}) =>
  call(0, format, "read_file", { path: "a.txt" }, more);
const parameter = "<parameter=path>\na.txt\n</parameter>\n";
const pair = "<arg_key>path</arg_key>\n<arg_value>a.txt</arg_value>";
const steptml =
  '<steptml:invoke name="read_file"><steptml:parameter name="path">a.txt</steptml:parameter></steptml:invoke>';
const json = '{"path": "a.txt"}';

formatContract("an end mark that Granite does not write and Phi-4 does", [
  {
    name: "behind the list",
    text: `<|tool_call|>[{"name": "read_file", "arguments": ${json}}]<|/tool_call|>`,
    events: read("granite", { shown: json }),
  },
]);

formatContract("marks that are lost", [
  {
    name: "the end of a function tag",
    text: `<tool_call>\n<function=read_file\n${parameter}</function>\n</tool_call>`,
    events: read("qwen-coder"),
  },
  {
    name: "the sign in a function tag",
    text: `<tool_call>\n<functionread_file>\n${parameter}</function>\n</tool_call>`,
    events: read("qwen-coder"),
  },
  {
    name: "the frame of GLM",
    text: `read_file\n${pair}\n`,
    events: read("glm"),
  },
  {
    name: "the opening tag of GLM",
    text: `read_file${pair}</tool_call>`,
    events: read("glm"),
  },
  {
    name: "half the end tag of GLM",
    text: "<tool_call>git_status\n</tool_ca",
    events: call(0, "glm", "git_status", {}, { repairs: ["half-end-tag"] }),
  },
  {
    name: "the frame of MiniMax M3",
    text: ']<]minimax[>[<invoke name="read_file">]<]minimax[>[<path>a.txt]<]minimax[>[</path>]<]minimax[>[</invoke>',
    events: read("minimax-m3"),
  },
  {
    name: "all marks of Kimi K2",
    text: `functions.read_file:0${json}functions.git_status:1 {}`,
    events: [
      ...read("kimi-k2", { shown: json, id: "functions.read_file:0" }),
      ...call(1, "kimi-k2", "git_status", {}, { id: "functions.git_status:1" }),
    ],
  },
]);

formatContract("marks that are written otherwise", [
  {
    name: "a function tag twice",
    text: `<tool_call>\n<function=read_file>\n<function=read_file>\n${parameter}</function>\n</tool_call>`,
    events: read("qwen-coder"),
  },
  {
    name: "marks of DeepSeek with low lines",
    text: `<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜>read_file\n\`\`\`json\n${json}\n\`\`\`<｜tool_call_end｜><｜tool_calls_end｜>`,
    events: read("deepseek", { shown: json }),
  },
  {
    name: "bars of ASCII around DSML",
    text: '<|DSML|tool_calls><|DSML|invoke name="read_file"><|DSML|parameter name="path" string="true">a.txt</|DSML|parameter></|DSML|invoke></|DSML|tool_calls>',
    events: read("dsml"),
  },
  {
    name: "a Python call in the tags of Hermes",
    text: '<tool_call>read_file(path="a.txt")</tool_call>',
    events: read("pythonic"),
  },
]);

describe("Step 3", () => {
  const one = `<｜tool_call_begin｜>function<｜tool_sep｜>${steptml}<｜tool_call_end｜>`;
  test.each([
    ["a section", `<｜tool_calls_begin｜>\n${one}\n${one}\n<｜tool_calls_end｜>`, 2],
    ["a section in a thought", `<think>So.\n<｜tool_calls_begin｜>${one}<｜tool_calls_end｜>`, 1],
    ["a call without its marks", steptml, 1],
  ])("%s", (_name, text, count) => {
    const { calls, errors, text: left } = summarize(detect(text, { tools: sampleTools }));
    expect(calls.map((made) => made.arguments)).toEqual(Array(count).fill({ path: "a.txt" }));
    expect([errors, left]).toEqual([[], ""]);
  });
});

textContract("words about marks", [
  "Use the <tool_call> tag with <function=read_file> to call.",
  'The tag <function name="read_file"> begins a call and </function> ends it.',
  `It was functions.read_file:0 with ${json}.`,
  "<tool_call>git_status",
  "read_file<arg_key> is how GLM begins.",
  "Kimi writes <|tool_call_begin|> and then the id.",
]);
