/** Special tokens at the end of a reply. */
import { describe, expect, test } from "vitest";
import { detect, formats, summarize } from "../../src/index.ts";
import { replyEnds } from "../../src/scan/reply-end.ts";
import {
  call,
  formatContract,
  readPieces,
  reasoning,
  sampleTools,
  text,
  textContract,
} from "../format-contract.ts";

describe("the example of a format with a special token after it", () => {
  test.each(formats)("$id", ({ example }) => {
    for (const token of ["</s>", "<|im_end|>\n", "<end_of_turn></s>"]) {
      const events = detect(example + token, { tools: sampleTools });
      expect(summarize(events)).toMatchObject({ calls: [{ arguments: { path: "a.txt" } }], errors: [] });
      expect(summarize(events).text.trim()).toBe("");
      expect(readPieces((example + token).split(""), { tools: sampleTools })).toEqual(events);
    }
  });
});

test.each(replyEnds)("%s ends a call whose end tag is missing", (token) => {
  const reply = `<tool_call><function=read_file><parameter=path>a.txt</parameter>${token}`;
  const { calls, text: said } = summarize(detect(reply, { tools: sampleTools }));
  expect([calls.map((made) => made.arguments), said]).toEqual([[{ path: "a.txt" }], ""]);
});

formatContract("special tokens", [
  {
    name: "after the mark of a call without arguments",
    text: "[TOOL_CALLS]git_status[ARGS]</s>",
    events: call(0, "mistral", "git_status", {}, { repairs: ["missing-arguments"] }),
  },
  {
    name: "between two calls",
    text: '[TOOL_CALLS]git_status[ARGS]</s>[TOOL_CALLS]read_file[ARGS]{"path":"a"}</s>',
    events: [
      ...call(0, "mistral", "git_status", {}, { repairs: ["missing-arguments"] }),
      text("</s>"),
      ...call(1, "mistral", "read_file", { path: "a" }),
    ],
  },
  {
    name: "after a thought that ends with a call",
    text: "<think>So <function=git_status></function></think><|im_end|>",
    events: [reasoning("So "), ...call(0, "qwen-coder", "git_status", {})],
  },
  {
    name: "the end tag of a tool",
    text: "<s>\n<text>a</text>\n</s>",
    options: {
      tools: [{ name: "s", parameters: { type: "object", properties: { text: { type: "string" } } } }],
    },
    events: call(0, "morph-xml", "s", { text: "a" }),
  },
]);

textContract("special tokens without a call", [
  "So.<|im_end|>",
  "So.</s>\n",
  "So.<|im_",
  "</s></s>",
  `So.${"</s> ".repeat(80)}`,
  "The token <|im_end|> ends it",
]);
