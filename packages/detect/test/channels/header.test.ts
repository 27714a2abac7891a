/** Headers of messages with their parts in another order, with line feeds, with other words, and without some marks. */
import { describe, expect, test } from "vitest";
import { detect, summarize } from "../../src/index.ts";
import { call, formatContract, reasoning, sampleTools, text, textContract } from "../format-contract.ts";

const body = '{"path": "a.txt"}';
const read = (index = 0) => call(index, "harmony", "read_file", { path: "a.txt" }, { shown: body });

describe("a header of a call", () => {
  const to = "to=functions.read_file";
  test.each([
    `<|channel|>commentary ${to}\n<|constrain|>json\n<|message|>`,
    `<|channel|>commentary\n${to}\n<|constrain|>\njson\n<|message|>\n`,
    `<|start|>\n<|channel|>commentary ${to}<|message|>`,
    `<|start|>assistant ${to}<|channel|>commentary json<|message|>`,
    `<|start|>assistant<|constrain|>json<|channel|>commentary ${to}<|message|>`,
    `<|constrain|>json ${to}<|channel|>analysis<|message|>`,
    `assistant ${to}<|channel|>commentary json<|message|>`,
    `assistant<|channel|>commentary ${to} json<|message|>`,
    `${to} <|channel|>commentary <|constrain|>json<|message|>`,
    `commentary ${to} <|constrain|>json<|message|>`,
    `<|channel|>commentary please ${to}<|message|>`,
    `<|channel|>commentary for the tool ${to} now<|message|>`,
    `<|channel|>commentary to= functions.read_file<|message|>`,
    `<|channel|>commentary to="functions.read_file"<|message|>`,
    "<|channel|>functions.read_file<|message|>",
    `<|channel|>commentary ${to} <|constrain|>json`,
    `<|start|>assistant ${to}`,
    " to=read_file ",
  ])("%j", (header) => {
    for (const end of ["<|call|>", "\n<|call|>", ""]) {
      const { calls, errors, text: said } = summarize(detect(header + body + end, { tools: sampleTools }));
      expect(calls).toMatchObject([{ name: "read_file", arguments: { path: "a.txt" } }]);
      expect([errors, said.trim()]).toEqual([[], ""]);
    }
  });
});

formatContract("messages one after another", [
  {
    name: "with line feeds between their marks",
    text: `<|start|>\n<|channel|>analysis\n<|message|>Hm.<|end|>\n<|channel|>commentary to=functions.read_file\n<|message|>${body}\n<|call|>`,
    events: [reasoning("Hm."), text("\n"), ...read()],
  },
  {
    name: "without the mark of their beginning",
    text: `analysis<|message|>Hm.<|end|>assistant to=functions.read_file<|channel|>commentary json<|message|>${body}<|call|>assistant<|channel|>final<|message|>So.`,
    events: [reasoning("Hm."), ...read(), text("So.")],
  },
  {
    name: "after words on the line before",
    text: `I look.\nto=functions.read_file<|channel|>commentary<|message|>${body}<|call|>`,
    events: [text("I look.\n"), ...read()],
  },
]);

textContract("words that only look like a header", [
  "final answer: yes",
  "commentary to follow",
  "The token <|start|> begins a header and <|message|> ends it.",
  `Models write <|channel|>commentary to=functions.read_file<|message|>${body} for a call.`,
  `<|channel|>commentary to=functions.other and so on, ${body}`,
]);
