/**
 * The end of a value, by the questions of the table in `value-end.ts`: the same mistakes in each way of writing
 * values, however the text is cut.
 */
import { describe, expect, test } from "vitest";
import { detect, type JsonValue, summarize, type ToolSchema } from "../../src/index.ts";
import { readPieces } from "../format-contract.ts";

const string = { type: "string" };
const tools: readonly ToolSchema[] = [
  {
    name: "save",
    parameters: { type: "object", properties: { path: string, text: string, size: { type: "integer" } } },
  },
];

/** How a format writes what a slip is made of. */
interface Tags {
  readonly open: (key: string) => string;
  readonly close: (key: string) => string;
  readonly callEnd: string;
  readonly call: (body: string) => string;
}

const formats = {
  tags: {
    open: (key) => `<parameter=${key}>`,
    close: () => "</parameter>",
    callEnd: "</function>",
    call: (body) => `<tool_call><function=save>${body}</function></tool_call>`,
  },
  pairs: {
    open: (key) => `<arg_key>${key}</arg_key><arg_value>`,
    close: () => "</arg_value>",
    callEnd: "</tool_call>",
    call: (body) => `<tool_call>save${body}</tool_call>`,
  },
  xml: {
    open: (key) => `<${key}>`,
    close: (key) => `</${key}>`,
    callEnd: "</save>",
    call: (body) => `<save>${body}</save>`,
  },
  tokens: {
    open: (key) => `,${key}:<|"|>`,
    close: () => '<|"|>',
    callEnd: "<tool_call|>",
    call: (body) => `<|tool_call>call:save{${body}}<tool_call|>`,
  },
} satisfies { readonly [format: string]: Tags };

type Format = keyof typeof formats;
type Arguments = { readonly [key: string]: JsonValue };

/** The slip as each format writes it, and what it is in each: arguments, or no call at all. */
interface Question {
  readonly name: string;
  readonly body: (tags: Tags) => string;
  readonly expected: { readonly [format in Format]: Arguments | "incomplete" | "unreadable" };
}

function same(args: Arguments, tokens: Arguments | "unreadable" = args): Question["expected"] {
  return { tags: args, pairs: args, xml: args, tokens };
}

const path = ({ open, close }: Tags, value = "a") => `${open("path")}${value}${close("path")}`;
const text = ({ open, close }: Tags, value: string) => `${open("text")}${value}${close("text")}`;

const questions: readonly Question[] = [
  {
    name: "an end tag in front of a further argument",
    body: (tags) => path(tags) + text(tags, "b"),
    expected: same({ path: "a", text: "b" }),
  },
  {
    name: "its own end tag with words after it, and a certain one later",
    body: (tags) => path(tags) + text(tags, `b${tags.close("text")} c`),
    expected: {
      tags: { path: "a", text: "b</parameter> c" },
      pairs: { path: "a", text: "b</arg_value> c" },
      xml: { path: "a", text: "b</text> c" },
      tokens: "unreadable",
    },
  },
  {
    name: "its own end tag with words after it, and no certain one",
    body: (tags) => `${path(tags)}${text(tags, "b")} c`,
    expected: {
      tags: { path: "a", text: "b</parameter> c" },
      pairs: { path: "a", text: "b</arg_value> c" },
      xml: "unreadable",
      tokens: "unreadable",
    },
  },
  {
    name: "the end tag of its call, and its own one later",
    body: (tags) => path(tags) + text(tags, `b ${tags.callEnd} c`),
    expected: {
      tags: { path: "a", text: "b </function> c" },
      pairs: { path: "a", text: "b </tool_call> c" },
      xml: { path: "a", text: "b </save> c" },
      tokens: { path: "a", text: "b <tool_call|> c" },
    },
  },
  {
    name: "no end tag, and a further argument",
    body: (tags) => `${tags.open("path")}a${text(tags, "b")}`,
    expected: same({ path: "a", text: "b" }, "unreadable"),
  },
  {
    name: "no end tag, and the end of the call",
    body: (tags) => `${path(tags)}${tags.open("text")}b`,
    expected: same({ path: "a", text: "b" }),
  },
  {
    name: "no end tag, but another tag in the text",
    body: (tags) => `${path(tags)}${tags.open("text")}b <i>c`,
    expected: {
      tags: { path: "a", text: "b <i>c" },
      pairs: { path: "a", text: "b <i>c" },
      xml: { path: "a", text: "b", i: "c" },
      tokens: { path: "a", text: "b <i>c" },
    },
  },
  {
    name: "a CDATA section",
    body: (tags) => path(tags) + text(tags, "<![CDATA[b]]>"),
    expected: {
      tags: { path: "a", text: "b" },
      pairs: { path: "a", text: "<![CDATA[b]]>" },
      xml: { path: "a", text: "b" },
      tokens: { path: "a", text: "<![CDATA[b]]>" },
    },
  },
  {
    name: "a whole call in the text",
    body: (tags) => path(tags) + text(tags, tags.call(path(tags, "b"))),
    expected: {
      tags: { path: "a", text: formats.tags.call(path(formats.tags, "b")) },
      pairs: { path: "a", text: formats.pairs.call(path(formats.pairs, "b")) },
      xml: { path: "a", text: formats.xml.call(path(formats.xml, "b")) },
      tokens: "unreadable",
    },
  },
  {
    name: "a number",
    body: (tags) => `${path(tags)}${tags.open("size")}3${tags.close("size")}`,
    expected: same({ path: "a", size: 3 }),
  },
];

function answer(reply: string): Arguments | string | undefined {
  const { calls, errors } = summarize(detect(reply, { tools }));
  return calls.length > 1 ? `${calls.length} calls` : (calls[0]?.arguments ?? errors[0]?.reason);
}

function expectSameInPieces(reply: string): void {
  const whole = detect(reply, { tools });
  expect(readPieces(reply.split(""), { tools })).toEqual(whole);
  for (let index = 1; index < reply.length; index += 1)
    expect(readPieces([reply.slice(0, index), reply.slice(index)], { tools })).toEqual(whole);
}

describe.each(Object.keys(formats) as Format[])("%s", (format) => {
  const tags = formats[format];

  test.each(questions)("$name", ({ body, expected }) => {
    const reply = tags.call(body(tags));
    expect(answer(reply)).toEqual(expected[format]);
    expectSameInPieces(reply);
  });

  test("a text that breaks off is incomplete, wherever it does", () => {
    const reply = tags.call(path(tags) + text(tags, "one </i> two"));
    const from = reply.indexOf("one");
    for (let end = from; end < reply.indexOf("two") + 3; end += 1)
      expect(answer(reply.slice(0, end)), reply.slice(0, end)).toBe("incomplete");
  });

  test("half the end tag of the call, and a line feed, end it", () => {
    const whole = tags.call(path(tags));
    const reply = `${whole.slice(0, whole.lastIndexOf(tags.callEnd) + 5)}\n`;
    expect(answer(reply)).toEqual({ path: "a" });
    expectSameInPieces(reply);
  });
});
