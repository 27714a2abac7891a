import { describe, expect, test } from "vitest";
import { openBench, said } from "../bench.ts";

describe("insert_lines", () => {
  test.each([
    ["a\nb\n", 1, "x", "x\na\nb\n"],
    ["a\nb\n", 2, "x\ny\n", "a\nx\ny\nb\n"],
    ["a\nb\n", 3, "x", "a\nb\nx\n"],
    ["a\nb", 3, "x", "a\nb\nx"],
    ["", 1, "x", "x\n"],
    ["a\r\n", 2, "x", "a\r\nx\r\n"],
    ["a\n", 1, "\n", "\na\n"],
  ])("into %j before line %d: %j", async (before, line, new_content, after) => {
    const bench = await openBench();
    bench.write("f", before);
    const output = await bench.call("insert_lines", {
      path: "f",
      line_start: line,
      line_end: line,
      new_content,
    });
    expect(output).toMatchObject({ ok: true, achieved: [{ kind: "wrote", subject: "f" }] });
    expect(bench.text("f")).toBe(after);
  });

  test.each([
    [{ line_start: 4 }, "line_start is 4, a whole number from 1 to 3"],
    [{ line_start: 0 }, "line_start is 0"],
    [{ line_start: 1, line_end: 2 }, "line_end is 2, it must equal line_start (1)"],
    [{ line_start: 1, new_content: "" }, "new_content is empty"],
  ])("refuses %j", async (args, message) => {
    const bench = await openBench();
    bench.write("f", "a\nb\n");
    const output = await bench.call("insert_lines", { path: "f", new_content: "x", ...args });
    expect(output).toMatchObject({ ok: false, errorType: "validation_failed" });
    expect(said(output)).toContain(message);
    expect(bench.text("f")).toBe("a\nb\n");
  });

  test("appends repeatedly, but not at a number that moved", async () => {
    const bench = await openBench();
    bench.write("f", "a\nb\n");
    await bench.call("read_file", { path: "f" });
    const insert = (line_start: number) =>
      bench.call("insert_lines", { path: "f", line_start, new_content: "x" });
    expect(await insert(3)).toMatchObject({ ok: true });
    expect(await insert(4)).toMatchObject({ ok: true });
    expect(said(await insert(4))).toContain("moved");
    expect(await insert(1)).toMatchObject({ ok: true });
    expect(bench.text("f")).toBe("x\na\nb\nx\nx\n");
  });

  test("previews the lines around", async () => {
    const bench = await openBench();
    bench.write("f", "a\nb\nc\n");
    expect(await bench.preview("insert_lines", { path: "f", line_start: 2, new_content: "x" })).toBe(
      "--- a/f\n+++ b/f\n@@ -1,3 +1,4 @@\n a\n+x\n b\n c\n",
    );
  });
});
