import { describe, expect, test } from "vitest";
import { readAgentFile } from "../../../src/prompt/agents/agent-file.ts";
import { readFrontMatter } from "../../../src/prompt/front-matter.ts";

describe("the head of a Markdown file", () => {
  test.each([
    ["no head", "Text.\n", {}, "Text.\n"],
    [
      "texts",
      "---\na: one two\nb: 'x: y'\nc: \"q\" \n---\nText",
      { a: "one two", b: "x: y", c: "q" },
      "Text",
    ],
    [
      "lists",
      "---\na: [x, 'y', ]\nb:\n  - one # not two\n  - two\n---\n",
      { a: ["x", "y"], b: ["one", "two"] },
      "",
    ],
    ["comments, blanks and line ends", "\ufeff---\r\n# c\r\n\r\na: 1\r\n---\r\nText", { a: "1" }, "Text"],
    [
      "comments behind values",
      '---\na: [x, y] # both\nb: "q # r" # s\nc: # later\n  - z\nd: [f] [g]\n---\n',
      { a: ["x", "y"], b: "q # r", c: ["z"], d: "[f] [g]" },
      "",
    ],
    ["a key like a method", "---\nconstructor: x\n---\n", { constructor: "x" }, ""],
  ])("with %s is read", (_what, text, values, body) => {
    expect(readFrontMatter(text)).toEqual({ ok: true, values, body });
  });

  test.each([
    ["---\na: 1\n", 1, /not closed/],
    ["---\na: 1\na: 2\n---\n", 3, /twice/],
    ["---\na: >\n  long\n---\n", 2, /on one line/],
    ["---\n- x\n---\n", 2, /expected key/],
    ["---\na: {b: c}\n---\n", 2, /on one line/],
    ["---\na: [b, c\n---\n", 2, /or a list/],
    ["---\na: [b, [c]]\n---\n", 2, /or a list/],
  ])("%j is a problem in line %i", (text, line, problem) => {
    expect(readFrontMatter(text)).toEqual({ ok: false, line, problem: expect.stringMatching(problem) });
  });
});

const file = (head: string, body = "Do it.") => `---\n${head}\n---\n${body}\n`;

test("an agent has what its file says; the name is the file's where none is given", () => {
  const head = "description: d\ntools: a, b\nmodel: m\nmax_iterations: 7\nmode: plan";
  expect(readAgentFile(file(head), "tester.md")).toEqual({
    name: "tester",
    description: "d",
    instructions: "Do it.",
    tools: ["a", "b"],
    model: "m",
    iterations: 7,
    mode: "plan",
  });
  expect(readAgentFile(file("name: n\ndescription: d\ntools:"), "x.md")).toMatchObject({
    name: "n",
    tools: [],
  });
});

test.each([
  ["Do it.", /"description" expects/],
  [file("description: d\ndisallowed: bash"), /unknown key "disallowed"/],
  [file("description: d\ntool: bash"), /unknown key "tool"\. Did you mean tools\?/],
  [file("description: d", " "), /no text below the front matter/],
  [file("name: ../x\ndescription: d"), /"name" expects/],
  [file("description: d\nmode: wild"), /"mode" expects one of plan|"mode" expects one of default/],
  [file("description: d\nmax_iterations: 0"), /from 1 to 200/],
  [file("description: [a]"), /"description" expects text/],
  [file("description: d\ntools: [a] [b]"), /"tools" expects names of tools, got "\[a\] \[b\]"/],
  [file(`description: ${"x".repeat(501)}`), /up to 500 characters/],
])("%j is not used", (text, problem) => {
  expect(readAgentFile(text, "x.md")).toMatch(problem);
});
