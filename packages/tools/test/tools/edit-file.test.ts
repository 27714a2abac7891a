import { describe, expect, test } from "vitest";
import { openBench, said } from "../bench.ts";

const code = "def one():\n    return 1\n\ndef two():\n    return 1\n";

describe("edit_file", () => {
  test("replaces a unique text, and says where", async () => {
    const bench = await openBench();
    bench.write("a.py", code);
    const output = await bench.call("edit_file", {
      path: "a.py",
      old_string: "def two():\n    return 1",
      new_string: "def two():\n    return 2",
    });
    expect(output).toMatchObject({
      ok: true,
      data: "Successfully edited a.py: replaced at line 4.",
      achieved: [{ kind: "wrote", subject: "a.py" }],
    });
    expect(bench.text("a.py")).toBe("def one():\n    return 1\n\ndef two():\n    return 2\n");
  });

  test.each([
    ["file_path", "oldString", "newString", "replaceAll"],
    ["filePath", "old_str", "new_str", "replace_all"],
    ["path", "search", "replace", "allow_multiple"],
    ["filename", "before", "after", "all"],
  ])("takes %s, %s, %s and %s", async (path, old, replacement, all) => {
    const bench = await openBench();
    bench.write("f", "a a\n");
    expect(
      await bench.call("Edit", { [path]: "f", [old]: "a", [replacement]: "b", [all]: true }),
    ).toMatchObject({
      ok: true,
      data: "Successfully edited f: replaced 2 times at the lines 1, 1.",
    });
    expect(bench.text("f")).toBe("b b\n");
  });

  test("says which tolerance found the text", async () => {
    const bench = await openBench();
    bench.write("f", "if x:\n        y()\n");
    const output = await bench.call("edit_file", {
      path: "f",
      old_string: "    y()\n",
      new_string: "    z()\n",
    });
    expect(output).toMatchObject({
      ok: true,
      data: "Successfully edited f: replaced at line 2.",
    });
    await bench.call("write_file", { path: "g", content: "a\n\tb\n" });
    const second = await bench.call("edit_file", { path: "g", old_string: "  b\n", new_string: "  c\n" });
    expect(second).toMatchObject({
      ok: true,
      notes: ["old_string was not found exactly, but with indentation adjusted"],
    });
    expect(bench.text("g")).toBe("a\n\tc\n");
  });

  test("lists all places of an ambiguous text and writes nothing", async () => {
    const bench = await openBench();
    bench.write("a.py", code);
    const output = await bench.call("edit_file", {
      path: "a.py",
      old_string: "return 1",
      new_string: "return 2",
    });
    expect(output).toMatchObject({ ok: false, errorType: "validation_failed" });
    expect(said(output)).toContain("found 2 times");
    expect(said(output)).toContain("2:     return 1\n5:     return 1");
    expect(bench.text("a.py")).toBe(code);
  });

  test.each([
    ["shows the closest region", "def two():\n    return 3", "x", "4: def two():"],
    [
      "says that the edit is there already",
      "def three():",
      "def two():",
      "new_string is already there at line 4",
    ],
    ["says that nothing is like it", "zzzzqqqq", "x", "Nothing in the file is like it"],
    ["refuses an empty text", "", "x", "old_string is empty"],
    ["refuses equal texts", "return 1", "return 1", "are the same"],
    ["refuses a stand-in for code", "def one():", "# ... rest of code ...", "replaces code"],
  ])("%s", async (_, old_string, new_string, message) => {
    const bench = await openBench();
    bench.write("a.py", code);
    const output = await bench.call("edit_file", { path: "a.py", old_string, new_string });
    expect(output).toMatchObject({ ok: false, errorType: "validation_failed" });
    expect(said(output)).toContain(message);
    expect(bench.text("a.py")).toBe(code);
  });

  test.each([
    ["CRLF", Buffer.from("one\r\ntwo\r\n"), "one\ntwo", "1\n2", Buffer.from("1\r\n2\r\n")],
    ["latin-1", Buffer.from("caf\xe9\n", "latin1"), "caf", "CAF", Buffer.from("CAF\xe9\n", "latin1")],
    ["a mark", Buffer.from("\ufeffa\nb"), "a\n", "c\n", Buffer.from("\ufeffc\nb")],
    ["UTF-16", Buffer.from("\ufeffa b", "utf16le"), "a", "é", Buffer.from("\ufeffé b", "utf16le")],
    ["dollar signs", Buffer.from("X\n"), "X", "$& $1 $$ $`", Buffer.from("$& $1 $$ $`\n")],
  ])("keeps %s", async (_, before, old_string, new_string, after) => {
    const bench = await openBench();
    bench.write("f", before);
    await bench.call("edit_file", { path: "f", old_string, new_string });
    expect(bench.bytes("f")).toEqual(after);
  });

  test("does not write characters that the encoding lacks, nor over a file that has changed", async () => {
    const bench = await openBench();
    bench.write("l1", Buffer.from("caf\xe9\n", "latin1"));
    expect(
      said(await bench.call("edit_file", { path: "l1", old_string: "caf", new_string: "日" })),
    ).toContain("latin-1");
    bench.write("f", "a\nb\n");
    await bench.call("read_file", { path: "f" });
    bench.write("f", "a\nb\nc\n");
    const output = await bench.call("edit_file", { path: "f", old_string: "a", new_string: "x" });
    expect(said(output)).toContain("Read it again");
    expect(bench.text("f")).toBe("a\nb\nc\n");
  });

  test.each([
    ["none", "not_found"],
    ["../outside/secret.txt", "validation_failed"],
    [".", "io_error"],
  ])("answers %s with %s", async (path, errorType) => {
    const bench = await openBench();
    expect(await bench.call("edit_file", { path, old_string: "a", new_string: "b" })).toMatchObject({
      errorType,
    });
  });

  test("previews the change", async () => {
    const bench = await openBench();
    bench.write("f", "a\n");
    const change = { path: "f", old_string: "a", new_string: "b" };
    expect(await bench.preview("edit_file", change)).toBe("--- a/f\n+++ b/f\n@@ -1,1 +1,1 @@\n-a\n+b\n");
    expect(await bench.preview("edit_file", { ...change, old_string: "z" })).toBeUndefined();
  });
});
