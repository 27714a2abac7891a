import type { Curator } from "@localharness/engine";
import type { JsonObject } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { openBench, said } from "../bench.ts";

const text = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");
const curator: Curator = {
  curate: (lines) =>
    Promise.resolve(
      lines[0] === "plain"
        ? undefined
        : {
            ranges: [
              { first: 2, last: 3 },
              { first: 50, last: 50 },
            ],
            reason: "Chosen.",
          },
    ),
};

const curated =
  "[line 1 is left out: read_file with offset=1 and end_line=1 shows them]\n2: line 2\n3: line 3\n[lines 4-49 are left out: read_file with offset=4 and end_line=49 shows them]\n50: line 50\n[lines 51-101 are left out: read_file with offset=51 and end_line=101 shows them]";

async function benchWith(content: string) {
  const bench = await openBench({ curator });
  bench.write("f", content);
  return bench;
}

describe("a curated read", () => {
  test("shows the lines chosen and names each gap", async () => {
    const bench = await benchWith(text(101));
    const output = await bench.call("read_file", { path: "f" });
    expect(output).toMatchObject({ notes: ["Chosen. An edit needs lines that were shown."] });
    expect(said(output)).toBe(curated.replace("1 shows them]\n2", "1 shows it]\n2"));
  });

  test.each<[string, string, JsonObject]>([
    ["a file of 100 lines", text(100), {}],
    ["a range", text(101), { offset: 1 }],
    ["a file of which the curator chooses nothing", `plain\n${text(101)}`, {}],
  ])("is not made of %s", async (_, content, range) => {
    const bench = await benchWith(content);
    expect(said(await bench.call("read_file", { path: "f", ...range }))).not.toContain("left out");
    const edit = { path: "f", line_start: 90, line_end: 90, new_content: "x" };
    expect(await bench.call("replace_lines", edit)).toMatchObject({ ok: true });
  });

  test.each<[string, string, JsonObject, boolean]>([
    ["a line shown", "replace_lines", { line_start: 2, line_end: 3, new_content: "x\ny" }, true],
    ["a line left out", "replace_lines", { line_start: 3, line_end: 4, new_content: "x" }, false],
    ["between lines shown", "insert_lines", { line_start: 3, new_content: "x" }, true],
    ["beside a line left out", "insert_lines", { line_start: 4, new_content: "x" }, false],
    ["after the last line", "insert_lines", { line_start: 102, new_content: "x" }, true],
    ["text shown", "edit_file", { old_string: "line 50\n", new_string: "x\n" }, true],
    ["text left out", "edit_file", { old_string: "line 60\n", new_string: "x\n" }, false],
    ["the whole file", "write_file", { content: "x" }, false],
  ])("lets an edit of %s with %s through: %j", async (_, tool, args, allowed) => {
    const bench = await benchWith(text(101));
    await bench.call("read_file", { path: "f" });
    const output = await bench.call(tool, { path: "f", ...args });
    expect(output.ok).toBe(allowed);
    if (allowed) return;
    expect(said(output)).toContain('of "f" was left out when you read the file; nothing was written.');
    expect(bench.text("f")).toBe(text(101));
    await bench.call("read_file", { path: "f", offset: 1, end_line: 101 });
    expect(await bench.call(tool, { path: "f", ...args })).toMatchObject({ ok: true });
  });

  test("a shorter text before does not make lines count as shown", async () => {
    const bench = await benchWith(text(101));
    await bench.call("read_file", { path: "f" });
    await bench.call("replace_lines", { path: "f", line_start: 2, line_end: 3, new_content: "x" });
    const edit = { path: "f", old_string: "line 4\n", new_string: "y\n" };
    expect(await bench.call("edit_file", edit)).toMatchObject({ ok: false });
  });
});
