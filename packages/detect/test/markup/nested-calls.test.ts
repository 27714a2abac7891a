/**
 * Values that contain calls as text: the argument is complete and nothing in it becomes a call, also if the text ends
 * inside it.
 */
import { describe, expect, test } from "vitest";
import { detect, summarize } from "../../src/index.ts";
import { sampleTools } from "../format-contract.ts";

const qwen =
  "<tool_call>\n<function=read_file>\n<parameter=path>\nb\n</parameter>\n</function>\n</tool_call>";
const glm = "<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>b</arg_value>\n</tool_call>";
const hermes = '<tool_call>{"name": "read_file", "arguments": {"path": "b"}}</tool_call>';
const minimax =
  '<minimax:tool_call>\n<invoke name="read_file">\n<parameter name="path">b</parameter>\n</invoke>\n</minimax:tool_call>';
const bare = "<function=read_file><parameter=path>b</parameter></function>";
const contents = [
  ...[qwen, glm, hermes, minimax, bare, `${qwen}\n${hermes}`],
  ...[
    "</function>",
    "</invoke>",
    "</tool_call>",
    "a\n</tool_call>\nb",
    "<function=x>",
    "if <function=x> then",
  ],
  ...["const tag = /<parameter=([^>]+)>/;\nconst end = 1;", 'f"<parameter={key}>"\nx', "<parameter=...>"],
  ...["see <arg_key> and </tool_call>", "<arg_key>k</arg_key>", "<content>v</content>", "</content>"],
];

const formats: { readonly [format: string]: (content: string) => string } = {
  "qwen-coder": (content) =>
    `<tool_call>\n<function=write_file>\n<parameter=path>\na\n</parameter>\n<parameter=content>\n${content}\n</parameter>\n</function>\n</tool_call>`,
  glm: (content) =>
    `<tool_call>write_file\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n<arg_key>content</arg_key>\n<arg_value>${content}</arg_value>\n</tool_call>`,
  minimax: (content) =>
    `<minimax:tool_call>\n<invoke name="write_file">\n<parameter name="path">a</parameter>\n<parameter name="content">${content}</parameter>\n</invoke>\n</minimax:tool_call>`,
};

const read = (text: string) => summarize(detect(text, { tools: sampleTools }));

describe.each(Object.entries(formats))("%s", (_format, write) => {
  test.each(contents)("%j is the value", (content) => {
    const { calls, errors, text } = read(write(content));
    expect(calls.map((one) => [one.name, one.arguments])).toEqual([["write_file", { path: "a", content }]]);
    expect([errors, text]).toEqual([[], ""]);
  });

  test.each([qwen, glm, hermes, minimax, bare])(
    "%j and a text that breaks off: nothing is called",
    (inner) => {
      const content = `one\n${inner}\ntwo`;
      const whole = write(content);
      for (let end = whole.indexOf("one"); end < whole.length; end += 1) {
        for (const call of read(whole.slice(0, end)).calls) {
          expect(call, whole.slice(0, end)).toMatchObject({ name: "write_file", arguments: { content } });
        }
      }
    },
  );
});

test.each(['tag = "<parameter=limit>"\ny', '<p>\n  tag = "<parameter=limit>"'])(
  "%j on lines of its own is the value, as the tool has no such argument",
  (content) => {
    const { calls } = read(formats["qwen-coder"]?.(content) ?? "");
    expect(calls.map((one) => [one.arguments, one.repairs])).toEqual([[{ path: "a", content }, []]]);
  },
);

test("without an end of its own a value ends where an argument begins that the tool does not declare", () => {
  const { calls } = read(
    "<tool_call>\n<function=write_file>\n<parameter=path>a<parameter=why>b</parameter>\n<parameter=content>\nc\n<parameter=note>\nd\n</parameter>\n</function>\n</tool_call>",
  );
  expect(calls.map((one) => one.arguments)).toEqual([{ path: "a", why: "b", content: "c", note: "d" }]);
});

test("without an end of its own a value ends where the next argument begins", () => {
  const { calls } = read(
    "<tool_call>\n<function=write_file>\n<parameter=path>\na\n<parameter=content>\nb\n</parameter>\n</function>\n</tool_call>",
  );
  expect(calls.map((one) => one.arguments)).toEqual([{ path: "a", content: "b" }]);
});
