import type { ModelMessage } from "@localharness/protocol";
import { describe, expect, it } from "vitest";
import { renderHistory } from "../../src/text-calls/render-history.ts";
import { conversation, lsTool, user } from "../test-request.ts";

const tool = { format: "hermes", resultRole: "tool" } as const;
const asUser = { format: "hermes", resultRole: "user" } as const;

function result(value: object): ModelMessage {
  return { role: "tool", toolCallId: "c", toolName: "ls", content: JSON.stringify(value) };
}

describe("renderHistory", () => {
  const results = [
    { title: "what a tool gave", value: { success: true, data: "a\nb", error_message: null }, text: "a\nb" },
    {
      title: "why it failed",
      value: { success: false, data: null, error_message: "no such file", error_type: "not_found" },
      text: "ERROR (not_found): no such file",
    },
    {
      title: "notes",
      value: { success: true, data: "a", error_message: null, notes: ["repeated", "cut"] },
      text: "a\nNote: repeated\nNote: cut",
    },
    { title: "what is no result", value: { other: 1 }, text: '{"other":1}' },
  ];
  it.each(results)("shows $title without the envelope", ({ value, text }) => {
    const [message] = renderHistory([result(value)], [], tool);
    expect(message).toMatchObject({ role: "tool", toolCallId: "c", content: `TOOL RESULT (ls):\n${text}` });
  });

  it("adds the tools to the system prompt, or makes one", () => {
    const [first] = renderHistory([{ role: "system", content: "Be brief." }, user("hi")], [lsTool], tool);
    expect(first?.role).toBe("system");
    expect(first?.content.startsWith("Be brief.\n\n")).toBe(true);
    const [made, second] = renderHistory([user("hi")], [lsTool], tool);
    expect(made?.role).toBe("system");
    expect(second).toEqual(user("hi"));
  });

  it("leaves a conversation without tools and calls as it is", () => {
    const messages: ModelMessage[] = [
      { role: "system", content: "s" },
      user("a"),
      { role: "assistant", content: "b" },
    ];
    expect(renderHistory(messages, [], tool)).toEqual(messages);
  });

  it("keeps the thought and the unreadable arguments of an earlier call", () => {
    const rendered = renderHistory(conversation, [lsTool], tool);
    expect(rendered[2]).toMatchObject({ role: "assistant", reasoning: "I should list." });
    expect(rendered[2]?.content).toContain("{broken");
  });

  it("is the start of the rendering of every longer conversation", () => {
    const longer = [...conversation, user("and now"), { role: "assistant" as const, content: "done" }];
    for (const rendering of [tool, asUser]) {
      const whole = renderHistory(longer, [lsTool], rendering);
      for (const count of [2, longer.length - 1]) {
        const part = renderHistory(longer.slice(0, count), [lsTool], rendering);
        expect(whole.slice(0, part.length)).toEqual(part);
      }
    }
  });

  it("makes one message of neighbouring ones in the user role", () => {
    const rendered = renderHistory([...conversation, user("and now")], [], asUser);
    expect(rendered.map((message) => message.role)).toEqual(["system", "user", "assistant", "user"]);
    expect(rendered.at(-1)?.content).toBe("TOOL RESULT (ls):\na.txt\n\nTOOL RESULT (ls):\nno\n\nand now");
  });
});
