/** Known secrets are masked in everything that a tool returns. */
import { isCutDiff } from "@localharness/protocol";
import { expect, test } from "vitest";
import { maskDiff, maskResult, maskValue, safeMask } from "../../src/calls/mask-text.ts";
import { toResult } from "../../src/tool-result.ts";

const mask = safeMask((text) => text.replaceAll("s3cret", "[key]"));
const clock = { now: () => 7, monotonic: () => 0 };

test("a result is masked in data, message and notes, and its size is that of what is left", () => {
  const failed = { ok: false, errorType: "io_error", message: "no s3cret", data: "a s3cret" } as const;
  expect(maskResult(toResult(failed, clock, 3, ["note s3cret"]), mask)).toEqual({
    success: false,
    data: "a [key]",
    error_message: "no [key]",
    error_type: "io_error",
    metadata: { execution_time_ms: 3, data_size_bytes: 7, timestamp: 7 },
    notes: ["note [key]"],
  });
  const plain = toResult({ ok: true, data: "nothing" }, clock, 3);
  expect(maskResult(plain, mask)).toEqual(plain);
});

test("a value is masked in all its texts and keys; long texts are cut, with their length", () => {
  const value = { s3cret: ["s3cret", 1, null, { deep: "x".repeat(30) }], __proto__x: true };
  expect(maskValue(value, mask, 20)).toEqual({
    "[key]": ["[key]", 1, null, { deep: `${"x".repeat(20)}… (30 characters)` }],
    __proto__x: true,
  });
  const odd = JSON.parse('{"__proto__":"s3cret"}');
  expect(JSON.stringify(maskValue(odd, mask, 20))).toBe('{"__proto__":"[key]"}');
});

test("a secret at the cut is masked before it is cut", () => {
  expect(maskValue(`${"x".repeat(17)}s3cret`, mask, 20)).toBe(`${"x".repeat(17)}[ke… (22 characters)`);
});

test("a diff is masked, and cut after a whole line", () => {
  expect(maskDiff("@@ -1 +1 @@\n-s3cret\n+b\n", mask)).toBe("@@ -1 +1 @@\n-[key]\n+b\n");
  const row = `+${"x".repeat(99)}\n`;
  const cut = maskDiff(row.repeat(1_000), mask);
  expect(cut.startsWith(row.repeat(600))).toBe(true);
  expect(cut.endsWith(`${row}[... 352 more lines of the diff]\n`)).toBe(true);
  expect(isCutDiff(maskDiff("x".repeat(100_000), mask))).toBe(true);
});

test("text that cannot be masked is withheld", () => {
  const fails = safeMask(() => {
    throw new Error("no");
  });
  expect(fails("s3cret")).toBe("(withheld: known secrets could not be taken out of it)");
  expect(safeMask(undefined)("s3cret")).toBe("s3cret");
});
