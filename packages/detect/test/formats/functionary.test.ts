/** Messages of Functionary 2, and messages of both versions for the person. */
import { call, formatContract, text, textContract } from "../format-contract.ts";

const content = '{"path": "a.txt"}';
const read = (index = 0) => call(index, "functionary", "read_file", { path: "a.txt" }, { shown: content });
const from = "<|from|>assistant\n<|recipient|>";

formatContract("Functionary 2", [
  { name: "a call", text: `${from}read_file\n<|content|>${content}`, events: read() },
  {
    name: "a message to the person, two calls, and the end",
    text: `${from}all\n<|content|>So.\n${from}read_file\n<|content|>${content}\n${from}git_status\n<|content|>{}<|stop|>`,
    events: [text("So.\n"), ...read(), ...call(1, "functionary", "git_status", {})],
  },
  {
    name: "spaces after the marks",
    text: `<|from|> assistant\n<|recipient|> read_file\n<|content|> ${content}`,
    events: read(),
  },
  {
    name: "a header that the prompt began",
    text: `read_file\n<|content|>${content}<|stop|>`,
    events: read(),
  },
  { name: "the same for the person", text: "all\n<|content|>So.", events: [text("So.")] },
]);

formatContract("Functionary 3", [
  {
    name: "a message to the person and a call",
    text: `>>>all\nSo.\n>>>read_file\n${content}`,
    events: [text("So.\n"), ...read()],
  },
]);

textContract("text about the marks", [
  "The mark <|recipient|> has a name after it.",
  "In Python, >>>all\nis one.",
]);
