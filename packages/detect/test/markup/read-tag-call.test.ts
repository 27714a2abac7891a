/** Calls with a tag per argument that break off inside a tag. */
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
