/** Tags with the name of a tool that contain only text. */
import { parametersSchema } from "@localharness/schema";
import { expect, test } from "vitest";
import { growth } from "../../../../test/measures.ts";
import { type DetectEvent, detect, type ToolSchema } from "../../src/index.ts";
import { textArguments } from "../../src/xml/bare-text.ts";
import { type ContractCase, call, formatContract, readPieces, text } from "../format-contract.ts";

const string = { type: "string" };

function tool(name: string, required: readonly string[], more: readonly string[] = []): ToolSchema {
  const properties = Object.fromEntries([...required, ...more].map((key) => [key, string]));
  return { name, parameters: { type: "object", properties, required } };
}

const tools = [
  tool("send_mail", ["to", "message"]),
  tool("runCommand", ["command"]),
  tool("say_it", [], ["message", "tone"]),
  tool("bash", ["command"]),
  tool("summary", ["text"]),
];
const options = { tools };

function unreadable(name: string, raw: string): DetectEvent {
  const message = `The arguments of ${name} cannot be read as an object.`;
  return { type: "tool-call-error", raw, reason: "unreadable", message, format: "morph-xml", name };
}

function textCase(name: string, input: string): ContractCase {
  return { name, text: input, events: [text(input)], options };
}

formatContract("a tag with nothing but text: calls", [
  {
    name: "the one argument that is required",
    text: "<bash>ls -la</bash>",
    events: call(0, "morph-xml", "bash", { command: "ls -la" }),
    options,
  },
  {
    name: "the message of a tool that requires nothing",
    text: "<say_it>I am here. All is well.</say_it>",
    events: call(0, "morph-xml", "say_it", { message: "I am here. All is well." }),
    options,
  },
]);

formatContract("a tag with nothing but text: calls that cannot be read", [
  {
    name: "a tool that needs two arguments",
    text: "Now:\n<send_mail>Come at five.</send_mail>\nDone.",
    events: [
      text("Now:\n"),
      unreadable("send_mail", "<send_mail>Come at five.</send_mail>"),
      text("\nDone."),
    ],
    options,
  },
  {
    name: "a sentence where a command is wanted",
    text: "<runCommand>I will look at the files.</runCommand>",
    events: [unreadable("runCommand", "<runCommand>I will look at the files.</runCommand>")],
    options,
  },
  {
    name: "tags without text",
    text: "<say_it>\n<pause/>\n</say_it>",
    events: [unreadable("say_it", "<say_it>\n<pause/>\n</say_it>")],
    options,
  },
]);

formatContract("a tag with nothing but text: text", [
  textCase("in the middle of a line", "Put <send_mail>the text</send_mail> there."),
  textCase("in the middle of a line, where it could be read", "Put <bash>ls</bash> there."),
  textCase("inside other tags", "<mails>\n<send_mail>the text</send_mail>\n</mails>"),
  textCase("shown as an example", "It looks like this:\n<send_mail>the text</send_mail>"),
  textCase("not closed", "<send_mail>Come at five."),
  textCase("named like a tag of HTML", "<details>\n<summary>More of it</summary>\n\nText.\n</details>"),
  textCase("a sentence in a tag that other documents may have", "<bash>I will look at it.</bash>"),
]);

test.each<[string, string, object | undefined]>([
  ["a sentence", "I will look at it.", undefined],
  ["a sentence on two lines", "I will\nlook at it!", undefined],
  ["two words", "Makefile here.", { command: "Makefile here." }],
  ["three words without an end", "Get it now", { command: "Get it now" }],
  ["a small letter", "git add -A .", { command: "git add -A ." }],
  ["several lines", "Run a\nb\nc\nd.", { command: "Run a\nb\nc\nd." }],
  ["a list item", "- look at it", undefined],
  ["a remark", "ls <!-- all of it --><? x ?>-l", { command: "ls -l" }],
  ["half a remark", "ls <!-- all of it", { command: "ls <!-- all of it" }],
  ["a section", "ls <![CDATA[<b> &amp;]]> &amp; <b>", { command: "ls <b> &amp; &" }],
  ["half a section", "ls <![CDATA[a&amp;b", { command: "ls <![CDATA[a&b" }],
])("%s as a command", (_title, text, expected) => {
  expect(textArguments(text, parametersSchema(tools[3]?.parameters))).toEqual(expected);
});

test.each<[string, (size: number) => string]>([
  ["words", (n) => `The ${"word ".repeat(n / 5)}`],
  ["words on lines", (n) => `The\n${"word\n".repeat(n / 5)}`],
  ["beginnings of remarks", (n) => "<!--".repeat(n / 4)],
  ["beginnings of instructions", (n) => "<?".repeat(n / 2)],
  ["beginnings of sections", (n) => "<![CDATA[".repeat(n / 9)],
  ["beginnings of tags", (n) => `${"<a ".repeat(n / 6)}<${"a".repeat(n / 2)}`],
])("reads %s in linear time", async (_title, make) => {
  const read = (text: string) => () => textArguments(text, parametersSchema(tools[3]?.parameters));
  expect(await growth(read(make(5_000)), read(make(40_000)), 24)).toBeLessThan(24);
});

test("a text above the limit is no argument, however it is cut", () => {
  const input = `<run_command>${"x ".repeat(2_100)}</run_command>`;
  const tool = { type: "object", properties: { command: { type: "string" } }, required: ["command"] };
  const options = { tools: [{ name: "run_command", parameters: tool }] };
  const whole = detect(input, options);
  expect(whole.map(({ type }) => type)).not.toContain("tool-call-end");
  for (const size of [1, 64, 1_000]) {
    const pieces = input.match(new RegExp(`.{1,${size}}`, "gs")) ?? [];
    expect(readPieces(pieces, options)).toEqual(whole);
  }
});
