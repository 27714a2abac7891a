/** GLM's frames without their ends. */
import { call, formatContract, text, textContract } from "../format-contract.ts";

const body = '<tool_call>read_file\n{"path": "a.txt"}';
const read = (index: number) => call(index, "glm", "read_file", { path: "a.txt" });
// A JSON object in GLM's frame is shown as it is written.
const readJson = (index: number) =>
  call(index, "glm", "read_file", { path: "a.txt" }, { shown: '{"path": "a.txt"}' });

formatContract("glm", [
  { name: "a call begun twice is one", text: `${body}\n${body}\n</tool_call>`, events: readJson(0) },
  {
    name: "the same call ended twice is two",
    text: `${body}</tool_call>\n${body}</tool_call>`,
    events: [...readJson(0), text("\n"), ...readJson(1)],
  },
  {
    name: "a call in a user tag",
    text: "<user>read_file\n<arg_key>path</arg_key>\n<arg_value>a.txt</arg_value>\n</user> Done",
    events: [...read(0), text(" Done")],
  },
]);

textContract("glm: user tags that are text", [
  "<user>read_file\nplease</user>",
  "<user>\n<arg_key>path</arg_key>\n<arg_value>a.txt</arg_value>\n</user>",
  "<users>\n<user>other_tool\n<arg_key>path</arg_key></user>\n</users>",
]);
