/** Calls with a tag per argument whose text ends inside a tag. */
import type { JsonValue } from "../../src/index.ts";
import { type ContractCase, call, formatContract, text } from "../format-contract.ts";

const start = "<function=read_file><parameter=path>a.txt</parameter>";

/** A call that is cut: it has begun, and is an error with all its text. */
function cutCase(name: string, input: string): ContractCase {
  return {
    name,
    text: input,
    events: [
      { type: "tool-call-start", index: 0, name: "read_file", format: "qwen-coder" },
      {
        type: "tool-call-delta",
        index: 0,
        argumentsText: '{"path":"a.txt"',
      },
      {
        type: "tool-call-error",
        raw: input,
        reason: "incomplete",
        message: "The text ended inside the call of read_file.",
        format: "qwen-coder",
        name: "read_file",
      },
    ],
  };
}

formatContract("calls that break off inside a tag", [
  cutCase("half a tag of a further argument", `${start}<parame`),
  cutCase("half a tag of a further argument and half its name", `${start}\n<parameter=lim`),
  {
    name: "half an end tag",
    text: `${start}</func`,
    events: call(0, "qwen-coder", "read_file", { path: "a.txt" }, { repairs: ["missing-end-tag"] }),
  },
  {
    name: "half an end tag, and a line feed",
    text: `${start}\n</func\n`,
    events: call(0, "qwen-coder", "read_file", { path: "a.txt" }, { repairs: ["missing-end-tag"] }),
  },
  {
    name: "half the end tag of the frame, and a line feed",
    text: `<tool_call>\n${start}</function>\n</tool_c\n`,
    events: [
      ...call(0, "qwen-coder", "read_file", { path: "a.txt" }, { repairs: ["missing-end-tag"] }),
      text("\n"),
    ],
  },
  {
    name: "half the tag of a next call is text",
    text: `${start}<tool_ca`,
    events: [
      ...call(0, "qwen-coder", "read_file", { path: "a.txt" }, { repairs: ["missing-end-tag"] }),
      text("<tool_ca"),
    ],
  },
]);

formatContract("CDATA where values are XML text", [
  {
    name: "entities in a section are what is meant",
    text: '<function name="read_file"><param name="path"><![CDATA[<a>&amp;&lt;</a>]]></param></function>',
    events: call(0, "minicpm", "read_file", { path: "<a>&amp;&lt;</a>" }),
  },
  {
    name: "entities outside of one are characters",
    text: '<function name="read_file"><param name="path">&lt;a&gt;</param></function>',
    events: call(0, "minicpm", "read_file", { path: "<a>" }),
  },
]);

const mark = "]<]minimax[>[";
const anyTool = (properties: { readonly [key: string]: JsonValue }) => ({
  options: { tools: [{ name: "join", parameters: { type: "object", properties } }] },
});

formatContract("the text of values", [
  {
    name: "a line feed before the end tag alone belongs to a value of Seed",
    text: "<seed:tool_call>\n<function=read_file>\n<parameter=path>a\n</parameter>\n</function>\n</seed:tool_call>",
    events: call(0, "seed-oss", "read_file", { path: "a\n" }),
  },
  {
    name: "line feeds inside both tags are layout",
    text: "<seed:tool_call>\n<function=read_file>\n<parameter=path>\na\n</parameter>\n</function>\n</seed:tool_call>",
    events: call(0, "seed-oss", "read_file", { path: "a" }),
  },
  {
    name: "references in attributes of Kimi K3",
    text: '<|open|>tools<|sep|><|open|>call tool="join" index="1"<|sep|><|open|>argument key="a&amp;&quot;b" type="string"<|sep|>&amp;<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>',
    events: call(0, "kimi-k3", "join", { 'a&"b': "&amp;" }),
    ...anyTool({ 'a&"b': { type: "string" } }),
  },
  {
    name: "tags without the mark of MiniMax M3 are text",
    text: `${mark}<tool_call>${mark}<invoke name="join">${mark}<a>${mark}<b><i>x</i> &amp; y${mark}</b>${mark}</a>${mark}</invoke>${mark}</tool_call>`,
    events: call(0, "minimax-m3", "join", { a: { b: "<i>x</i> &amp; y" } }),
    ...anyTool({ a: { type: "object" } }),
  },
]);

