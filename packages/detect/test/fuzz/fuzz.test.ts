/** A part of the long run of `npm run fuzz`, and proof that its checks can fail. */
import { describe, expect, test } from "vitest";
import type { DetectEvent } from "../../src/index.ts";
import { checkCalls } from "./check-calls.ts";
import { checkOrder } from "./check-order.ts";
import { checkPlainText, checkSubsequence } from "./check-text.ts";
import { checkWords } from "./check-words.ts";
import { fuzzCase } from "./fuzz-case.ts";
import { minimize } from "./minimize.ts";
import { findPollution, findProblem } from "./oracle.ts";
import { fuzzTools } from "./seed-tools.ts";

const runs = Number(process.env["FUZZ_RUNS"] ?? 2000);
const seed = Number(process.env["FUZZ_SEED"] ?? 7);

describe("mutated texts in all formats", () => {
  test(`${runs} of them crash nothing, lose no word, and give the same calls in pieces`, () => {
    for (let index = 0; index < runs; index += 1) {
      const problem = findProblem(fuzzCase(seed, index));
      expect(problem, `npm run fuzz -- --seed ${seed} --only ${index}`).toBeUndefined();
    }
    expect(findPollution()).toBeUndefined();
  });

  test("a case is made from its seed and index alone", () => {
    expect(fuzzCase(seed, 12)).toEqual(fuzzCase(seed, 12));
    expect(fuzzCase(seed, 12).text).not.toBe(fuzzCase(seed + 1, 12).text);
  });
});

const text = (value: string): DetectEvent => ({ type: "text-delta", text: value });
const start: DetectEvent = { type: "tool-call-start", index: 0, name: "read_file", format: "hermes" };
const delta: DetectEvent = { type: "tool-call-delta", index: 0, argumentsText: "{" };
const end = (args: Extract<DetectEvent, { type: "tool-call-end" }>["arguments"] = {}): DetectEvent => ({
  type: "tool-call-end",
  index: 0,
  name: "read_file",
  arguments: args,
  format: "hermes",
  repairs: [],
});
const failed = (raw: string): DetectEvent => ({
  type: "tool-call-error",
  raw,
  reason: "incomplete",
  message: "The text ended.",
  format: "hermes",
  name: "read_file",
});

describe("the checks", () => {
  test.each<[string, DetectEvent[]]>([
    ["a call without an end", [start, delta]],
    ["text inside a call", [start, text("a"), end()]],
    ["a delta of no call", [delta]],
    ["two ends", [start, end(), end()]],
    ["an index that comes twice", [start, end(), start, end()]],
    ["an error without its text", [failed("")]],
  ])("find %s out of order", (_name, events) => {
    expect(checkOrder(events)).toBeTypeOf("string");
  });

  test("find a whole call in order", () => {
    expect(checkOrder([text("a"), start, delta, end(), failed("b")])).toBeUndefined();
  });

  test.each<[string, DetectEvent[]]>([
    ["a tool that is not on offer", [{ ...start, name: "no_such_tool" } as DetectEvent]],
    ["a number that JSON has not", [end({ limit: Number.POSITIVE_INFINITY })]],
    ["the key of a prototype", [end(JSON.parse('{"a": {"__proto__": 1}}'))]],
  ])("find %s in calls", (_name, events) => {
    expect(checkCalls(events, fuzzTools)).toBeTypeOf("string");
  });

  test("find text that was not in the input, or came twice", () => {
    expect(checkSubsequence("ab", [text("a"), text("b")])).toBeUndefined();
    expect(checkSubsequence("ab", [text("ab"), text("a")])).toBeTypeOf("string");
    expect(checkSubsequence("ab", [failed("ba")])).toBeTypeOf("string");
  });

  test("find a changed text where nothing opens a call", () => {
    const options = { tools: fuzzTools };
    expect(checkPlainText("a < b", options, [text("a < b")])).toBeUndefined();
    expect(checkPlainText("a < b", options, [text("a <b")])).toBeTypeOf("string");
    expect(checkPlainText("<tool_call>", options, [])).toBeUndefined();
  });

  test.each<[string, DetectEvent[], string | undefined]>([
    ["in text and arguments", [text("zq0001x"), end({ path: "zq0002x" })], undefined],
    ["in text alone", [text("zq0001x")], "lost zq0002x"],
    ["in what is only shown of a call", [text("zq0001x"), start, delta], "lost zq0002x"],
    ["cut between a raw text and text", [text("zq0001x"), failed("zq00"), text("02x")], undefined],
  ])("count words %s", (_name, events, lost) => {
    expect(checkWords("zq0001x <x> zq0002x", events, () => {})).toBe(lost);
  });

  test("name the reading that leaves a word out", () => {
    const readings: string[] = [];
    const call = { ...end(), repairs: ["dropped-key"] } as DetectEvent;
    expect(checkWords("zq0001x", [start, call], (reading) => readings.push(reading))).toBeUndefined();
    expect(readings).toEqual([expect.stringContaining("dropped-key")]);
  });

  test("make a failing text small", () => {
    expect(minimize("some words around <a> the failure</a>", (one) => /<a>.*<\/a>/.test(one))).toBe(
      "<a></a>",
    );
  });
});
