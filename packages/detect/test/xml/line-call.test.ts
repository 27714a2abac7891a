/** Calls that are a name alone on its line, then tags: the next call ends them. */
import { expect, test } from "vitest";
import { detect, summarize } from "../../src/index.ts";
import { readPieces, sampleTools } from "../format-contract.ts";

const a = ["read_file", { path: "a.txt" }];
const b = ["read_file", { path: "b.txt" }];
const written = ["write_file", { path: "n.md", content: "see <read_file> below" }];

test.each([
  ["a second name on its line", "read_file\n<path>a.txt</path>\nread_file:\n  <path>b.txt</path>\n", [a, b]],
  [
    "a tag named like a tool",
    "read_file\n<path>a.txt</path>\n<read_file><path>b.txt</path></read_file>",
    [a, b],
  ],
  [
    "a tag of a tool inside a value",
    "write_file\n<path>n.md</path>\n<content>see <read_file> below</content>\n</write_file>",
    [written],
  ],
  [
    "a refused key takes its own call with it",
    "read_file\n<path>a.txt</path><__proto__>x</__proto__>\nread_file\n<path>b.txt</path>\n</read_file>",
    [b],
  ],
])("%s", (_name, text, expected) => {
  const events = detect(text, { tools: sampleTools });
  expect(summarize(events).calls.map((call) => [call.name, call.arguments])).toEqual(expected);
  for (let index = 1; index < text.length; index += 1) {
    expect(readPieces([text.slice(0, index), text.slice(index)], { tools: sampleTools })).toEqual(events);
  }
});
