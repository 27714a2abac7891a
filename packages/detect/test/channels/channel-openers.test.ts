/**
 * Replies that are a series of messages: replies that end in the middle of a mark, and the body of a message to a
 * tool.
 */
import { call, formatContract, reasoning, text } from "../format-contract.ts";

formatContract("messages that break off inside a mark", [
  {
    name: "half a mark behind an answer is dropped",
    text: "<|start|>assistant to=user<|message|>It is done.<|st",
    events: [text("It is done.")],
  },
  {
    name: "half an end mark behind a thought is dropped",
    text: "<|channel|>analysis<|message|>Hm.<|en",
    events: [reasoning("Hm.")],
  },
  {
    name: "what only begins like a mark stays",
    text: "<|channel|>final<|message|>In F# it is <|sum",
    events: [text("In F# it is <|sum")],
  },
  { name: "outside of a message it stays", text: "It is done.<|en", events: [text("It is done.<|en")] },
]);

const to = (name: string, body: string, end = "<|call|>") =>
  `<|channel|>commentary to=functions.${name}<|message|>${body}${end}`;
const error = (name: string, raw: string, reason: "incomplete" | "unreadable" | "invalid-arguments") => {
  const message = {
    incomplete: `The text ended inside the call of ${name}.`,
    unreadable: `The arguments of ${name} cannot be read as an object.`,
    "invalid-arguments": `${name} needs arguments: path.`,
  }[reason];
  return { type: "tool-call-error", raw, reason, message, format: "harmony", name } as const;
};
const read = (more: Parameters<typeof call>[4] = {}) =>
  call(0, "harmony", "read_file", { path: "a.txt" }, { shown: '{"path": "a.txt"}', ...more });

formatContract("messages to a tool on offer", [
  {
    name: "nothing, for a tool that needs nothing",
    text: to("git_status", ""),
    events: call(0, "harmony", "git_status", {}, { repairs: ["missing-arguments"] }),
  },
  {
    name: "nothing, for a tool that needs something",
    text: to("read_file", ""),
    events: [error("read_file", to("read_file", "", ""), "invalid-arguments")],
  },
  {
    name: "nothing yet",
    text: to("read_file", "", ""),
    events: [error("read_file", to("read_file", "", ""), "incomplete")],
  },
  {
    name: "the text of the one argument",
    text: to("read_file", "a.txt"),
    events: read({ shown: '{"path":"a.txt"}' }),
  },
  {
    name: "a text that may go on",
    text: to("read_file", "a.txt", ""),
    events: [error("read_file", to("read_file", "a.txt", ""), "incomplete")],
  },
  {
    name: "a text that is no argument",
    text: to("write_file", "a.txt"),
    events: [error("write_file", to("write_file", "a.txt", ""), "unreadable")],
  },
  {
    name: "a sentence in place of a path",
    text: to("read_file", "I will read the file now."),
    events: [error("read_file", to("read_file", "I will read the file now.", ""), "unreadable")],
  },
  {
    name: "a list of one",
    text: to("read_file", '[{"path": "a.txt"}]'),
    events: read({ shown: '[{"path": "a.txt"}]', repairs: ["extra-closer"] }),
  },
  {
    name: "a fence",
    text: to("read_file", '```json\n{"path": "a.txt"}\n```'),
    events: read({ repairs: ["fence"] }),
  },
  { name: "another tool", text: to("browser", "cats"), events: [text("cats")] },
  {
    name: "the type of the body in front of the channel",
    text: `<|constrain|>json${to("read_file", '{"path": "a.txt"}')}`,
    events: read(),
  },
  {
    name: "a result that is written as well",
    text: "<|start|>functions.read_file to=assistant<|channel|>commentary<|message|>one<|end|>",
    events: [text("one")],
  },
]);

const unmarked = 'commentary to=functions.read_file json{"path": "a.txt"}';
const one = (index: number) =>
  call(index, "harmony", "read_file", { path: "a.txt" }, { shown: '{"path": "a.txt"}' });

formatContract("messages to a tool on offer whose special tokens were left out", [
  { name: "behind a header", text: unmarked, events: one(0) },
  {
    name: "the kind of the body right behind the name, and a further message",
    text: `to=functions.read_filejson {"path": "a.txt"}assistant${unmarked}`,
    events: [...one(0), text("assistantcommentary "), ...one(1)],
  },
  {
    name: "that breaks off",
    text: 'to=functions.read_file json{"path": "a',
    events: [
      { type: "tool-call-start", index: 0, name: "read_file", format: "harmony" },
      { type: "tool-call-delta", index: 0, argumentsText: '{"path": "a' },
      error("read_file", 'to=functions.read_file json{"path": "a', "incomplete"),
    ],
  },
  { name: "in a code span", text: `\`${unmarked}\``, events: [text(`\`${unmarked}\``)] },
  {
    name: "without an object, or of another tool",
    text: "to=functions.read_file takes a path, to=functions.other json{}",
    events: [text("to=functions.read_file takes a path, to=functions.other json{}")],
  },
]);
