/** Calls as each format writes them, and words before the calls. */
import { describe, expect, test } from "vitest";
import { table } from "../../src/formats/table.ts";
import { writeCalls, writeReply } from "../../src/messages.ts";
import type { FormatId } from "../../src/types.ts";

const calls = [
  { name: "save", arguments: { path: "a.txt", text: "b\n", lines: [1, null], on: true } },
  { name: "ls", arguments: {} },
];
const json = '{"path":"a.txt","text":"b\\n","lines":[1,null],"on":true}';
const first = `{"name":"save","arguments":${json}}`;
const second = '{"name":"ls","arguments":{}}';
const m3 = "]<]minimax[>[";

/** An invoke tag with its parameters, and one without, under a prefix. */
function invokes(prefix: string, between = "\n"): string {
  const parameter = (name: string, value: string) =>
    `<${prefix}parameter name="${name}">${value}</${prefix}parameter>`;
  const parameters = [
    parameter("path", "a.txt"),
    parameter("text", prefix === "atem:" ? "b\n" : "\nb\n\n"),
    parameter("lines", "[1,null]"),
    parameter("on", "true"),
  ];
  const save = [`<${prefix}invoke name="save">`, ...parameters, `</${prefix}invoke>`].join("\n");
  return `${save}${between}<${prefix}invoke name="ls">\n</${prefix}invoke>`;
}