const written = (content: string, options: { readonly path?: string } = {}) =>
  `<tool_call>\n<function=write_file>\n<parameter=path>${options.path ?? "a"}</parameter>\n<parameter=content>${content}</parameter>\n</function>\n</tool_call>`;
const write = (content: string, more: Parameters<typeof call>[4] = {}) =>
  call(0, "qwen-coder", "write_file", { path: "a", content }, more);

formatContract("values that the model has escaped like XML, although the format does not ask for it", [
  {
    name: "are meant as the signs",
    text: written("\na &lt;b&gt; &amp;&amp; &quot;c&quot;\n"),
    events: write('a <b> && "c"', {
      repairs: ["invalid-escape"],
      shown: '{"path":"a","content":"a &lt;b&gt; &amp;&amp; &quot;c&quot;","content":"a <b> && \\"c\\""}',
    }),
  },
  {
    name: "are decoded once",
    text: written("&amp;lt;Esc&amp;gt;"),
    events: write("&lt;Esc&gt;", {
      repairs: ["invalid-escape"],
      shown: '{"path":"a","content":"&amp;lt;Esc&amp;gt;","content":"&lt;Esc&gt;"}',
    }),
  },
  { name: "beside a tag are text", text: written("<p>a &lt; b</p>"), events: write("<p>a &lt; b</p>") },
  { name: "beside another reference are text", text: written("&nbsp;&lt;"), events: write("&nbsp;&lt;") },
  { name: "with only an ampersand are text", text: written("A &amp; B"), events: write("A &amp; B") },
  { name: "in a section are text", text: written("<![CDATA[a &lt; b]]>"), events: write("a &lt; b") },
  {
    name: "beside an argument with the sign itself are text",
    text: written("A &lt; B", { path: "x&y" }),
    events: call(0, "qwen-coder", "write_file", { path: "x&y", content: "A &lt; B" }),
  },
]);

formatContract("spaces around a value of one line", [
  { name: "on both sides are layout", text: written(" a b "), events: write("a b") },
  { name: "on one side belong to the value", text: written(" a"), events: write(" a") },
  { name: "of more than one belong to the value", text: written("  a "), events: write("  a ") },
  { name: "in several lines belong to the value", text: written(" a\nb "), events: write(" a\nb ") },
]);

const refusing = { options: { model: "deepseek-ai/DeepSeek-V4-Flash" } };
const dsml = (frame: string) =>
  `<｜DSML｜${frame}>\n<｜DSML｜invoke name="read_file">\n<｜DSML｜parameter name="path" string="true">a.txt</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜${frame}>`;
const readDsml = call(0, "dsml", "read_file", { path: "a.txt" });

formatContract("a frame of an earlier version", [
  { name: "is read for an unknown model", text: dsml("function_calls"), events: readDsml },
  {
    name: "is read for its version",
    text: dsml("function_calls"),
    events: readDsml,
    options: { model: "DeepSeek-V3.2" },
  },
  { name: "is not the frame of the later version", text: dsml("tool_calls"), events: readDsml, ...refusing },
  {
    name: "is an error for the later version",
    text: dsml("function_calls"),
    events: [
      {
        type: "tool-call-error",
        raw: dsml("function_calls"),
        reason: "unreadable",
        message:
          "The call cannot be read, and names no tool. The tools on offer: read_file, write_file, git_status.",
        format: "dsml",
      },
    ],
    ...refusing,
  },
]);

formatContract("the name of the tool in the tag of the frame", [
  {
    name: "with JSON",
    text: '<tool_call name="read_file">{"path": "a.txt"}</tool_call> end',
    events: [
      ...call(0, "qwen-coder", "read_file", { path: "a.txt" }, { repairs: ["missing-end-tag"] }),
      text(" end"),
    ],
  },
  {
    name: "with tags",
    text: '<tool_call name="read_file"><parameter=path>a.txt</parameter></tool_call>',
    events: call(0, "qwen-coder", "read_file", { path: "a.txt" }, { repairs: ["missing-end-tag"] }),
  },
  {
    name: "in an empty tag is text",
    text: '<tool_call name="read_file"/>',
    events: [text('<tool_call name="read_file"/>')],
  },
]);
