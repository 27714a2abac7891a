/** Tags named like a tool, with the slips of their own shape; what only resembles them stays text. */
import { call, formatContract, text, textContract } from "../format-contract.ts";

formatContract("named tags: repairs", [
  {
    name: "arguments inside the tag itself",
    text: "Now <read_file\n  <path>a/>b</path>\n/> so",
    events: [
      text("Now "),
      ...call(0, "morph-xml", "read_file", { path: "a/>b" }, { repairs: ["wrong-end-tag"] }),
      text(" so"),
    ],
  },
  {
    name: "a space in an empty tag",
    text: "Now < git_status/> so",
    events: [text("Now "), ...call(0, "morph-xml", "git_status", {}), text(" so")],
  },
]);

textContract("named tags: text", [
  "if a < read_file/> then",
  "<read_file\n<path>a.txt</path> and then nothing",
  "Write `< git_status/>` to look.",
]);
