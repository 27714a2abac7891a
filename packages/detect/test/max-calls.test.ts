/** Checks that a detector keeps the first calls of a reply and counts the others, however they are written. */
import { describe, expect, test } from "vitest";
import { type DetectEvent, detect } from "../src/index.ts";

const tools = [{ name: "look", parameters: { type: "object", properties: { path: { type: "string" } } } }];
const call = (path: number) => `{"name":"look","arguments":{"path":"f${path}"}}`;
const numbers = [0, 1, 2, 3, 4];

const texts: readonly (readonly [string, string, number])[] = [
  ["tags", numbers.map((n) => `<tool_call>${call(n)}</tool_call>`).join("\n"), 3],
  ["a list", `[TOOL_CALLS] [${numbers.map(call).join(", ")}]`, 3],
  [
    "tags, one of which cannot be read",
    `<tool_call>{"name":"look","arguments":[1]}</tool_call>\n${numbers.map((n) => `<tool_call>${call(n)}</tool_call>`).join("\n")}`,
    4,
  ],
];

const of = (events: readonly DetectEvent[], type: DetectEvent["type"]) =>
  events.filter((event) => event.type === type);

describe.each(texts)("of calls in %s", (_title, text, left) => {
  test("the first two are kept, and the others are counted", () => {
    const events = detect(text, { tools, maxCalls: 2 });
    const kept = events.filter(({ type }) => type === "tool-call-end" || type === "tool-call-error");
    expect(kept).toHaveLength(3);
    expect(kept.at(-1)).toMatchObject({ type: "tool-call-error", reason: "too-many", calls: left });
    expect(of(events, "tool-call-start").length).toBeLessThanOrEqual(2);
  });

  test("all are kept without a limit, and with one that they do not reach", () => {
    expect(detect(text, { tools, maxCalls: 9 })).toEqual(detect(text, { tools }));
    expect(of(detect(text, { tools }), "tool-call-end")).toHaveLength(5);
  });
});
