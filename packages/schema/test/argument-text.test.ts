/** Marks around the text of arguments. */
import { bareArguments } from "@localharness/schema";
import { expect, test } from "vitest";
import { growth } from "../../../test/measures.ts";

const body = '{"to": "a <b>", "text": "```js\\n```"}';

test.each([
  body,
  `  ${body}\n`,
  `\ufeff${body}`,
  `${body}\n\`\`\``,
  `\`\`\`json\n${body}\n\`\`\``,
  `${body}<|call|>`,
  `<|message|>${body}<|call|> <|im_end|>`,
  `${body}<｜tool▁call▁end｜>`,
  `${body}\n</tool_call>`,
  `${body}</arguments>\n</function>`,
  `[ARGS]${body}`,
  `${body}[/TOOL_CALLS]`,
])("%j", (text) => {
  expect(bareArguments(text)).toBe(body);
});

test.each(["", '["A"]', '"text"', "```", "{ nothing", "ABC"])("%j stays or is empty", (text) => {
  expect(bareArguments(text)).toBe(text === "```" ? "" : text);
});

test.each<[string, (size: number) => string]>([
  ["spaces", (n) => `{"a":1${" ".repeat(n)}x`],
  ["fences", (n) => "```".repeat(n / 3)],
  ["special tokens", (n) => `{"a":1}${"<|end|>".repeat(n / 7)}x`],
])("the time is in proportion to the length: %s", async (_title, make) => {
  const bare = (text: string) => () => bareArguments(text);
  expect(await growth(bare(make(20_000)), bare(make(160_000)), 24)).toBeLessThan(24);
});
