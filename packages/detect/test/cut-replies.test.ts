/** Replies that were cut at a limit: no call runs whose end is missing, in any format. */
import { describe, expect, test } from "vitest";
import {
  createDetector,
  type DetectEvent,
  detect,
  type FormatId,
  formats,
  mergeDeltas,
  type Repair,
  summarize,
  toMessages,
} from "../src/index.ts";
import { sampleTools } from "./format-contract.ts";

const options = { tools: sampleTools };
const assumed: readonly Repair[] = ["missing-end-tag", "half-end-tag", "missing-closer"];

/** The end tags of calls in formats with a frame around several calls. After it only the end of the frame is missing. */
const closers: { readonly [format in FormatId]?: string } = {
  "seed-oss": "</function>",
  "qwen-coder": "</function>",
  minimax: "</invoke>",
  "minimax-m3": "</invoke>",
  dsml: "</｜DSML｜invoke>",
  glimmer: "</atem:invoke>",
  "kimi-k3": "<|close|>call<|sep|>",
};

function written(format: FormatId, path: string): string {
  const calls = [{ id: "", name: "read_file", arguments: { path } }];
  return toMessages(format, { text: "", calls, results: [] })[0]?.content ?? "";
}

/** Reads a reply in pieces of one character. */
function readSlowly(text: string, isCut: boolean): DetectEvent[] {
  const detector = createDetector(options);
  const events = text.split("").flatMap((piece) => detector.push(piece));
  return mergeDeltas([...events, ...detector.end(isCut)]);
}

/** The text of a reply with the raw text of its errors in their places. */
function allText(events: readonly DetectEvent[]): string {
  return events
    .map((event) =>
      event.type === "text-delta" ? event.text : event.type === "tool-call-error" ? event.raw : "",
    )
    .join("");
}

describe("wherever the reply was cut", () => {
  // The text of a fence that is not closed stays text.
  const framed = formats.filter(({ id }) => id !== "fenced-json");
  test.each(framed.map(({ id }) => id))("a call of %s without its end is an error", (id) => {
    const text = written(id, "a.txt");
    for (let length = 1; length < text.length; length += 1) {
      const reply = text.slice(0, length);
      const events = detect(reply, options, true);
      expect(readSlowly(reply, true), reply).toEqual(events);
      const { calls, errors } = summarize(events);
      const whole = summarize(detect(reply, options));
      const isOpen = whole.calls.some(({ repairs }) => assumed.some((repair) => repairs.includes(repair)));
      if (isOpen && !reply.includes(closers[id] ?? reply + text)) {
        expect(calls, reply).toEqual([]);
        expect(errors, reply).toMatchObject([{ reason: "cut", name: "read_file" }]);
        expect(allText(events).trim(), reply).toBe(reply.trim());
      } else expect({ calls, errors }, reply).toEqual({ calls: whole.calls, errors: whole.errors });
    }
    expect(detect(text, options, true), "whole").toEqual(detect(text, options));
  });

  test("a fence without its end is text", () => {
    const text = written("fenced-json", "a.txt").slice(0, -3);
    expect(summarize(detect(text, options)).calls).toHaveLength(1);
    expect(detect(text, options, true)).toEqual([{ type: "text-delta", text }]);
  });
});

describe("of a reply that was cut", () => {
  const none: readonly string[] = [];
  test.each<[string, string, readonly string[], readonly string[]]>([
    [
      "a call before another argument",
      "<tool_call>\n<function=read_file>\n<parameter=path>\na.txt\n</parameter>\n",
      none,
      ["cut"],
    ],
    [
      "a call behind what ends its last argument, and more of it",
      "<function=write_file>\n<parameter=path>\na\n</parameter>\n<parameter=content>\nx</parameter> y\nz",
      none,
      ["cut"],
    ],
    [
      "the last of several calls alone",
      "<function=read_file>\n<parameter=path>\na\n</parameter>\n<function=read_file>\n<parameter=path>\nb\n</parameter>\n",
      ["a"],
      ["cut"],
    ],
    [
      "a whole call before half a call",
      `${written("minimax", "a").replace("</minimax:tool_call>", "")}<invoke name="rea`,
      ["a"],
      none,
    ],
    [
      "a pair of tags without a frame",
      "read_file\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n",
      none,
      ["cut"],
    ],
    [
      "a call with the end of its frame",
      "<tool_call><function=read_file><parameter=path>a</parameter></tool_call>",
      ["a"],
      none,
    ],
    [
      "a call without an end, and text",
      `<tool_call>{"name":"read_file","arguments":{"path":"a"}} And`,
      ["a"],
      none,
    ],
    ["a value without an end in a whole call", "<read_file><path>a</read_file>", ["a"], none],
    ["a call that needs no end", written("mistral", "a"), ["a"], none],
    [
      "a call that lacks an argument",
      "<function=write_file><parameter=path>a</parameter>",
      none,
      ["incomplete"],
    ],
    [
      "a definition of a tool",
      '{"name": "read_file", "parameters": {"type": "object", "properties": {}}',
      none,
      none,
    ],
  ])("%s", (_title, text, paths, reasons) => {
    const events = detect(text, options, true);
    const { calls, errors } = summarize(events);
    expect(calls.map((call) => call.arguments["path"])).toEqual(paths);
    expect(errors.map(({ reason }) => reason)).toEqual(reasons);
    expect(readSlowly(text, true)).toEqual(events);
    // Without the limit each of them is repaired.
    expect(summarize(detect(text, options)).errors.filter(({ reason }) => reason === "cut")).toEqual([]);
  });

  test("the error has the call's text and says what happened", () => {
    const raw = "<function=read_file>\n<parameter=path>\na.txt\n</parameter>\n";
    const detector = createDetector(options);
    detector.push(`I look.\n${raw}`);
    expect(detector.end(true).filter(({ type }) => type === "tool-call-error")).toEqual([
      {
        type: "tool-call-error",
        raw,
        reason: "cut",
        message: "The reply was cut off before the call of read_file had ended.",
        format: "qwen-coder",
        name: "read_file",
      },
    ]);
  });
});
