import { HarnessError } from "@localharness/engine";
import { describe, expect, it } from "vitest";
import { readText } from "../../src/http/read-answer.ts";
import { parseRecording, replayHttp } from "../../src/index.ts";

const head = { type: "recording", version: 1, provider: "ollama", baseUrl: "http://a", model: "m" };
const lines = (...values: unknown[]) => values.map((value) => JSON.stringify(value)).join("\n");

describe("parseRecording", () => {
  it("assembles exchanges, even overlapping ones, and ignores an incomplete last line", () => {
    const text = `${lines(
      head,
      { type: "request", n: 1, at: 0, method: "POST", url: "http://a/1" },
      { type: "request", n: 2, at: 1, method: "POST", url: "http://a/2" },
      { type: "response", n: 2, at: 2, status: 200, headers: { "content-type": "x" } },
      { type: "failure", n: 1, at: 3, failure: { kind: "refused", message: "no" } },
      { type: "part", n: 2, at: 4, text: "a" },
      { type: "part", n: 2, at: 5, text: "b" },
      { type: "failure", n: 2, at: 6, failure: { kind: "dropped", message: "gone" } },
    )}\n{"type":"par`;
    expect(parseRecording(text, "file")).toEqual({
      provider: "ollama",
      baseUrl: "http://a",
      model: "m",
      exchanges: [
        { url: "http://a/1", status: 0, headers: {}, parts: [], failure: { kind: "refused", message: "no" } },
        {
          url: "http://a/2",
          status: 200,
          headers: { "content-type": "x" },
          parts: ["a", "b", { kind: "dropped", message: "gone" }],
        },
      ],
    });
  });

  const first = { type: "request", n: 1, at: 0, method: "POST", url: "http://a/1" };
  it.each([
    ["null", lines(head, null, first)],
    ["a number", lines(head, 1)],
    ["a part without text", lines(head, first, { type: "part", n: 1, at: 0 })],
    ["a failure of no kind", lines(head, { type: "failure", n: 1, at: 0, failure: null })],
    ["a response without headers", lines(head, first, { type: "response", n: 1, at: 0, status: 200 })],
    ["an unknown line", lines(head, { type: "image", n: 1 })],
    ["a torn line in the middle", `${lines(head)}\n{"type":"par\n${lines(first)}`],
  ])("refuses %s", (_what, text) => {
    expect(() => parseRecording(text, "file")).toThrow(HarnessError);
    expect(() => parseRecording(text, "file")).toThrow(
      /^file, line \d: expected a line of a recording, got /,
    );
  });

  it.each(["", "{}", "no json", lines({ ...head, version: 2 }), lines({ ...head, model: 1 })])(
    "refuses %j as no recording",
    (text) => {
      expect(() => parseRecording(text, "file")).toThrow("file is not a recording of a model");
    },
  );
});

it("replays nothing for an aborted request", async () => {
  const http = replayHttp(parseRecording(lines(head), "file"));
  const answer = await http.send({ method: "GET", url: "http://a", headers: {} }, AbortSignal.abort());
  expect(answer).toMatchObject({ kind: "aborted" });
});

it("gives each address its own answers, in their order", async () => {
  const exchange = (url: string, part: string) => ({ url, status: 200, headers: {}, parts: [part] });
  const exchanges = [
    exchange("http://a/v1/chat", "1"),
    exchange("http://a/props", "2"),
    exchange("http://a/v1/chat", "3"),
  ];
  const http = replayHttp({ provider: "custom", baseUrl: "http://a/v1", model: "m", exchanges });
  const ask = async (url: string) => {
    const answer = await http.send({ method: "GET", url, headers: {} }, new AbortController().signal);
    return answer.kind === "response" ? readText(answer, 9) : answer.kind;
  };
  const asked = [
    "http://a/v1/chat",
    "http://a/v1/count",
    "http://b/v1/chat?x",
    "http://a/props",
    "http://a/v1/chat",
  ];
  const answers: string[] = [];
  for (const url of asked) answers.push(await ask(url));
  expect(answers).toEqual(["1", "unreadable", "3", "2", "unreadable"]);
});
