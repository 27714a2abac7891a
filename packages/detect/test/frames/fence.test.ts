/** Calls in code fences, and code fences that only show them. */
import { call, formatContract, text, textContract } from "../format-contract.ts";

const body = '{"name": "read_file", "arguments": {"path": "a.txt"}}';
const read = (index: number, more: Parameters<typeof call>[4] = {}) =>
  call(index, "fenced-json", "read_file", { path: "a.txt" }, { shown: '{"path": "a.txt"}', ...more });
const fenced = (inside: string, language = "json") => `\`\`\`${language}\n${inside}\n\`\`\``;

formatContract("fenced-json", [
  { name: "alone", text: fenced(body), events: read(0) },
  {
    name: "last in the reply",
    text: `Reading.\n${fenced(body)}\n`,
    events: [text("Reading.\n"), ...read(0)],
  },
  { name: "a list", text: fenced(`[${body}, ${body}]`), events: [...read(0), ...read(1)] },
  { name: "two fences", text: `${fenced(body)}\n${fenced(body)}`, events: [...read(0), ...read(1)] },
  {
    name: "announced, with prose after it",
    text: `Let me read it:\n${fenced(body)}\nThen I go on.`,
    events: [text("Let me read it:\n"), ...read(0), text("\nThen I go on.")],
  },
  {
    name: "a fence named after calls, with prose after it",
    text: `${fenced(body, "tool_call")}\nDone.`,
    events: [...read(0), text("\nDone.")],
  },
  {
    name: "never closed",
    text: `\`\`\`json\n${body}`,
    events: read(0, { repairs: ["missing-end-tag"] }),
  },
]);

textContract("fences that show", [
  `This reads a file:\n${fenced(body)}\nas you can see.`,
  `For example:\n${fenced(body)}`,
  `You can call it like this:\n${fenced(body)}`,
  fenced(`// a comment\n${body}`),
  fenced(`<tool_call>${body}</tool_call>\nmore`, "xml"),
  fenced('{"name": "Ann"}'),
  `Python:\n${fenced('read_file({"path": "a"})\nprint(1)', "python")}`,
]);

const framed = `<tool_call>${body}</tool_call>`;

formatContract("a fence after words on its line", [
  {
    name: "that shows a call, with words after it",
    text: `The file has ${fenced(body)} in it.`,
    events: [text(`The file has ${fenced(body)} in it.`)],
  },
  {
    name: "of data, before a call",
    text: `So ${fenced("{}")}\n${framed}`,
    events: [
      text(`So ${fenced("{}")}\n`),
      ...call(0, "hermes", "read_file", { path: "a.txt" }, { shown: '{"path": "a.txt"}' }),
    ],
  },
  {
    name: "of a program, before a call",
    text: `So ${fenced("x = 1", "python")}\n${framed}`,
    events: [
      text(`So ${fenced("x = 1", "python")}\n`),
      ...call(0, "hermes", "read_file", { path: "a.txt" }, { shown: '{"path": "a.txt"}' }),
    ],
  },
  {
    name: "with a call and nothing after it",
    text: `I read it: ${fenced(body)}`,
    events: [text("I read it: "), ...read(0)],
  },
  {
    name: "without a language",
    text: `The file has ${fenced(body, "")} in it.`,
    events: [text(`The file has ${fenced(body, "")} in it.`)],
  },
  {
    name: "that closes a code span is not a fence",
    text: `Use \`\`\`ls -l\npwd\`\`\`\n${framed}`,
    events: [
      text("Use ```ls -l\npwd```\n"),
      ...call(0, "hermes", "read_file", { path: "a.txt" }, { shown: '{"path": "a.txt"}' }),
    ],
  },
  {
    name: "that is closed in its line is not a fence",
    text: `Use \`\`\`ls\`\`\` here.\n${framed}`,
    events: [
      text("Use ```ls``` here.\n"),
      ...call(0, "hermes", "read_file", { path: "a.txt" }, { shown: '{"path": "a.txt"}' }),
    ],
  },
]);

formatContract("a fence that closes a block before a tag", [
  {
    name: "ends the block, so that the call is read",
    text: `${fenced("ls", "sh")} ${framed}`,
    events: [
      text(`${fenced("ls", "sh")} `),
      ...call(0, "hermes", "read_file", { path: "a.txt" }, { shown: '{"path": "a.txt"}' }),
    ],
  },
]);
