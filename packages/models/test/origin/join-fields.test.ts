/** How the pieces of unknown fields are joined. */
import type { JsonObject, ModelEvent } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { callFieldsOf, createAnswerFields } from "../../src/origin/answer-fields.ts";
import { createFieldJoiner } from "../../src/origin/join-fields.ts";
import { madeBy } from "../../src/origin/made-by.ts";

function joined(pieces: readonly JsonObject[], maxChars?: number): JsonObject | undefined {
  const joiner = createFieldJoiner(maxChars);
  for (const piece of pieces) joiner.push(piece);
  return joiner.value();
}

const long = "a long thought about the boiler, ".repeat(10);

describe("joined fields", () => {
  test.each<[string, JsonObject[], JsonObject | undefined]>([
    ["nothing", [{}, { a: null, b: "", c: [], d: {} }], undefined],
    ["text is appended", [{ seal: "ab" }, { seal: "cd" }], { seal: "abcd" }],
    ["a label stays what it is", [{ form: "v1" }, { form: "v1" }, { form: "v1" }], { form: "v1" }],
    [
      "a cumulative text replaces",
      [{ t: "The" }, { t: "The cat" }, { t: "The cat sat" }],
      { t: "The cat sat" },
    ],
    [
      "a long cumulative text",
      [{ t: long }, { t: `${long}so` }, { t: `${long}so it` }, { t: `${long}so it is` }],
      { t: `${long}so it is` },
    ],
    [
      "a repeated first piece is appended once others follow",
      [{ t: "ha" }, { t: "ha" }, { t: "!" }],
      { t: "haha!" },
    ],
    [
      "numbers and booleans: the last",
      [
        { n: 1, b: true },
        { n: 2, b: false },
      ],
      { n: 2, b: false },
    ],
    [
      "objects are merged",
      [{ o: { a: "x" } }, { o: { b: { c: 1 } } }, { o: { a: "y" } }],
      { o: { a: "xy", b: { c: 1 } } },
    ],
    ["null changes nothing", [{ o: { a: "x" } }, { o: { a: null } }, { o: null }], { o: { a: "x" } }],
    [
      "elements of one index",
      [
        { steps: [{ type: "plan.text", index: 0, text: "First" }] },
        { steps: [{ type: "plan.text", index: 0, text: " the roof", mark: null }] },
        { steps: [{ type: "plan.text", index: 1, text: "Then" }] },
        { steps: [{ type: "plan.text", index: 0, mark: "QQ==" }] },
      ],
      {
        steps: [
          { type: "plan.text", index: 0, text: "First the roof", mark: "QQ==" },
          { type: "plan.text", index: 1, text: "Then" },
        ],
      },
    ],
    [
      "one index, two types",
      [{ s: [{ type: "sum", index: 0, text: "a" }] }, { s: [{ type: "sealed", index: 0, data: "b" }] }],
      {
        s: [
          { type: "sum", index: 0, text: "a" },
          { type: "sealed", index: 0, data: "b" },
        ],
      },
    ],
    [
      "elements of one id",
      [
        {
          s: [
            { id: "p", text: "a" },
            { id: "q", text: "b" },
          ],
        },
        { s: [{ id: "p", text: "c" }] },
      ],
      {
        s: [
          { id: "p", text: "ac" },
          { id: "q", text: "b" },
        ],
      },
    ],
    [
      "blocks without an index, closed by a signature",
      [
        { blocks: [{ type: "thinking", thinking: "I " }] },
        { blocks: [{ type: "thinking", thinking: "look." }] },
        { blocks: [{ type: "thinking", thinking: "", signature: "c2ln" }] },
        { blocks: [{ type: "thinking", thinking: "Again." }] },
      ],
      {
        blocks: [
          { type: "thinking", thinking: "I look.", signature: "c2ln" },
          { type: "thinking", thinking: "Again." },
        ],
      },
    ],
    [
      "elements of one delta stay apart",
      [{ l: [{ type: "x" }, { type: "x" }] }],
      { l: [{ type: "x" }, { type: "x" }] },
    ],
    ["plain elements are appended", [{ l: ["a"] }, { l: ["a", 2] }], { l: ["a", "a", 2] }],
    ["another kind replaces", [{ f: "text" }, { f: { a: 1 } }], { f: { a: 1 } }],
  ])("%s", (_what, pieces, expected) => {
    expect(joined(pieces)).toEqual(expected);
  });

  test("fields that are too long are dropped together, but not for a cumulative text", () => {
    expect(joined([{ a: "x".repeat(60) }, { b: "y".repeat(60) }], 100)).toBeUndefined();
    expect(joined([{ a: "x".repeat(60) }, { a: "y".repeat(60) }, { a: "z" }], 100)).toBeUndefined();
    const growing = Array.from({ length: 30 }, (_, index) => ({ t: long + "o".repeat(index) }));
    expect(joined(growing, 1_000)).toEqual({ t: long + "o".repeat(29) });
  });
});

test("the fields of an answer: known ones, thoughts and others", () => {
  const fields = createAnswerFields("s m");
  const call: ModelEvent = { type: "tool-call-end", index: 0, id: "1", name: "ls", arguments: "{}" };
  expect(fields.ofEnd([call])).toEqual({});
  expect(fields.ofEnd([call, { ...call, fields: { seal: 1 } }])).toEqual({ origin: { madeBy: "s m" } });
  fields.take({ role: "assistant", content: "Hi", tool_calls: [{}], refusal: null });
  expect(fields.ofEnd([])).toEqual({});
  fields.take({ reasoning: "a", reasoning_content: "", seal: { of: "x" } });
  fields.take({ reasoning: { summary: "an object is no thought" } });
  expect(fields.ofEnd([]).origin).toEqual({
    madeBy: "s m",
    thoughtIn: ["reasoning"],
    fields: { seal: { of: "x" }, reasoning: { summary: "an object is no thought" } },
  });
});

test("the fields of a call", () => {
  expect(
    callFieldsOf({ id: "1", index: 0, type: "function", function: { name: "a", arguments: "{}" } }),
  ).toBeUndefined();
  expect(callFieldsOf({ name: "a", arguments: {}, seal: "x", none: null })).toEqual({ seal: "x" });
  expect(callFieldsOf({ id: "1", seal: { a: 1 }, function: { name: "a", mark: "m" } })).toEqual({
    seal: { a: 1 },
    function: { mark: "m" },
  });
});

test.each([
  ["http://h:1/v1/", "Qwen3-Coder:30b", "http://h:1/v1 qwen"],
  ["http://h:1/v1", "qwen2.5:7b", "http://h:1/v1 qwen"],
  ["https://name:word@h/v1", "maker/model-4-pro", "https://h/v1 maker/model"],
  ["https://h/v1", "other/model-4", "https://h/v1 other/model"],
  ["https://h/v1", "4o", "https://h/v1 4o"],
])("the maker of answers at %s with %s: %s", (address, model, expected) => {
  expect(madeBy(address, model)).toBe(expected);
});
