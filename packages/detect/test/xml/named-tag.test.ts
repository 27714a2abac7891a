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

const searchTool = {
  name: "search",
  parameters: { type: "object", properties: { search: { type: "string" }, limit: { type: "integer" } } },
};

formatContract("named tags: a file with tags named like its argument", [
  {
    name: "is the whole argument",
    text: "<write_file><path>a</path><content><feed>\n<content>b</content>\n</feed></content></write_file>",
    events: call(0, "morph-xml", "write_file", {
      path: "a",
      content: "<feed>\n<content>b</content>\n</feed>",
    }),
  },
]);

formatContract("named tags: an argument named like the tool", [
  {
    name: "ends in its own tag",
    text: "<search><search>a b</search><limit>5</limit></search> so",
    events: [...call(0, "morph-xml", "search", { search: "a b", limit: 5 }), text(" so")],
    options: { tools: [searchTool] },
  },
]);

textContract("named tags: text", [
  "if a < read_file/> then",
  "<read_file\n<path>a.txt</path> and then nothing",
  "Write `< git_status/>` to look.",
]);
