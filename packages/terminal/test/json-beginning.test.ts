/** Checks that arguments of any size are written as the beginning of their JSON, without reading the rest. */
import type { CallItem } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { createTheme } from "../src/theme/theme.ts";
import { callHead } from "../src/transcript/draw-call.ts";
import { drawItem } from "../src/transcript/draw-item.ts";
import { jsonBeginning } from "../src/transcript/json-beginning.ts";

const small: readonly unknown[] = [
  { path: 'a\n"b"', limit: 3, all: true, none: null },
  {
    edits: [
      { old: "a", new: "b" },
      { old: "", new: "é😀" },
    ],
    empty: {},
    no: [],
  },
  [1, [2, [3, []]]],
  { gone: undefined, here: 1 },
  "text",
  null,
  1e21,
];

function nested(depth: number): unknown {
  let value: unknown = "deep";
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { value };
  return value;
}

describe("jsonBeginning", () => {
  test.each(small)("%j is what JSON.stringify makes of it, or its beginning", (value) => {
    for (const indent of [0, 2] as const) {
      const whole = JSON.stringify(value, undefined, indent);
      expect(jsonBeginning(value, 1_000, indent)).toBe(whole);
      const cut = jsonBeginning(value, 10, indent);
      expect(cut).toBe(whole.length <= 10 ? whole : `${whole.slice(0, 10)}…`);
    }
  });

  test("values after the cut are not read", () => {
    const members = Array.from({ length: 100 }, (_, index) => `member ${index}`);
    Object.defineProperty(members, 50, {
      get() {
        throw new Error("it was read");
      },
    });
    expect(jsonBeginning({ members }, 200)).toHaveLength(201);
    expect(() => jsonBeginning({ members }, 2_000)).toThrow("it was read");
  });
});

describe("a call with large or odd arguments", () => {
  const theme = createTheme("none", {});
  const call = (args: CallItem["arguments"], more: Partial<CallItem> = {}): CallItem => {
    const base = { key: "k", kind: "call", callId: "1", toolName: "write_file", progress: "" } as const;
    return { ...base, state: "done", notes: [], arguments: args, ...more };
  };
  const drawn = (item: CallItem) => drawItem(item, 80, { theme, opened: true, rawCalls: false });

  test("shows the beginning of arguments and diff, and says that more follows", () => {
    const diff = `@@ -0,0 +1 @@\n${"+a row\n".repeat(100_000)}`;
    const lines = drawn(call({ path: "a", content: "a row\n".repeat(100_000) }, { diff }));
    expect(lines.length).toBeLessThan(8_000);
    expect(lines.join("\n")).toMatch(/… more arguments\n[\s\S]*… \d+ more characters of the diff/);
  });

  test("counts the lines of a result of any size", () => {
    const data = "a\n".repeat(200_000);
    const metadata = { execution_time_ms: 1, data_size_bytes: data.length, timestamp: 0 };
    const result = { success: true, data, error_message: null, error_type: "none", metadata } as const;
    expect(drawn(call({}, { result })).length).toBeGreaterThan(200_000);
  });

  test("reads only the first arguments for its summary, which has a limited length", () => {
    const unread = Object.defineProperty({}, "x", {
      enumerable: true,
      get() {
        throw new Error("it was read");
      },
    }) as CallItem["arguments"];
    const args = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [`a${index}`, index < 25 ? 1 : unread]),
    );
    const head = callHead(call(args as CallItem["arguments"], { toolName: "t".repeat(5_000) }), 80, theme);
    expect(head).toContain("a0=1");
    expect(head.length).toBeLessThan(200);
  });

  test("is drawn even with absurdly deep nesting", () => {
    const item = call({ value: nested(50_000) } as CallItem["arguments"]);
    expect(callHead(item, 80, theme)).toContain("value=");
    expect(drawn(item).join("")).toContain("…");
    expect(drawItem(item, 80, { theme, opened: false, rawCalls: true }).join("")).toContain("value");
  });
});
