/** Calls whose line feeds between the tags are written as two characters. */
import { describe, expect, test } from "vitest";
import { detect, summarize } from "../../src/index.ts";
import { call, formatContract, sampleTools, text, textContract } from "../format-contract.ts";

const read = (format: Parameters<typeof call>[1], index = 0, shown?: string) =>
  call(
    index,
    format,
    "read_file",
    { path: "a.txt" },
    {
      repairs: ["invalid-escape"],
      ...(shown === undefined ? {} : { shown }),
    },
  );
const json = String.raw`{\"name\": \"read_file\", \"arguments\": {\"path\": \"a.txt\"}}`;

formatContract("calls of a server that escapes twice", [
  {
    name: "tags in a frame, with words before it",
    text: String.raw`So.\n\n<tool_call>\n<function=read_file>\n<parameter=path>\na.txt\n</parameter>\n</function>\n</tool_call>`,
    events: [text(String.raw`So.\n\n`), ...read("qwen-coder")],
  },
  {
    name: "two calls without a frame",
    text: String.raw`<function=read_file>\n<parameter=path>\na.txt\n</parameter>\n</function>\n<invoke name=\"git_status\">\n</invoke>`,
    events: [
      ...read("qwen-coder"),
      text(String.raw`\n`),
      ...call(1, "minimax", "git_status", {}, { repairs: ["invalid-escape"] }),
    ],
  },
  {
    name: "a name in the frame",
    text: String.raw`<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>a.txt</arg_value>\n</tool_call>`,
    events: read("glm"),
  },
  {
    name: "JSON whose quotes are escaped",
    text: String.raw`<tool_call>\n${json}\n</tool_call>`,
    events: read("hermes", 0, '{"path": "a.txt"}'),
  },
  {
    name: "JSON whose quotes are not escaped",
    text: String.raw`<tool_call>\n{"name": "read_file", "arguments": {"path": "a.txt"}}\n</tool_call>`,
    events: read("hermes", 0, '{"path": "a.txt"}'),
  },
]);

describe("the value", () => {
  test.each([
    [String.raw`say \"a\"\nls`, 'say "a"\nls'],
    [String.raw`say "a\nb"`, String.raw`say "a\nb"`],
  ])("%s", (written, value) => {
    const reply = String.raw`<function=write_file>\n<parameter=path>a</parameter>\n<parameter=content>\n${written}\n</parameter>\n</function>`;
    const { calls } = summarize(detect(reply, { tools: sampleTools }));
    expect(calls.map((made) => made.arguments)).toEqual([{ path: "a", content: value }]);
  });
});

textContract("text with such line feeds", [
  String.raw`The form is <function=git_status>\n</function>, and it takes nothing.`,
  String.raw`<tool_call>\nis a tag`,
  String.raw`<p>\n<b>so</b>\n</p>`,
]);
