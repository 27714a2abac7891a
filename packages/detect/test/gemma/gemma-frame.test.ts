/** Gemma's object notation and its slips. */
import { expect } from "vitest";
import { call, formatContract, text } from "../format-contract.ts";

const written = { path: "a", content: 'b, {c} "d"', tags: ["x", "y"], options: { force: true } };

formatContract("gemma", [
  {
    name: "texts, a list and an object",
    text: '<|tool_call>call:write_file{path:<|"|>a<|"|>,content:<|"|>b, {c} "d"<|"|>,tags:[<|"|>x<|"|>,<|"|>y<|"|>],options:{force:true}}<tool_call|>',
    events: call(0, "gemma", "write_file", written),
  },
  {
    name: "a scalar where a text is wanted stays a text",
    text: "<|tool_call>call:read_file{path:007,offset:3}<tool_call|>",
    events: call(0, "gemma", "read_file", { path: "007", offset: 3 }),
  },
  {
    name: "a list that is closed by the object",
    text: '<|tool_call>call:write_file{path:<|"|>a<|"|>,content:<|"|>b<|"|>,tags:[<|"|>x<|"|>}<tool_call|>',
    events: call(
      0,
      "gemma",
      "write_file",
      { path: "a", content: "b", tags: ["x"] },
      { repairs: ["missing-closer"] },
    ),
  },
  ...["", ",", ";", "\n"].map((between) => ({
    name: `two calls in one frame with ${JSON.stringify(between)} between them`,
    text: `<|tool_call>call:read_file{path:<|"|>a<|"|>}${between}call:git_status{}<tool_call|> end`,
    events: [
      ...call(0, "gemma" as const, "read_file", { path: "a" }),
      ...call(1, "gemma" as const, "git_status", {}),
      text(" end"),
    ],
  })),
  {
    name: "a call that cannot be read after another one",
    text: "<|tool_call>call:git_status{}call:nothing{}<tool_call|>",
    events: [
      ...call(0, "gemma", "git_status", {}),
      {
        type: "tool-call-error",
        raw: "call:nothing{}<tool_call|>",
        reason: "unknown-tool",
        message: expect.stringContaining('There is no tool called "nothing".') as string,
        format: "gemma",
        name: "nothing",
      },
    ],
  },
  {
    name: "ordinary quotes",
    text: "<|tool_call>call:read_file{path:'a b'}<tool_call|>",
    events: call(0, "gemma", "read_file", { path: "a b" }, { repairs: ["single-quotes"] }),
  },
]);

formatContract("functiongemma", [
  {
    name: "a namespace before the name",
    text: "<start_function_call>call:repo.git_status{}<end_function_call>",
    events: call(0, "functiongemma", "git_status", {}, { repairs: ["tool-name"] }),
  },
  {
    name: "words that are no namespace are text",
    text: "<start_function_call>(see above).git_status{}",
    events: [text("<start_function_call>(see above).git_status{}")],
  },
  {
    name: "characters that no namespace has",
    text: "<start_function_call>above).git_status{}",
    events: [text("<start_function_call>above).git_status{}")],
  },
]);

const inner = "one <|tool_call>call:git_status{}<tool_call|> two <tool_call|>";
const open = '<|tool_call>call:read_file{path:<|"|>';

formatContract("gemma: ends of calls inside of texts, and calls without a body", [
  {
    name: "a text that holds calls",
    text: `${open}${inner}<|"|>}<tool_call|> end`,
    events: [...call(0, "gemma", "read_file", { path: inner }), text(" end")],
  },
  {
    name: "a text that holds calls, and breaks off",
    text: `${open}${inner} three`,
    events: [
      { type: "tool-call-start", index: 0, name: "read_file", format: "gemma" },
      { type: "tool-call-delta", index: 0, argumentsText: `{"path":"${inner} three` },
      {
        type: "tool-call-error",
        raw: `${open}${inner} three`,
        reason: "incomplete",
        message: "The text ended inside the call of read_file.",
        format: "gemma",
        name: "read_file",
      },
    ],
  },
  {
    name: "a text without its end, and another call",
    text: `${open}a}<tool_call|>${open}b<|"|>}<tool_call|>`,
    events: [
      ...call(0, "gemma", "read_file", { path: "a" }, { repairs: ["missing-closer"] }),
      ...call(1, "gemma", "read_file", { path: "b" }),
    ],
  },
  {
    name: "a name alone",
    text: "<|tool_call>call:git_status<tool_call|>",
    events: call(0, "gemma", "git_status", {}, { repairs: ["missing-arguments"] }),
  },
  {
    name: "a name without the word in front of it",
    text: "<|tool_call>git_status{}<tool_call|>",
    events: call(0, "gemma", "git_status", {}),
  },
]);

const quote = '<|"|>';
const found = (index = 0) => call(index, "gemma", "read_file", { path: "a.txt", limit: 3 });

formatContract("arguments in round brackets", [
  {
    name: "in the format's own texts",
    text: `<|tool_call>call:read_file(path=${quote}a.txt${quote},limit=3)<tool_call|>`,
    events: found(),
  },
  {
    name: "in the format's own texts, after colons",
    text: `<|tool_call>call:read_file(path:${quote}a.txt${quote}, limit:3)<tool_call|>`,
    events: found(),
  },
  {
    name: "as in Python, two calls, the last one without its end",
    text: '<|tool_call>call:read_file(path="a.txt", limit=3)<tool_call|><|tool_call>call:git_status()',
    events: [...found(), ...call(1, "gemma", "git_status", {}, { repairs: ["missing-end-tag"] })],
  },
  {
    name: "in an object",
    text: `<|tool_call>call:read_file({path:${quote}a.txt${quote},limit:3})<tool_call|>`,
    events: found(),
  },
]);

formatContract("calls whose frame was left out", [
  {
    name: "with texts between tokens",
    text: `call:read_file{path:${quote}a.txt${quote},limit:3}`,
    events: found(),
  },
  { name: "without tokens", text: "call:read_file{path:a.txt,limit:3}", events: found() },
  {
    name: "one after another, with words before them",
    text: "I look.\ncall:read_file{path:a.txt,limit:3}call:git_status{}",
    events: [text("I look.\n"), ...found(), ...call(1, "gemma", "git_status", {})],
  },
  {
    name: "with the tokens of FunctionGemma",
    text: "call:read_file{path:<escape>a.txt<escape>}",
    events: call(0, "functiongemma", "read_file", { path: "a.txt" }),
  },
  { name: "of another tool", text: "call:other{path:a}", events: [text("call:other{path:a}")] },
  {
    name: "in a sentence",
    text: "Write call:git_status{} there.",
    events: [text("Write call:git_status{} there.")],
  },
]);
