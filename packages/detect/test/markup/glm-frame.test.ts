/** GLM's frames without their ends, and LongCat's frames, which have the same form. */
import { call, formatContract, reasoning, text, textContract } from "../format-contract.ts";

const body = '<tool_call>read_file\n{"path": "a.txt"}';
const read = (index: number) => call(index, "glm", "read_file", { path: "a.txt" });
// A JSON object in GLM's frame is shown as it is written.
const readJson = (index: number) =>
  call(index, "glm", "read_file", { path: "a.txt" }, { shown: '{"path": "a.txt"}' });

formatContract("glm", [
  { name: "a call begun twice is one", text: `${body}\n${body}\n</tool_call>`, events: readJson(0) },
  {
    name: "the same call ended twice is two",
    text: `${body}</tool_call>\n${body}</tool_call>`,
    events: [...readJson(0), text("\n"), ...readJson(1)],
  },
  {
    name: "a call in a user tag",
    text: "<user>read_file\n<arg_key>path</arg_key>\n<arg_value>a.txt</arg_value>\n</user> Done",
    events: [...read(0), text(" Done")],
  },
]);

formatContract("glm: keys and values", [
  {
    name: "references in a key",
    text: "<tool_call>join\n<arg_key>a&amp;b</arg_key>\n<arg_value>x</arg_value>\n</tool_call>",
    events: call(0, "glm", "join", { "a&b": "x" }),
    options: {
      tools: [{ name: "join", parameters: { type: "object", properties: { "a&b": { type: "string" } } } }],
    },
  },
  {
    name: "a value without the tag that opens it",
    text: "<tool_call>read_file\n<arg_key>path</arg_key>\na.txt</arg_value>\n</tool_call>",
    events: call(0, "glm", "read_file", { path: "a.txt" }, { repairs: ["missing-open-tag"] }),
  },
]);

formatContract("glm: several calls in one frame", [
  {
    name: "what follows the last call and is none is text",
    text: "<tool_calls><tool_call>git_status</tool_call><tool_call>l<arg_key>x",
    events: [...call(0, "glm", "git_status", {}), text("<tool_call>l<arg_key>x")],
  },
]);

formatContract("longcat", [
  {
    name: "the name and pairs of tags",
    text: "<longcat_tool_call>read_file\n<longcat_arg_key>path</longcat_arg_key>\n<longcat_arg_value>a.txt</longcat_arg_value>\n</longcat_tool_call>",
    events: call(0, "longcat", "read_file", { path: "a.txt" }),
  },
  {
    name: "two calls, the last without its end tags",
    text: "<longcat_tool_call>git_status\n</longcat_tool_call>\n<longcat_tool_call>read_file<longcat_arg_key>path</longcat_arg_key><longcat_arg_value>a.txt",
    events: [
      ...call(0, "longcat", "git_status", {}),
      text("\n"),
      { type: "tool-call-start", index: 1, name: "read_file", format: "longcat" },
      { type: "tool-call-delta", index: 1, argumentsText: '{"path":"a.txt' },
      {
        type: "tool-call-error",
        raw: "<longcat_tool_call>read_file<longcat_arg_key>path</longcat_arg_key><longcat_arg_value>a.txt",
        reason: "incomplete",
        message: "The text ended inside the call of read_file.",
        format: "longcat",
        name: "read_file",
      },
    ],
  },
  {
    name: "a call in a thought that an answer follows",
    text: "<longcat_think>\n<longcat_tool_call>git_status\n</longcat_tool_call>?\n</longcat_think>\nNo.",
    events: [reasoning("\n<longcat_tool_call>git_status\n</longcat_tool_call>?\n"), text("\nNo.")],
  },
]);

textContract("glm: user tags that are text", [
  "<user>read_file\nplease</user>",
  "<user>\n<arg_key>path</arg_key>\n<arg_value>a.txt</arg_value>\n</user>",
  "<users>\n<user>other_tool\n<arg_key>path</arg_key></user>\n</users>",
]);

formatContract("glm: values that the model has escaped like XML", [
  {
    name: "are meant as the signs",
    text: "<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>a&lt;b</arg_value>\n</tool_call>",
    events: call(
      0,
      "glm",
      "read_file",
      { path: "a<b" },
      { repairs: ["invalid-escape"], shown: '{"path":"a&lt;b","path":"a<b"}' },
    ),
  },
  {
    name: "are text beside a sign of markup",
    text: "<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value><i>&lt;</arg_value>\n</tool_call>",
    events: call(0, "glm", "read_file", { path: "<i>&lt;" }),
  },
]);

const suffixed = (body: string, end = "</tool_call:variant>") =>
  `<tool_call:variant>read_file<tool_sep:variant>${body}${end}`;
const pairs =
  "<arg_key:variant>path</arg_key:variant>\n<arg_value:variant>a.txt</arg_value:variant>\n" +
  "<arg_key:variant>limit</arg_key:variant>\n<arg_value:variant>3</arg_value:variant>\n";
const found = (index = 0) => call(index, "glm", "read_file", { path: "a.txt", limit: 3 });

formatContract("tags with a suffix", [
  {
    name: "pairs in a section",
    text: `<tool_calls:variant>\n${suffixed(`\n${pairs}`)}\n${suffixed(pairs)}\n</tool_calls:variant>`,
    events: [...found(), ...found(1)],
  },
  {
    name: "JSON, and another end",
    text: suffixed('{"path": "a.txt"}', "<end_of_tool_call:variant>"),
    events: call(0, "glm", "read_file", { path: "a.txt" }, { shown: '{"path": "a.txt"}' }),
  },
  {
    name: "without arguments, and a second call",
    text: `<tool_call:variant>git_status<end_of_tool_call:variant>${suffixed(pairs)}`,
    events: [...call(0, "glm", "git_status", {}), ...found(1)],
  },
  {
    name: "a separator and an end without the suffix",
    text: `<tool_call:variant>read_file<tool_sep>${pairs}</tool_call>`,
    events: found(),
  },
  {
    name: "JSON with the name",
    text: '<tool_call:variant>{"name":"git_status","arguments":{}}</tool_call:variant>',
    events: call(0, "hermes", "git_status", {}),
  },
  {
    name: "no call",
    text: "The tag <tool_call:variant> begins a call, <tool_call: x> does not.",
    events: [text("The tag <tool_call:variant> begins a call, <tool_call: x> does not.")],
  },
]);

formatContract("pairs of LongCat whose frame was left out", [
  {
    name: "a call",
    text: "read_file\n<longcat_arg_key>path</longcat_arg_key>\n<longcat_arg_value>a.txt</longcat_arg_value>\n",
    events: call(0, "longcat", "read_file", { path: "a.txt" }),
  },
]);
