/** Calls in two lines with labels, `Tool:` and `Arguments:`. */
import { call, formatContract, text, textContract } from "../format-contract.ts";

const read = (shown = '{"path": "a.txt"}') =>
  call(0, "ralph-lines", "read_file", { path: "a.txt" }, { shown });

formatContract("ralph-lines", [
  { name: "two lines", text: 'Tool: read_file\nArguments: {"path": "a.txt"}', events: read() },
  {
    name: "after prose, with prose after it",
    text: 'I look.\n\nTool: read_file\nArguments: {"path": "a.txt"}\n\nWaiting.',
    events: [text("I look.\n\n"), ...read(), text("\n\nWaiting.")],
  },
  {
    name: "as action and action input",
    text: 'Action: read_file\nAction Input: {"path": "a.txt"}',
    events: read(),
  },
  {
    name: "in bold, the arguments in a fence",
    text: '**Tool:** `read_file`\n**Arguments:**\n```json\n{"path": "a.txt"}\n```',
    events: [text("**"), ...read()],
  },
]);

textContract("lines that are no call", [
  "Tool: read_file\nIt reads a file.",
  "Tool: hammer\nArguments: {}",
  "The line `Tool: read_file` names it.",
  'For example:\nTool: read_file\nArguments: {"path": "a"}',
  "Action: read_file and then stop",
]);
