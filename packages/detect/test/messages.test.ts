import { describe, expect, it } from "vitest";
import {
  detect,
  exampleCall,
  type FormatId,
  formats,
  type JsonValue,
  summarize,
  type ToolSchema,
  toMessages,
  toPrompt,
} from "../src/index.ts";

const tool: ToolSchema = {
  name: "save_note",
  description: "Saves a note.",
  parameters: {
    type: "object",
    properties: {
      title: { type: "string" },
      count: { type: "integer" },
      ratio: { type: "number" },
      done: { type: "boolean" },
      tags: { type: "array", items: { type: "string" } },
      place: { type: "object", properties: { name: { type: "string" }, floor: { type: "integer" } } },
      kind: { enum: ["memo", "list"] },
      maybe: { type: ["string", "null"] },
    },
    required: ["title", "count", "kind", "tags"],
  },
};
const tools = [
  tool,
  { name: "ls", parameters: { type: "object", properties: { path: { type: "string" } } } },
];
const ids = formats.map((row) => row.id);

function readBack(format: FormatId, calls: readonly { [key: string]: JsonValue }[], text = "") {
  const turn = {
    text,
    calls: calls.map((args, at) => ({ id: `${at}`, name: "save_note", arguments: args })),
    results: [],
  };
  const written = toMessages(format, turn)[0]?.content ?? "";
  const found = summarize(detect(written, { tools }));
  return { calls: found.calls.map((call) => call.arguments), text: found.text.trim(), written };
}

const texts: readonly [string, string][] = [
  ["plain words", "plain words"],
  ["nothing", ""],
  ["quotes", `"double" 'single' \`back\` """three"""`],
  ["lines", "first\nsecond\n\n  indented\n\ttab"],
  ["outer line feeds", "\nfirst\n"],
  ["outer spaces", "  two before, two after  "],
  ["backslashes", "C:\\new\\table \\u0041 \\\\"],
  ["markup", "<b>bold</b> & <i/> &amp; a < b > c"],
  ["braces and commas", '{"a": [1, 2]}, }]) key: value, yes, no'],
  ["what looks like a number", "007"],
  ["what looks like a word of the notation", "null"],
  ["a list", "- a: b\n- c # d"],
  ["other scripts", "żółć 漢字 🙂 \u2028"],
  ["code", 'const a = (b) => `x`; // "x"\nif (a) { return [1]; }\n'],
  ["a fence", "```json\n{}\n```"],
];

describe.each(ids)("%s", (format) => {
  it.each(texts)("brings back a text of %s", (_title, title) => {
    const args = { title, count: 1, kind: "memo", tags: [title, "b"], place: { name: title, floor: -2 } };
    expect(readBack(format, [args]).calls).toEqual([args]);
  });

  it("brings back values of every type, in order", () => {
    const first = { title: "a", count: 0, ratio: 1.5e-7, done: false, tags: [], kind: "list", maybe: null };
    const second = { title: "b", count: -12, ratio: 3, done: true, tags: ["x"], kind: "memo", place: {} };
    const read = readBack(format, [first, second, first], "I save three.");
    expect(read.calls).toEqual([first, second, first]);
    expect(read.text).toBe("I save three.");
  });

  it("has an example and a prompt whose example can be called", () => {
    const example = summarize(detect(exampleCall(format, tool), { tools }));
    expect(example.calls).toMatchObject([{ name: "save_note" }]);
    expect(example.calls[0]?.arguments).toEqual({ title: "title", count: 1, kind: "memo", tags: ["tags"] });
    expect(toPrompt(format, tools)).toContain(exampleCall(format, tool));
  });
});

it.each(formats)("the example of $id in the table is a call", ({ example }) => {
  const reads = [
    { name: "read_file", parameters: { type: "object", properties: { path: { type: "string" } } } },
  ];
  expect(summarize(detect(example, { tools: reads })).calls).toMatchObject([
    { name: "read_file", arguments: { path: "a.txt" } },
  ]);
});

it("has nothing to say where there are no tools", () => {
  expect(toPrompt("hermes", [])).toBe("");
});

it("writes each result as a message of its own", () => {
  const results = [
    { id: "1", name: "ls", content: "a\nb" },
    { id: "2", name: "save_note", content: "saved" },
  ];
  expect(toMessages("mistral", { text: "Done.", calls: [], results })).toEqual([
    { role: "assistant", content: "Done." },
    { role: "tool", content: "TOOL RESULT (ls):\na\nb", toolCallId: "1" },
    { role: "tool", content: "TOOL RESULT (save_note):\nsaved", toolCallId: "2" },
  ]);
});
