/** Calls written as functions. */
import { call, formatContract, text, textContract } from "../format-contract.ts";

const read = () => call(0, "name-call", "read_file", { path: "a.txt" });

formatContract("name-call", [
  { name: "alone", text: 'read_file({"path": "a.txt"})', events: read() },
  {
    name: "on a line of its own, with an end mark",
    text: 'First:\nread_file({"path": "a.txt"});\nThen more.',
    events: [text("First:\n"), ...read(), text("\nThen more.")],
  },
  {
    name: "announced on the same line",
    text: 'I will read it: read_file({"path": "a.txt"})',
    events: [text("I will read it: "), ...read()],
  },
]);

textContract("functions that are no call", [
  'The function read_file({"path": "a"}) reads a file.',
  'read_file({"path": "a"}) reads a file.',
  'const x = read_file({"path": "a"})',
  'other.read_file({"path": "a"})',
  "read_file()",
  "read_file(path)",
  'already_read_file({"path": "a"})',
]);
