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
