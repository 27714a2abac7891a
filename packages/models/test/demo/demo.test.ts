import { describe, expect, it } from "vitest";
import { createDemo, createModel, demoStyle, demoStyleNames } from "../../src/index.ts";
import { collect } from "../model-contract.ts";
import { definition, lsTool, user } from "../test-request.ts";

const tools = [lsTool, definition("get_current_time", [])];
const request = { messages: [user("list the files and tell me the time")], tools };

describe("the demo", () => {
  it.each(demoStyleNames())("writes its calls in the style %s, and they are read", async (style) => {
    const { model } = await createModel({ model: `demo:${style}`, environment: {} });
    const events = await collect(model, request);
    const calls = events.filter((event) => event.type === "tool-call-end");
    expect(calls.map(({ name, arguments: args }) => [name, args])).toEqual([
      ["ls", { path: "." }],
      ["get_current_time", {}],
    ]);
    const text = events.flatMap((event) => (event.type === "text-delta" ? [event.text] : [])).join("");
    expect(text.trim()).toBe("I list the files. I look at the clock.");
    expect(events.at(-1)).toEqual({ type: "model-end", stopReason: "tool-calls" });
  });

  it("writes text in small pieces", async () => {
    const pieces: string[] = [];
    for await (const event of createDemo("hermes").stream(request, new AbortController().signal)) {
      if (event.type === "text-delta") pieces.push(event.text);
      expect(event.type).not.toBe("tool-call-end");
    }
    expect(pieces.length).toBeGreaterThan(5);
    expect(pieces.join("")).toContain("<tool_call>");
  });

  it("stops when it is aborted", async () => {
    const controller = new AbortController();
    const seen: string[] = [];
    for await (const event of createDemo().stream({ messages: [], tools: [] }, controller.signal)) {
      seen.push(event.type);
      controller.abort();
    }
    expect(seen).toEqual(["text-delta", "model-error"]);
  });

  it.each([
    ["native", "native"],
    ["text", "ralph-lines"],
    ["hermes", "hermes"],
    ["klingon", undefined],
    ["constructor", undefined],
    ["toString", undefined],
  ])("knows the style %s as %s", (name, style) => {
    expect(demoStyle(name)).toBe(style);
  });
});
