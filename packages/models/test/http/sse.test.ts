import { describe, expect, it } from "vitest";
import { growth } from "../../../../test/measures.ts";
import { SseDecoder, type SseEvent } from "../../src/http/sse.ts";

const message = (data: string): SseEvent => ({ event: "message", data });

const cases: readonly { title: string; text: string; events: readonly SseEvent[] }[] = [
  { title: "an event", text: "data: a\n\n", events: [message("a")] },
  { title: "no space after the colon", text: "data:a\n\n", events: [message("a")] },
  { title: "only one space is taken away", text: "data:  a\n\n", events: [message(" a")] },
  { title: "data of several lines", text: "data: a\ndata:\ndata: b\n\n", events: [message("a\n\nb")] },
  { title: "a data line without a colon", text: "data\ndata: a\n\n", events: [message("\na")] },
  {
    title: "no event without data",
    text: "data\n\ndata:\n\nevent: x\ndata: \n\ndata: a\n\n",
    events: [message("a")],
  },
  {
    title: "comments, ids and retry times",
    text: ": hi\nid: 1\nretry: 5\ndata: a\n\n: bye\n\n",
    events: [message("a")],
  },
  {
    title: "a named event, and its name forgotten after it",
    text: "event: error\ndata: a\n\ndata: b\n\n",
    events: [{ event: "error", data: "a" }, message("b")],
  },
  { title: "a name without data", text: "event: x\n\ndata: b\n\n", events: [message("b")] },
  {
    title: "CRLF",
    text: "data: a\r\ndata: b\r\n\r\ndata: c\r\n\r\n",
    events: [message("a\nb"), message("c")],
  },
  { title: "CR", text: "data: a\rdata: b\r\rdata: c\r\r", events: [message("a\nb"), message("c")] },
  {
    title: "CR, LF and CRLF mixed",
    text: "data: a\r\ndata: b\n\rdata: c\r\r\n",
    events: [message("a\nb"), message("c")],
  },
  { title: "a byte order mark", text: "\ufeffdata: a\n\n", events: [message("a")] },
  { title: "an end without an empty line", text: "data: a\n\ndata: b", events: [message("a"), message("b")] },
  { title: "empty lines in a row", text: "\n\n\ndata: a\n\n\n\n", events: [message("a")] },
  {
    title: "line separators that are none here",
    text: "data: a\u2028b\u0085c\n\n",
    events: [message("a\u2028b\u0085c")],
  },
  { title: "nothing", text: "", events: [] },
];

function read(parts: readonly string[]): SseEvent[] {
  const decoder = new SseDecoder();
  return [...parts.flatMap((part) => decoder.push(part)), ...decoder.end()];
}

describe("SseDecoder reads", () => {
  it.each(cases)("$title, however it is cut", ({ text, events }) => {
    expect(read([text])).toEqual(events);
    expect(read([...text])).toEqual(events);
    for (let cut = 0; cut <= text.length; cut += 1) {
      expect(read([text.slice(0, cut), "", text.slice(cut)]), `cut at ${cut}`).toEqual(events);
    }
  });

  it("no line and no event above its limit", () => {
    for (const text of ["data: aaaaaaaaaaaa", "data: aaaa\ndata: bbbb\ndata: cccc\n"]) {
      const decoder = new SseDecoder(10);
      const events = [...text].flatMap((char) => decoder.push(char));
      expect([...events, ...decoder.push("\n\ndata: x\n\n"), ...decoder.end()]).toEqual([]);
      expect(decoder.overflow).toBe(true);
    }
  });

  it("one long line in small pieces in linear time", async () => {
    const read = (chars: number) => () => {
      const decoder = new SseDecoder();
      decoder.push("data: ");
      for (let at = 0; at < chars; at += 4) decoder.push("aaaa");
      expect(decoder.push("\n\n")[0]?.data.length).toBe(chars);
    };
    expect(await growth(read(500_000), read(4_000_000), 24)).toBeLessThan(24);
  });

  it("lines of unknown fields in about the time of lines of data", async () => {
    const read = (line: string) => () => {
      const decoder = new SseDecoder();
      for (let piece = 0; piece < 10; piece += 1) decoder.push(`${line}\n\n`.repeat(5_000));
      expect(decoder.end()).toEqual([]);
    };
    expect(await growth(read("data:"), read("a"), 8)).toBeLessThan(8);
  });
});
