/** Python calls in frames. */
import { call, formatContract, text, textContract } from "../format-contract.ts";

const body = '[read_file(path="a.txt")]<|tool_call_end|>';
const read = (index: number) => call(index, "lfm2", "read_file", { path: "a.txt" });

formatContract("lfm2", [
  {
    name: "an echo of the call behind its frame",
    text: `<|tool_call_start|>${body}${body} Done`,
    events: [...read(0), text(" Done")],
  },
  {
    name: "a text in three quotes that breaks off behind a backslash",
    text: "<|tool_call_start|>[write_file(path='a', content='''x\\",
    events: [
      { type: "tool-call-start", index: 0, name: "write_file", format: "lfm2" },
      { type: "tool-call-delta", index: 0, argumentsText: '{"path":"a","content":"x' },
      {
        type: "tool-call-error",
        raw: "<|tool_call_start|>[write_file(path='a', content='''x\\",
        reason: "incomplete",
        message: "The text ended inside the call of write_file.",
        format: "lfm2",
        name: "write_file",
      },
    ],
  },
  {
    name: "numbers with more digits than one keeps",
    text: "<|tool_call_start|>[read_file(path=12_345678901234567890, offset=0xfffffffffffffffff)]<|tool_call_end|>",
    events: call(0, "lfm2", "read_file", { path: "12_345678901234567890", offset: "0xfffffffffffffffff" }),
  },
  {
    name: "the same call in two frames is two calls",
    text: `<|tool_call_start|>${body}<|tool_call_start|>${body}`,
    events: [...read(0), ...read(1)],
  },
  {
    name: "a call that cannot be read is an error up to its end mark",
    text: "So <|tool_call_start|>[read_file(path=)read_file(path=,)]<|tool_call_end|> and",
    events: [
      text("So "),
      { type: "tool-call-start", index: 0, name: "read_file", format: "lfm2" },
      {
        type: "tool-call-error",
        raw: "<|tool_call_start|>[read_file(path=)read_file(path=,)]<|tool_call_end|>",
        reason: "unreadable",
        message: "The arguments of read_file cannot be read as an object.",
        format: "lfm2",
        name: "read_file",
      },
      text(" and"),
    ],
  },
  {
    name: "an unknown tool among others is an error of its own text",
    text: '<|tool_call_start|>[fly(), read_file(path="a.txt")]<|tool_call_end|>',
    events: [
      {
        type: "tool-call-error",
        raw: "<|tool_call_start|>[fly(), ",
        reason: "unknown-tool",
        message: 'There is no tool called "fly". The tools on offer: read_file, write_file, git_status.',
        format: "lfm2",
        name: "fly",
      },
      ...read(0),
    ],
  },
  {
    name: "what is no call behind one that has begun makes it an error",
    text: 'So <|tool_call_start|>[read_file(path="a.txt"), ...]<|tool_call_end|> and',
    events: [
      text("So "),
      { type: "tool-call-start", index: 0, name: "read_file", format: "lfm2" },
      { type: "tool-call-delta", index: 0, argumentsText: '{"path":"a.txt"' },
      {
        type: "tool-call-error",
        raw: '<|tool_call_start|>[read_file(path="a.txt"), ...]<|tool_call_end|>',
        reason: "unreadable",
        message: "The arguments of read_file cannot be read as an object.",
        format: "lfm2",
        name: "read_file",
      },
      text(" and"),
    ],
  },
  {
    name: "a call that ends where the next one begins is whole before it",
    text: '<|tool_call_start|>[read_file(path="a.txt"), git_status()]<|tool_call_end|>',
    events: [...read(0), ...call(1, "lfm2", "git_status", {})],
  },
]);

textContract("frames that hold no list of calls", [
  "<function_calls>[fly(), ...]</function_calls>",
  '<|python_tag|>data = read_file(path="a.txt")\nprint(data)',
]);

textContract("indices that look like lists of calls", [
  'x[read_file(path="a.txt")]',
  'rows()[read_file(path="a.txt")] = 1',
]);

formatContract("a frame that calls of other formats share", [
  {
    name: "a word behind a call that was reported is an error of its own",
    text: '<tool_call>read_file(path="a.txt")g',
    events: [
      ...call(0, "pythonic", "read_file", { path: "a.txt" }),
      {
        type: "tool-call-error",
        raw: "g",
        reason: "incomplete",
        message: "The text ended inside the call.",
        format: "pythonic",
      },
    ],
  },
]);
