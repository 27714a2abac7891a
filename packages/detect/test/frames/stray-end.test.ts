/** End tags without a beginning: markup in front of a call, text elsewhere. */
import { call, formatContract, text } from "../format-contract.ts";

const bare = "<function=read_file><parameter=path>a.txt</parameter></function>";
const read = () => call(0, "qwen-coder", "read_file", { path: "a.txt" });

formatContract("end tags without a beginning", [
  {
    name: "one in place of the opening tag is gone, with the white space behind it",
    text: `First </tool_call>\n${bare} then`,
    events: [text("First "), ...read(), text(" then")],
  },
  {
    name: "one that nothing follows stays",
    text: "It ends in </tool_call>\nas a rule.",
    events: [text("It ends in </tool_call>\nas a rule.")],
  },
]);
