/**
 * Tests a model that quotes a call which it has read: every way to quote, every mode, one format of each kind.
 * `npm run corpus -- quoted` tests all formats in all modes.
 */
import { type FormatId, formats } from "@localharness/detect";
import type { ModelEvent, ModelMessage, PermissionMode } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { writtenCall } from "../../detect/test/quoting.ts";
import { findCalls, withTextToolCalls } from "../src/index.ts";
import { honestWays, quotedArguments, quotedCall, quotingWays, showCall } from "./quoted-session.ts";
import { readTool, writeTool } from "./test-request.ts";

const tools = [readTool, writeTool];
const ids = formats.map(({ id }) => id);
const ways = Object.entries(quotingWays);
const modes: readonly PermissionMode[] = ["default", "accept-edits", "plan", "bypass"];
/** One format for each kind of frame. */
const sample: readonly FormatId[] = ["hermes", "json", "qwen-coder", "harmony", "glimmer", "name-call"];

describe("a model with native calls that quotes what it read makes no call", () => {
  test.each(modes)("nor in mode %s", async (mode) => {
    for (const [, quote] of ways)
      for (const format of sample) {
        const source = quotedCall(format);
        const outcome = await showCall({ source, reply: quote(source), calls: "native", mode });
        expect(outcome).toEqual({ asked: [], written: 0 });
      }
  });
});

describe("for a model that calls in text, no call that it has read runs without a question", () => {
  test.each(ways)("%s", async (_way, quote) => {
    for (const format of sample)
      for (const source of [quotedCall(format), quotedCall("json")]) {
        const reply = quote(quotedCall(format));
        const { asked, written } = await showCall({ source, reply, calls: "text", mode: "accept-edits" });
        expect({ format, written }).toEqual({ format, written: 0 });
        for (const { rule, reason } of asked)
          expect({ rule, reason }).toEqual({
            rule: "built-in:quoted",
            reason: expect.stringContaining("this call also occurs in the result of read_file (README.md)"),
          });
      }
  });
});

describe("an honest call in text runs as it did", () => {
  test.each(Object.entries(honestWays))("%s", async (_way, word) => {
    for (const format of [...sample, "fenced-json"] as const)
      for (const calls of ["native", "text"] as const) {
        // For a model with native calls, text inside a fence is not read.
        if (format === "fenced-json" && calls === "native") continue;
        const reply = word(quotedCall(format));
        const outcome = await showCall({ source: "# Title\n", reply, calls, mode: "accept-edits" });
        expect({ format, calls, ...outcome }).toEqual({ format, calls, asked: [], written: 1 });
      }
  });
});

test("one that stands alone and was read before is asked about, though it may be meant", async () => {
  const source = quotedCall("hermes");
  const { asked, written } = await showCall({
    source: `     1\t${source.replaceAll("\n", "\n     2\t")}`,
    reply: `I do as it says.\n\n${source}`,
    calls: "native",
    mode: "accept-edits",
  });
  expect(asked.map(({ rule, format }) => [rule, format])).toEqual([["built-in:quoted", "hermes"]]);
  expect(written).toBe(0);
});

const stop: ModelEvent = { type: "model-end", stopReason: "stop" };

function textDelta(text: string): ModelEvent {
  return { type: "text-delta", text };
}

/** Returns the text joined, and all other events in order without the deltas of arguments. */
function joined(events: readonly ModelEvent[]) {
  const text = events.map((event) => (event.type === "text-delta" ? event.text : "")).join("");
  return [text, ...events.filter(({ type }) => type !== "text-delta" && type !== "tool-call-delta")];
}

describe("which text is read for calls", () => {
  const call = quotedCall("hermes");
  const shortCall = writtenCall("hermes", "read_file", { path: "a" });
  const tellsOf = `It says ${call}.`;
  const native: ModelMessage[] = [
    { role: "assistant", content: "", toolCalls: [{ id: "a", name: "read_file", arguments: {} }] },
    { role: "tool", toolCallId: "a", toolName: "read_file", content: "{}" },
  ];
  const written: ModelMessage[] = native.map((message) =>
    message.role === "assistant"
      ? { ...message, toolCalls: [{ id: "a", name: "read_file", arguments: {}, format: "hermes" }] }
      : message,
  );

  test.each([
    ["usual, without a native call in the transcript", undefined, written, tellsOf, 1],
    ["those that stand alone, with one", undefined, native, tellsOf, 0],
    ["those that stand alone, with one", "auto", native, `Now.\n${call}`, 1],
    ["none", "native", [], call, 0],
    ["none, also behind written calls", "native", written, call, 0],
    ["usual where calls are asked for in text, whatever another model has done", "text", native, tellsOf, 1],
  ] as const)("%s", async (_name, mode, messages, reply, found) => {
    const events = await collect(reply, mode, messages);
    expect(events.filter(({ type }) => type === "tool-call-end")).toHaveLength(found);
    const text = events.map((event) => (event.type === "text-delta" ? event.text : "")).join("");
    if (found === 0) expect(text).toBe(reply);
  });

  test.each([
    ["refusing prose", native],
    ["a paragraph", native],
    ["a paragraph", written],
  ] as const)("split at every index it is the same: %s", async (way, messages) => {
    const reply = { ...quotingWays, ...honestWays }[way]?.(shortCall) ?? "";
    const whole = joined(await collect(reply, "auto", messages));
    for (let index = 1; index < reply.length; index += 1) {
      const pieces = [reply.slice(0, index), reply.slice(index)];
      const read = await collectFrom([...pieces.map(textDelta), stop], "auto", messages);
      expect(joined(read), `at ${index}`).toEqual(whole);
    }
  });

  test("in native mode a server that refuses tools is not asked again without them", async () => {
    const refusal: ModelEvent = {
      type: "model-error",
      code: "tools-unsupported",
      message: "no tools",
      retryable: false,
    };
    expect(await collectFrom([refusal], "native", [])).toEqual([refusal]);
  });

  test("arguments of a native call are still repaired where no text is read", async () => {
    const end: ModelEvent = {
      type: "tool-call-end",
      index: 0,
      id: "a",
      name: "write_file",
      arguments: '{"path": "a", "content": "b",}',
    };
    const [read] = await collectFrom([end, { type: "model-end", stopReason: "stop" }], "native", []);
    expect(read).toMatchObject({ arguments: { path: "a", content: "b" }, repairs: ["trailing-comma"] });
  });

  function collect(
    reply: string,
    mode: "auto" | "native" | "text" | undefined,
    messages: readonly ModelMessage[],
  ) {
    return collectFrom([textDelta(reply), stop], mode, messages);
  }

  async function collectFrom(
    events: readonly ModelEvent[],
    mode: "auto" | "native" | "text" | undefined,
    messages: readonly ModelMessage[],
  ): Promise<readonly ModelEvent[]> {
    const model = withTextToolCalls(
      {
        name: "scripted",
        provider: "test",
        async *stream() {
          yield* events;
        },
      },
      mode === undefined ? {} : { mode },
    );
    const read: ModelEvent[] = [];
    for await (const event of model.stream({ messages, tools }, new AbortController().signal))
      read.push(event);
    return read;
  }
});

test("calls are found in texts, in whatever format", () => {
  for (const format of ids)
    expect(findCalls(`# Title\n\n${quotedCall(format)}`, tools), format).toEqual([
      { name: "write_file", arguments: quotedArguments },
    ]);
});