const written: { readonly [id in FormatId]?: string } = {
  hermes: `<tool_call>\n${first}\n</tool_call>\n<tool_call>\n${second}\n</tool_call>`,
  onyx: `<tool>\n${first}\n</tool>\n<tool>\n${second}\n</tool>`,
  longcat: `<longcat_tool_call>\n${first}\n</longcat_tool_call>\n<longcat_tool_call>\n${second}\n</longcat_tool_call>`,
  llama3: `<|python_tag|>{"name":"save","parameters":${json}}; {"name":"ls","parameters":{}}`,
  granite: `<|tool_call|>[${first}, ${second}]`,
  "tool-call-list": `<tool_calls>[${first}, ${second}]</tool_calls>`,
  nemotron: `<TOOLCALL>[${first}, ${second}]</TOOLCALL>`,
  functools: `functools[${first}, ${second}]`,
  internlm: `<|action_start|><|plugin|>\n{"name":"save","parameters":${json}}<|action_end|>\n<|action_start|><|plugin|>\n{"name":"ls","parameters":{}}<|action_end|>`,
  cohere: `<|START_ACTION|>[\n{"tool_call_id":"0","tool_name":"save","parameters":${json}},\n{"tool_call_id":"1","tool_name":"ls","parameters":{}}\n]<|END_ACTION|>`,
  gigachat: `<|function_call|>${first}\n<|function_call|>${second}`,
  apertus: `<|tools_prefix|>[{"save":${json}}, {"ls":{}}]<|tools_suffix|>`,
  inkling: `<|message_model|>save<|content_invoke_tool_json|>{"name":"save","args":${json}}<|end_message|><|message_model|>ls<|content_invoke_tool_json|>{"name":"ls","args":{}}<|end_message|>`,
  "qwen-coder":
    "<tool_call>\n<function=save>\n<parameter=path>\na.txt\n</parameter>\n<parameter=text>\nb\n\n</parameter>\n<parameter=lines>\n[1,null]\n</parameter>\n<parameter=on>\ntrue\n</parameter>\n</function>\n</tool_call>\n<tool_call>\n<function=ls>\n</function>\n</tool_call>",
  "seed-oss":
    "<seed:tool_call>\n<function=save>\n<parameter=path>a.txt</parameter>\n<parameter=text>\nb\n\n</parameter>\n<parameter=lines>[1,null]</parameter>\n<parameter=on>true</parameter>\n</function>\n</seed:tool_call>\n<seed:tool_call>\n<function=ls>\n</function>\n</seed:tool_call>",
  minimax: `<minimax:tool_call>\n${invokes("")}\n</minimax:tool_call>`,
  "minimax-m3": `${m3}<tool_call>${m3}<invoke name="save">${m3}<path>a.txt${m3}</path>${m3}<text>\nb\n\n${m3}</text>${m3}<lines>[1,null]${m3}</lines>${m3}<on>true${m3}</on>${m3}</invoke>${m3}<invoke name="ls">${m3}</invoke>${m3}</tool_call>`,
  dsml: `<｜DSML｜tool_calls>\n<｜DSML｜invoke name="save">\n<｜DSML｜parameter name="path" string="true">a.txt</｜DSML｜parameter>\n<｜DSML｜parameter name="text" string="true">b\n</｜DSML｜parameter>\n<｜DSML｜parameter name="lines" string="false">[1,null]</｜DSML｜parameter>\n<｜DSML｜parameter name="on" string="false">true</｜DSML｜parameter>\n</｜DSML｜invoke>\n<｜DSML｜invoke name="ls">\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>`,
  step3: `<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜>${invokes("steptml:", "<｜tool_call_end｜><｜tool_call_begin｜>function<｜tool_sep｜>")}<｜tool_call_end｜><｜tool_calls_end｜>`,
  minicpm:
    '<function name="save"><param name="path">a.txt</param><param name="text">\nb\n\n</param><param name="lines">[1,null]</param><param name="on">true</param></function>\n<function name="ls"></function>',
  glimmer: ` to=save<|message|><atem:function_calls>\n${invokes("atem:")}\n</atem:function_calls><|eom|>`,
  "kimi-k3":
    '<|open|>tools<|sep|><|open|>call tool="save" index="1"<|sep|><|open|>argument key="path" type="string"<|sep|>a.txt<|close|>argument<|sep|><|open|>argument key="text" type="string"<|sep|>b\n<|close|>argument<|sep|><|open|>argument key="lines" type="array"<|sep|>[1,null]<|close|>argument<|sep|><|open|>argument key="on" type="boolean"<|sep|>true<|close|>argument<|sep|><|close|>call<|sep|><|open|>call tool="ls" index="2"<|sep|><|close|>call<|sep|><|close|>tools<|sep|>',
  glm: "<tool_call>save\n<arg_key>path</arg_key>\n<arg_value>a.txt</arg_value>\n<arg_key>text</arg_key>\n<arg_value>b\n</arg_value>\n<arg_key>lines</arg_key>\n<arg_value>[1,null]</arg_value>\n<arg_key>on</arg_key>\n<arg_value>true</arg_value>\n</tool_call>\n<tool_call>ls\n</tool_call>",
  "morph-xml":
    "<save>\n<path>a.txt</path>\n<text>b\n</text>\n<lines>[1,null]</lines>\n<on>true</on>\n</save>\n<ls>\n</ls>",
  "yaml-xml": '<save>\npath: a.txt\ntext: "b\\n"\nlines:\n  - 1\n  - null\n"on": true\n</save>\n<ls>\n</ls>',
  deepseek: `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>save<｜tool▁sep｜>${json}<｜tool▁call▁end｜><｜tool▁call▁begin｜>ls<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  "kimi-k2": `<|tool_calls_section_begin|><|tool_call_begin|>functions.save:0<|tool_call_argument_begin|>${json}<|tool_call_end|><|tool_call_begin|>functions.ls:1<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>`,
  mistral: `[TOOL_CALLS]save[ARGS]${json}[TOOL_CALLS]ls[ARGS]{}`,
  functionary: `>>>save\n${json}\n>>>ls\n{}`,
  harmony: `<|start|>assistant<|channel|>commentary to=functions.save <|constrain|>json<|message|>${json}<|call|><|start|>assistant<|channel|>commentary to=functions.ls <|constrain|>json<|message|>{}<|call|>`,
  functiongemma:
    "<start_function_call>call:save{path:<escape>a.txt<escape>,text:<escape>b\n<escape>,lines:[1,null],on:true}<end_function_call><start_function_call>call:ls{}<end_function_call>",
  gemma:
    '<|tool_call>call:save{path:<|"|>a.txt<|"|>,text:<|"|>b\n<|"|>,lines:[1,null],on:true}<tool_call|><|tool_call>call:ls{}<tool_call|>',
  pythonic: '[save(path="a.txt", text="b\\n", lines=[1, None], on=True), ls()]',
  lfm2: '<|tool_call_start|>[save(path="a.txt", text="b\\n", lines=[1, None], on=True), ls()]<|tool_call_end|>',
  olmo3: '<function_calls>save(path="a.txt", text="b\\n", lines=[1, None], on=True)\nls()</function_calls>',
  json: `${first}\n${second}`,
  "json-list": `[${first}, ${second}]`,
  openai: `{"tool_calls":[{"type":"function","function":${first}},{"type":"function","function":${second}}]}`,
  "tool-args": `{"tool":"save","args":${json}}\n{"tool":"ls","args":{}}`,
  "fenced-json": `\`\`\`json\n[${first}, ${second}]\n\`\`\``,
  "ralph-lines": `Tool: save\nArguments: ${json}\n\nTool: ls\nArguments: {}`,
  "name-call": `save(${json})\nls({})`,
};

describe("two calls", () => {
  test.each(table)("in $id", ({ id }) => {
    expect(writeCalls(id, calls)).toBe(written[id]);
    expect(writeCalls(id, [])).toBe("");
  });
});

describe("words and calls", () => {
  const [, ls] = calls;
  const one = ls ? [ls] : [];
  test("stand in lines of their own", () => {
    expect(writeReply("json", "I look.", one)).toBe(`I look.\n${second}`);
  });
  test("are messages of their own where a call is a message to a tool", () => {
    expect(writeReply("glimmer", "I look.", one)).toBe(
      ` to=user<|message|>I look.<|eom|><|start|>assistant${writeCalls("glimmer", one)}`,
    );
  });
  test("are each alone where the other is missing", () => {
    expect([writeReply("glimmer", "I look.", []), writeReply("json", "", one)]).toEqual(["I look.", second]);
  });
});
