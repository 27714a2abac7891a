/** Calls with words before and after them on their line: in the middle of a sentence, or between two sentences. */
import { describe, expect, test } from "vitest";
import { detect, type FormatId, formats, summarize } from "../../src/index.ts";
import { call, formatContract, sampleTools, text, textContract } from "../format-contract.ts";

/** Calls of `git_status` without a frame, in every format that has such calls. */
const frameless: { readonly [form: string]: string } = {
  function: "<function=git_status></function>",
  "function with JSON": "<function=git_status>{}</function>",
  call: "<call=git_status></call>",
  "named frame": '<tool_call name="git_status">{}</tool_call>',
  invoke: '<invoke name="git_status"></invoke>',
  "invoke of DSML": '<｜DSML｜invoke name="git_status"></｜DSML｜invoke>',
  "invoke of StepTML": '<steptml:invoke name="git_status"></steptml:invoke>',
  "invoke after a mark": ']<]minimax[>[<invoke name="git_status">]<]minimax[>[</invoke>',
  MiniCPM: '<function name="git_status"></function>',
  "id of Kimi": "functions.git_status:0{}",
  "name of Mistral": "git_status[ARGS]{}",
  "recipient of Harmony": "to=functions.git_status json{}",
};

describe.each(Object.entries(frameless))("a call without a frame: %s", (_form, written) => {
  const callsIn = (reply: string) => summarize(detect(reply, { tools: sampleTools }));

  test.each(["", "I look.\n", "- ", "1. ", "**", "So: ", "Then I use "])("%j before it", (before) => {
    expect(callsIn(`${before}${written}\nDone.`).calls.map(({ name }) => name)).toEqual(["git_status"]);
  });

  test.each([
    ["In the template, ", " is what one writes."],
    ["The short form is ", ", and it takes nothing."],
    ["Write ", " here."],
    ["It is (", ")"],
    ["It is there. ", " Then it runs."],
    ["It shows: ", " Done."],
  ])("%j before it and %j after it", (before, after) => {
    const reply = before + written + after;
    expect(callsIn(reply)).toMatchObject({ calls: [], errors: [], text: reply });
  });

  test("two of them in a sentence", () => {
    const reply = `Then ${written} ${written} are the same.`;
    expect(callsIn(reply)).toMatchObject({ calls: [], text: reply });
  });
});

const bare = "<function=git_status></function>";
const read = (index = 0) => call(index, "qwen-coder", "git_status", {});

formatContract("calls without a frame on a line with words", [
  {
    name: "at the end of the line, and one at the beginning of the next",
    text: `I look: ${bare}\n${bare} Done.`,
    events: [text("I look: "), ...read(), text("\n"), ...read(1), text(" Done.")],
  },
  {
    name: "one word on each side",
    text: `pre ${bare} post`,
    events: [text("pre "), ...read(), text(" post")],
  },
  {
    name: "only marks after it",
    text: `I look **${bare}**</tool_call><|im_end|>`,
    events: [text("I look **"), ...read(), text("**</tool_call><|im_end|>")],
  },
  {
    name: "two of them at the end of a line",
    text: `I look ${bare} ${bare}\nDone.`,
    events: [text("I look "), ...read(), text(" "), ...read(1), text("\nDone.")],
  },
  {
    name: "of a tool that is not on offer, in a sentence",
    text: "Then <function=other></function> is written.",
    events: [text("Then <function=other></function> is written.")],
  },
]);

const framed = '<tool_call>{"name":"git_status","arguments":{}}</tool_call>';
const json = '{"name":"git_status","arguments":{}}';

textContract("calls in a frame, in JSON and in a list, in a sentence", [
  ...[framed, json, "[git_status()]", "<tool_call><function=git_status></function></tool_call>"].flatMap(
    (written) => [
      `In the template, ${written} is what one writes.`,
      `The short form is ${written}, and it takes nothing.`,
      `Older models wrote ${written}.`,
      `It is there (${written}) since then.`,
      `模板里写的是 ${written} 这样的东西`,
    ],
  ),
]);

const framedRead = () => call(0, "hermes", "git_status", {});

formatContract("calls in a frame between sentences", [
  {
    name: "after the end of one",
    text: `Let me look at it. ${framed} so far.`,
    events: [text("Let me look at it. "), ...framedRead(), text(" so far.")],
  },
  {
    name: "before the beginning of one",
    text: `The state of it now ${framed} Done with it.`,
    events: [text("The state of it now "), ...framedRead(), text(" Done with it.")],
  },
  {
    name: "after an announcement",
    text: `I will look at it with ${framed} and then go on.`,
    events: [text("I will look at it with "), ...framedRead(), text(" and then go on.")],
  },
  {
    name: "with few words around it",
    text: `Some text ${framed} more text`,
    events: [text("Some text "), ...framedRead(), text(" more text")],
  },
]);

describe("the example of a format in a sentence", () => {
  const lines = new Set<FormatId>(["ralph-lines"]);
  test.each(formats.filter(({ id }) => !lines.has(id)))("$id", ({ example }) => {
    const reply = `Older models wrote ${example.replaceAll("\n", " ")} in such a case.`;
    expect(summarize(detect(reply, { tools: sampleTools })).calls).toEqual([]);
  });
});
