import type { ModelMessage } from "@localharness/protocol";
import { describe, expect, it } from "vitest";
import type { Habit } from "../../../src/request/profile/habits.ts";
import { plainHabits } from "../../../src/request/profile/habits.ts";
import { shapeHistory } from "../../../src/request/profile/shape-history.ts";
import { createShortIds } from "../../../src/request/profile/short-ids.ts";
import { user } from "../../test-request.ts";

const system: ModelMessage = { role: "system", content: "S" };
const say = (content: string): ModelMessage => ({ role: "assistant", content });
const call = (content: string, ...ids: readonly string[]): ModelMessage => ({
  role: "assistant",
  content,
  reasoning: "R",
  toolCalls: ids.map((id) => ({ id, name: "ls", arguments: "{}" })),
});
const result = (id: string): ModelMessage => ({
  role: "tool",
  toolCallId: id,
  toolName: "ls",
  content: `of ${id}`,
});

/** Returns a history with one word per message: `u:text`, `a:text`, `a:text[ids]`, `t:id`. */
function brief(messages: readonly ModelMessage[]): string {
  return messages
    .map((message) => {
      if (message.role === "tool") return `t:${message.toolCallId}`;
      if (message.role !== "assistant") return `${message.role[0]}:${message.content}`;
      const ids = message.toolCalls?.map(({ id }) => id).join(",");
      return `a:${message.content}${ids === undefined ? "" : `[${ids}]`}${message.reasoning ?? ""}`;
    })
    .join(" ")
    .replaceAll("\n\n", "+");
}

const rows: readonly (readonly [habit: Habit, before: readonly ModelMessage[], after: string])[] = [
  [
    "one-call-a-message",
    [user("q"), call("x", "1", "2"), result("1"), result("2")],
    "u:q a:x[1]R t:1 a:[2] t:2",
  ],
  ["one-call-a-message", [user("q"), call("", "1", "2"), result("2")], "u:q a:[1]R a:[2] t:2"],
  ["one-call-a-message", [call("", "1"), result("1"), user("n")], "a:[1]R t:1 u:n"],
  ["alternating-roles", [system, user("a"), user("b"), say("c")], "s:S u:a+b a:c"],
  [
    "alternating-roles",
    [user("a"), call("", "1"), result("1"), user("b")],
    "u:a a:[1]R t:1 a:Understood. u:b",
  ],
  [
    "alternating-roles",
    [user("a"), call("", "1"), result("1"), user("b"), user("c")],
    "u:a a:[1]R t:1 a:Understood. u:b+c",
  ],
  [
    "alternating-roles",
    [user("a"), say("b"), call("", "1"), result("1"), say("c")],
    "u:a a:b a:[1]R t:1 u:Go on. a:c",
  ],
  ["alternating-roles", [user("a"), say("b"), say("c")], "u:a a:b+c"],
  ["alternating-roles", [say("b")], "u:Go on. a:b"],
  ["calls-without-content", [user("a"), call("x", "1"), result("1")], "u:a a:x a:[1]R t:1"],
  ["calls-without-content", [user("a"), call("", "1"), result("1"), say("b")], "u:a a:[1]R t:1 a:b"],
  ["no-system-role", [system, user("a"), say("b")], "u:S+a a:b"],
  ["no-system-role", [system], "u:S"],
  ["no-system-role", [system, say("b")], "u:S a:b"],
  ["no-thoughts", [user("a"), call("x", "1")], "u:a a:x[1]"],
  ["no-thought-beside-text", [call("x", "1"), call("", "2")], "a:x[1] a:[2]R"],
  [
    "results-as-user",
    [user("a"), say("call"), result("1"), result("2"), user("b")],
    "u:a a:call u:of 1+of 2 u:b",
  ],
  ["results-as-user", [call("", "1"), result("1"), result("2")], "a:[1]R t:1 u:of 2"],
];

describe("each habit changes only what it names", () => {
  it.each(rows)("%s: %#", (habit, before, after) => {
    expect(brief(shapeHistory(before, new Set([habit])))).toBe(after);
  });

  it("without a habit only empty answers are removed", () => {
    const messages = [system, user("a"), say(""), call("x", "1"), result("1")];
    expect(shapeHistory(messages)).toEqual(messages.filter((message) => message !== messages[2]));
  });

  it("images are removed for models without vision, and the text stays", () => {
    const shown: ModelMessage = { ...user("see"), images: [{ mediaType: "image/png", data: "AA==" }] };
    expect(shapeHistory([shown], new Set<Habit>(["no-images"]))).toEqual([
      user("see\n(You cannot see images, so they are left out.)"),
    ]);
  });
});

const turns: readonly ModelMessage[] = [
  system,
  user("a"),
  call("x", "call_1", "call_2"),
  result("call_1"),
  result("call_2"),
  say("b"),
  user("c"),
  call("", "call_3"),
  result("call_3"),
  user("steer"),
  call("", "call_4"),
  result("call_4"),
  say("d"),
];

describe("a longer history begins as the shorter one", () => {
  const wholes = [2, 5, 6, 7, 9, 10, 12, 13];
  const habits: readonly (readonly Habit[])[] = [
    ...rows.map(([habit]) => [habit]),
    ["nine-character-ids"],
    plainHabits,
  ];
  it.each(habits.map((one) => [one.join(" "), one] as const))("%s", (_, one) => {
    const shaped = wholes.map((length) => shapeHistory(turns.slice(0, length), new Set(one)));
    for (const [place, longer] of shaped.entries())
      for (const shorter of shaped.slice(0, place)) expect(longer.slice(0, shorter.length)).toEqual(shorter);
  });
});

describe("short ids", () => {
  it.each(["call_1", "", "x".repeat(1_000), "chatcmpl-tool-0123456789abcdef", "ü€😀"])("%s", (id) => {
    expect(createShortIds().of(id)).toMatch(/^[0-9A-Za-z]{9}$/);
    expect(createShortIds().of(id)).toBe(createShortIds().of(id));
  });

  it("an id of nine letters and digits stays the same", () => {
    expect(createShortIds().of("aB3456789")).toBe("aB3456789");
  });

  it("two ids never get the same short form, even if one is the other's short form", () => {
    const ids = createShortIds();
    const first = ids.of("call_1");
    const again = createShortIds();
    expect(again.of(first)).toBe(first);
    expect(again.of("call_1")).not.toBe(first);
    const many = new Set(Array.from({ length: 20_000 }, (_, index) => ids.of(`call_${index + 2}`)));
    expect(many.size).toBe(20_000);
  });

  it("are the same in a call and its result", () => {
    const shaped = shapeHistory(
      [call("", "call_1"), result("call_1")],
      new Set<Habit>(["nine-character-ids"]),
    );
    const [asked, given] = shaped;
    expect(asked?.role === "assistant" && asked.toolCalls?.[0]?.id).toBe(
      given?.role === "tool" && given.toolCallId,
    );
  });
});
