/** Checks the question whether a folder is trusted, and which lines answer it. */
import { PassThrough } from "node:stream";
import type { TrustAnswer } from "@localharness/harness/trust/settle-trust";
import { trustText } from "@localharness/harness/trust/trust-question";
import { describe, expect, test } from "vitest";
import { askTrust } from "../../src/terminal/ask-trust.ts";
import { createTextOutput } from "../../src/terminal/output.ts";

describe("the question of a first run", () => {
  const answers: readonly (readonly [string, readonly (string | undefined)[], TrustAnswer])[] = [
    ["1 trusts", ["1"], "trust"],
    ["yes trusts", [" Yes "], "trust"],
    ["2 trusts, and begins in mode auto", ["2"], "auto"],
    ["3 only reads", ["3"], "read"],
    ["n only reads", ["n"], "read"],
    ["4 leaves", ["4"], "leave"],
    ["the end of input leaves", [undefined], "leave"],
    ["anything else is asked about again", ["", "trust me", "11", "1 no", "no, leave", "1"], "trust"],
  ];
  test.each(answers)("%s", async (_title, lines, answer) => {
    const left = [...lines];
    const stream = Object.assign(new PassThrough(), { isTTY: false });
    const output = createTextOutput(stream);
    expect(
      await askTrust({ workspace: "/w", confined: true }, output, {
        next: async () => left.shift(),
        settle: async () => false,
      }),
    ).toBe(answer);
    expect(left).toEqual([]);
    const printed = String(stream.read());
    expect(printed.split("> ")).toHaveLength(lines.length + 1);
    if (lines.includes(undefined)) expect(printed).toMatch(/> \n$/);
  });

  test.each(["1", "2"])("asks again when more is typed right after %s, which trusts", async (first) => {
    const left = [first, "3"];
    const followed = [false, true];
    const output = createTextOutput(new PassThrough());
    const lines = { next: async () => left.shift(), settle: async () => followed.shift() ?? false };
    expect(await askTrust({ workspace: "/w", confined: true }, output, lines)).toBe("read");
    expect(left).toEqual([]);
  });

  test("says what auto means with a sandbox and without", () => {
    expect(trustText("/w", true)).toContain(
      "Auto: edits, and commands that stay in the sandbox, run unasked.",
    );
    expect(trustText("/w", false)).toContain("commands ask, because there is no sandbox here");
  });

  test("escapes hidden characters in the name of the folder", () => {
    expect(trustText("/w/a\u202eb\n[1]", true)).toContain("  /w/a\\u202eb\\n[1]\n");
  });
});
