/** Tags with the name of a tool, and the mistakes that models make in them; tags that are only similar stay text. */
import { call, formatContract, text, textContract } from "../format-contract.ts";

const searchTool = {
  name: "search",
  parameters: { type: "object", properties: { search: { type: "string" }, limit: { type: "integer" } } },
};

formatContract("named tags: repairs", [
  {
    name: "words in an end tag",
    text: '<search><limit>3</limit\n"\nx></search>',
    events: call(0, "morph-xml", "search", { limit: 3 }, { repairs: ["wrong-end-tag"] }),
    options: { tools: [searchTool] },
  },
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

formatContract("named tags: nothing in them", [
  {
    name: "but words in half an end tag, which no argument can hold",
    text: "<git_status></git_status so</g",
    events: [
      {
        type: "tool-call-error",
        raw: "<git_status></git_status so</g",
        reason: "unreadable",
        message: "The arguments of git_status cannot be read as an object.",
        format: "morph-xml",
        name: "git_status",
      },
    ],
  },
]);

const inner = "<write_file><path>b</path><content>c</content></write_file>";

formatContract("named tags: a file with calls of its tool", [
  {
    name: "an end tag of the call",
    text: "<write_file><path>a</path><content>see </write_file> here</content></write_file> done",
    events: [
      ...call(0, "morph-xml", "write_file", { path: "a", content: "see </write_file> here" }),
      text(" done"),
    ],
  },
  {
    name: "end tags on lines of their own, and a further argument behind",
    text: "<write_file><content>\n</write_file>\n</write_file>\nx\n</content>\n<path>a</path></write_file>",
    events: call(0, "morph-xml", "write_file", { content: "\n</write_file>\n</write_file>\nx\n", path: "a" }),
  },
  {
    name: "an end tag of the call behind a text that holds elements of its own name",
    text: "<write_file><content><a>\n<content>b</content>\n</a></content><path>a </write_file> b</path></write_file>",
    events: call(0, "morph-xml", "write_file", {
      content: "<a>\n<content>b</content>\n</a>",
      path: "a </write_file> b",
    }),
  },
  {
    name: "a whole call",
    text: `<write_file><path>a</path><content>so: ${inner} end</content></write_file>`,
    events: call(0, "morph-xml", "write_file", { path: "a", content: `so: ${inner} end` }),
  },
  {
    name: "a whole call, behind which the text ends",
    text: `<write_file><path>a</path><content>so: ${inner}`,
    events: [
      { type: "tool-call-start", index: 0, name: "write_file", format: "morph-xml" },
      {
        type: "tool-call-delta",
        index: 0,
        argumentsText: '{"path":"a","content":"so:',
      },
      {
        type: "tool-call-error",
        raw: `<write_file><path>a</path><content>so: ${inner}`,
        reason: "incomplete",
        message: "The text ended inside the call of write_file.",
        format: "morph-xml",
        name: "write_file",
      },
    ],
  },
  {
    name: "the end tag of the file is missing, and another call follows",
    text: `<write_file><path>a</path><content>x</write_file>${inner}`,
    events: [
      ...call(0, "morph-xml", "write_file", { path: "a", content: "x" }, { repairs: ["missing-end-tag"] }),
      ...call(1, "morph-xml", "write_file", { path: "b", content: "c" }),
    ],
  },
]);

formatContract("named tags: a text without an end tag ends at the first tag, not at a sign", [
  {
    name: "before another argument",
    text: "<write_file><path>a < b\n<content>x</content></write_file>",
    events: call(
      0,
      "morph-xml",
      "write_file",
      { path: "a < b", content: "x" },
      { repairs: ["missing-end-tag"] },
    ),
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

const anchor = { name: "a", parameters: { type: "object", properties: { x: { type: "string" } } } };

formatContract("named tags: a name of one or two letters, as documents have them", [
  {
    name: "with its end tag",
    text: "<a><x>1</x></a>",
    events: call(0, "morph-xml", "a", { x: "1" }),
    options: { tools: [anchor] },
  },
  {
    name: "without its end tag",
    text: "<a><x>1</x>",
    events: [text("<a><x>1</x>")],
    options: { tools: [anchor] },
  },
  {
    name: "without its end tag before words",
    text: "<a><x>1</x> and so on",
    events: [text("<a><x>1</x> and so on")],
    options: { tools: [anchor] },
  },
]);
