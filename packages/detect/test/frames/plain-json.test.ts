/** JSON without markup. */
import { call, formatContract, text, textContract } from "../format-contract.ts";

const read = (index: number, format: Parameters<typeof call>[1], more: Parameters<typeof call>[4] = {}) =>
  call(index, format, "read_file", { path: "a.txt" }, { shown: '{"path": "a.txt"}', ...more });

formatContract("json", [
  {
    name: "an object after prose",
    text: 'Let me read the file:\n{"name": "read_file", "arguments": {"path": "a.txt"}}',
    events: [text("Let me read the file:\n"), ...read(0, "json")],
  },
  {
    name: "objects joined by semicolons, prose around them",
    text: 'Now {"name": "read_file", "parameters": {"path": "a.txt"}}; {"name": "git_status", "parameters": {}} ok?',
    events: [text("Now "), ...read(0, "json"), ...call(1, "json", "git_status", {}), text(" ok?")],
  },
  {
    name: "tool and args",
    text: '{"tool": "read_file", "args": {"path": "a.txt"}}',
    events: read(0, "tool-args", { repairs: ["argument-key"] }),
  },
  {
    name: "the OpenAI object, with its id and stringified arguments",
    text: String.raw`{"id": "call_1", "type": "function", "function": {"name": "read_file", "arguments": "{\"path\": \"a.txt\"}"}}`,
    events: call(
      0,
      "openai",
      "read_file",
      { path: "a.txt" },
      { id: "call_1", repairs: ["stringified-arguments"] },
    ),
  },
  {
    name: "the OpenAI list",
    text: '{"tool_calls": [{"function": {"name": "read_file", "arguments": {"path": "a.txt"}}}, {"name": "git_status", "arguments": {}}]}',
    events: [...read(0, "openai"), ...call(1, "openai", "git_status", {})],
  },
  {
    name: "a bare list",
    text: '[{"name": "read_file", "arguments": {"path": "a.txt"}}]',
    events: read(0, "json-list"),
  },
  {
    name: "the text ends inside the arguments",
    text: '{"name": "read_file", "arguments": {"path": "a',
    events: [
      { type: "tool-call-start", index: 0, name: "read_file", format: "json" },
      { type: "tool-call-delta", index: 0, argumentsText: '{"path": "a' },
      {
        type: "tool-call-error",
        raw: '{"name": "read_file", "arguments": {"path": "a',
        reason: "incomplete",
        message: "The text ended inside the call of read_file.",
        format: "json",
        name: "read_file",
      },
    ],
  },
]);

textContract("JSON that is no call", [
  '{"name": "Ann", "arguments": {"age": 3}}',
  '{"name": "read_file"}',
  '{"name": "read_file", "version": "1.0.0", "arguments": {}}',
  '{"name": "read_file", "description": "Reads.", "parameters": {"type": "object", "properties": {}}}',
  '{"name": "read_file", "parameters": {"type": "object", "properties": {"path": {"type": "string"}}}}',
  '{"log": {"name": "read_file", "arguments": {"path": "a.txt"}}}',
  'const call = {"name": "read_file", "arguments": {"path": "a.txt"}};',
  '[{"name": "read_file", "arguments": {"path": "a"}}, {"city": "Oslo"}]',
  'Such a call looks like this: {"name": "read_file", "arguments": {"path": "a"}}',
  'Use `{"name": "read_file", "arguments": {"path": "a"}}` for it.',
  `const cases = [\n  'Let me read:\\n{"name": "read_file", "arguments": {"path": "a"}}',\n];`,
  'expect(render(x)).toBe(`Asked for:\nTool: read_file\nArguments: {"path": "a"}`);',
  "A set is written {1, 2} and a list [1, 2].",
  '{"name": "read_file", "arguments": ["a.txt"]}',
]);
