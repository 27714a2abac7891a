import { describe, expect, test } from "vitest";
import { openBench, said } from "../bench.ts";

const five = "1\n2\n3\n4\n5\n";

describe("replace_lines", () => {
  test.each([
    [five, 2, 3, "x", "1\nx\n4\n5\n"],
    [five, 2, 2, "x\ny\n", "1\nx\ny\n3\n4\n5\n"],
    [five, 1, 5, "x\n", "x\n"],
    [five, 2, 4, "", "1\n5\n"],
    ["a\nb", 2, 2, "c\nd\n", "a\nc\nd"],
    ["a\r\nb\r\n", 1, 1, "x\ny", "x\r\ny\r\nb\r\n"],
    ["\ufeffone\ntwo\n", 1, 1, "x", "\ufeffx\ntwo\n"],
    ["a\r\nb\nc\r\n", 2, 2, "x", "a\r\nx\r\nc\r\n"],
  ])("in %j the lines %d to %d by %j", async (before, line_start, line_end, new_content, after) => {
    const bench = await openBench();
    bench.write("f", before);
    expect(await bench.call("replace_lines", { path: "f", line_start, line_end, new_content })).toMatchObject(
      { ok: true },
    );
    expect(bench.text("f")).toBe(after);
  });

  test("says how many lines were replaced, and what moved", async () => {
    const bench = await openBench();
    bench.write("f", five);
    const output = await bench.call("replace_lines", {
      path: "f",
      start_line: 2,
      end_line: 3,
      content: "x\ny\nz",
    });
    expect(said(output)).toBe(
      "Successfully wrote to f: replaced lines 2-3 (2 lines) by 3 lines. The file has 6 lines now. Lines after them moved by +1.",
    );
  });

  test.each([
    [0, 1, "line_start is 0, a whole number from 1 to 5"],
    [-1, 2, "line_start is -1"],
    [6, 6, "line_start is 6, a whole number from 1 to 5"],
    [3, 2, "line_end is 2, a whole number from 3 to 5"],
    [1, 9, "line_end is 9, a whole number from 1 to 5"],
    [1.5, 2, "line_start"],
  ])("refuses the lines %d to %d", async (line_start, line_end, message) => {
    const bench = await openBench();
    bench.write("f", five);
    const output = await bench.call("replace_lines", { path: "f", line_start, line_end, new_content: "x" });
    expect(output).toMatchObject({ ok: false, errorType: "validation_failed" });
    expect(said(output)).toContain(message);
    expect(bench.text("f")).toBe(five);
  });

  test("never writes at numbers that an earlier edit has moved", async () => {
    const bench = await openBench();
    bench.write("f", five);
    await bench.call("read_file", { path: "f" });
    const change = (line: number, new_content: string) =>
      bench.call("replace_lines", { path: "f", line_start: line, line_end: line, new_content });
    expect(await change(3, "a\nb\nc")).toMatchObject({ ok: true });
    expect(said(await change(5, "X"))).toContain("moved by +2");
    expect(await change(2, "Y")).toMatchObject({ ok: true });
    await bench.call("read_file", { path: "f" });
    expect(await change(7, "X")).toMatchObject({ ok: true });
    expect(bench.text("f")).toBe("1\nY\na\nb\nc\n4\nX\n");
  });

  test("refuses an empty file, a placeholder, a missing file and a changed one", async () => {
    const bench = await openBench();
    bench.write("empty", "");
    bench.write("f", five);
    const change = { line_start: 1, line_end: 1, new_content: "x" };
    expect(await bench.call("replace_lines", { path: "empty", ...change })).toMatchObject({ ok: false });
    expect(await bench.call("replace_lines", { path: "none", ...change })).toMatchObject({
      errorType: "not_found",
    });
    const placeholder = { ...change, new_content: "// ... existing code ..." };
    expect(await bench.call("replace_lines", { path: "f", ...placeholder })).toMatchObject({ ok: false });
    await bench.call("read_file", { path: "f" });
    bench.write("f", "other\n");
    expect(said(await bench.call("replace_lines", { path: "f", ...change }))).toContain("Read it again");
  });
});
