/** The summary of a reply: each word of the reply is in exactly one place of it. */
import { expect, test } from "vitest";
import { detect, summarize } from "../src/index.ts";
import { sampleTools } from "./format-contract.ts";

const cut = '<tool_call>{"name":"write_file","arguments":{"path":"a.txt","content":"half';
const strange = '<tool_call>{"name":"fly_away","arguments":{}}</tool_call>';
const broken = '<tool_call>{"name":"read_file","arguments":{"path": 1/*x}}</tool_call>';

test.each([
  {
    name: "a cut call of a tool on offer is in the errors",
    input: `So: ${cut}`,
    text: "So: ",
    errors: [cut],
  },
  {
    name: "a call that cannot be read is in the errors",
    input: `${broken} or not`,
    text: " or not",
    errors: [broken],
  },
  {
    name: "a call of no tool on offer is text as well",
    input: `So: ${strange}`,
    text: `So: ${strange}`,
    errors: [strange],
  },
  {
    name: "a whole call of no tool on offer is not text beside calls",
    input: `${strange}<tool_call>{"name":"git_status"}</tool_call>`,
    text: "",
    errors: [strange],
  },
  {
    name: "a thought is no text",
    input: "<think>Hm.</think>Yes.",
    text: "Yes.",
    errors: [],
  },
])("$name", ({ input, text, errors }) => {
  const summary = summarize(detect(input, { tools: sampleTools }));
  expect([summary.text, summary.errors.map((error) => error.raw)]).toEqual([text, errors]);
});
