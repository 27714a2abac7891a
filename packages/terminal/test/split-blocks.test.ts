/** Checks how a streamed answer is split into finished parts. */
import { describe, expect, test } from "vitest";
import { type AnswerPart, createBlockSplitter } from "../src/markdown/split-blocks.ts";

const answer = [
  "# Heading",
  "A paragraph\nof two lines.",
  "- one\n- two\n\n- loose, same list\n  goes on",
  "```ts\nconst a = 1;\n\n# no heading\n```",
  "| a | b |\n|---|---|\n| 1 | 2 |",
  "1. first\n2. second",
  "    indented",
  "~~~\n```\n~~~",
  "The end",
].join("\n\n");

/** Joins the parts of each text and each code block, so that results can be compared wherever the answer was cut. */
function read(parts: readonly AnswerPart[]): readonly string[] {
  const out: string[] = [];
  for (const part of parts) {
    if (part.kind === "text" && part.text === "") continue;
    if (part.kind === "text") out.push(part.text);
    else if (part.opens) out.push(`${part.language}:${part.lines.map((line) => `${line}\n`).join("")}`);
    else out.push(`${out.pop()}${part.lines.map((line) => `${line}\n`).join("")}`);
  }
  return out;
}

function split(pieces: readonly string[]): readonly AnswerPart[] {
  const splitter = createBlockSplitter();
  return [...pieces.flatMap((piece) => splitter.push(piece)), ...splitter.end()];
}

describe("splitting an answer", () => {
  const whole = read(split([answer]));

  test("makes separate parts of headings, paragraphs, lists with blank lines, tables and code", () => {
    expect(whole).toEqual([
      "# Heading",
      "A paragraph\nof two lines.",
      "- one\n- two\n\n- loose, same list\n  goes on",
      "ts:const a = 1;\n\n# no heading\n",
      "| a | b |\n|---|---|\n| 1 | 2 |",
      "1. first\n2. second\n\n    indented",
      ":```\n",
      "The end",
    ]);
  });

  test("gives the same parts wherever the stream is cut", () => {
    for (let at = 1; at < answer.length; at += 1)
      expect(read(split([answer.slice(0, at), answer.slice(at)])), `at ${at}`).toEqual(whole);
    expect(read(split([...answer]))).toEqual(whole);
  });

  test("keeps the unfinished rest small for any input", () => {
    for (const text of [
      "word ".repeat(100_000),
      "x".repeat(500_000),
      `\`\`\`\n${"y".repeat(500_000)}`,
      "- item\n".repeat(50_000),
      "| a | b |\n".repeat(50_000),
      "😀".repeat(50_000),
    ])
      for (const piece of [1_000, text.length]) {
        const splitter = createBlockSplitter();
        let longest = 0;
        for (let from = 0; from < text.length; from += piece)
          for (const part of [...splitter.push(text.slice(from, from + piece)), splitter.rest()]) {
            const lines = part?.kind === "code" ? part.lines : [part?.text ?? ""];
            longest = Math.max(longest, ...lines.map((line) => line.length));
            expect(lines.join("").isWellFormed()).toBe(true);
          }
        expect(longest).toBeLessThan(10_000);
      }
  });

  test.each([
    ["```npm install``` and\n```npm test```", ["```npm install``` and\n```npm test```"]],
    ["```sh\nls\n```", ["sh:ls\n"]],
    ["~~~ a`b\nls\n~~~", ["a:ls\n"]],
    [`${"word ".repeat(819)}\`\`\`no fence\nafter`, undefined],
  ])("a line of backticks is a fence only when no other backtick is in it: %#", (text, expected) => {
    const parts = split([text]);
    if (expected === undefined) expect(parts.every(({ kind }) => kind === "text")).toBe(true);
    else expect(read(parts)).toEqual(expected);
    expect(split([...text])).toEqual(parts);
  });

  test("gives long paragraphs and lists in parts with `goesOn`", () => {
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`);
    for (const mark of ["", "- "]) {
      const parts = split([`${lines.map((line) => mark + line).join("\n")}\n\nnext`]);
      expect(parts.filter((part) => part.kind === "text" && !part.goesOn)).toHaveLength(2);
      const texts = parts.map((part) =>
        part.kind === "text" ? [part.goesOn, part.text.split("\n").length] : [],
      );
      expect(texts.length).toBeGreaterThan(3);
      expect(texts.slice(0, -2).every(([goesOn]) => goesOn)).toBe(true);
      expect(read(parts).join("\n")).toBe([...lines.map((line) => mark + line), "next"].join("\n"));
    }
  });

  test("loses no character of a paragraph without an end", () => {
    const text = Array.from({ length: 9_000 }, (_, index) => `w${index}`).join(" ");
    expect(
      read(split([...(text.match(/.{1,700}/gs) ?? [])]))
        .join("")
        .replaceAll(/\s/g, ""),
    ).toBe(text.replaceAll(" ", ""));
  });

  test("does not take the end of an overlong line for a fence", () => {
    const text = `\`\`\`ts\n${"x".repeat(4_096)}\`\`\`\nmore\n\`\`\`\nThe end`;
    expect(read(split([text])).at(-1)).toBe("The end");
    expect(read(split([text]))[0]).toContain("more");
  });

  test("limits the length of a part and never splits a surrogate pair", () => {
    const parts = split([`${"a".repeat(3_000)}\n${"b".repeat(3_000)}\n\n${"x".repeat(4_095)}😀y`]);
    const texts = parts.flatMap((part) => (part.kind === "text" ? [part.text] : []));
    expect(texts.every((text) => text.length <= 4_096 && text.isWellFormed())).toBe(true);
  });

  test("ends a paragraph at the next heading", () => {
    const parts = split(["A paragraph\n# Heading\n"]);
    expect(parts.map((part) => part.kind === "text" && [part.text, part.goesOn])).toEqual([
      ["A paragraph", false],
      ["# Heading", false],
    ]);
  });
});
