import { describe, expect, test } from "vitest";
import { openBench, said } from "../bench.ts";

const latin = (text: string) => Buffer.from(text, "latin1");
const marked = (text: string) => Buffer.from(`\ufeff${text}`, "utf16le");

/** Returns the lines with matches. */
const hits = (text: string) => text.split("\n").filter((line) => /^[^ ]+:\d+: /.test(line));

async function filled() {
  const bench = await openBench();
  bench.write("a/utf8.txt", "Straße nach Łódź\nplain\n");
  bench.write("b/old.txt", latin("first\nStra\xdfe, \xe9t\xe9 plain\r\n"));
  bench.write("c/win.txt", latin("\x93plain\x94 Stra\xdfe \x80 9\n"));
  bench.write("d/wide.txt", marked("x\nStraße plain\n"));
  bench.write("e/wide.txt", Buffer.from(marked("Straße plain\n")).swap16());
  bench.write("f/bom.txt", "\ufeffStraße plain\n");
  return bench;
}

describe("a search in files of several encodings", () => {
  test.each<[string, readonly string[]]>([
    [
      "straße",
      [
        "a/utf8.txt:1: Straße nach Łódź",
        "b/old.txt:2: Straße, été plain",
        "c/win.txt:1: “plain” Straße € 9",
        "d/wide.txt:2: Straße plain",
        "e/wide.txt:1: Straße plain",
        "f/bom.txt:1: Straße plain",
      ],
    ],
    ["ÉTÉ", ["b/old.txt:2: Straße, été plain"]],
    ["€ 9", ["c/win.txt:1: “plain” Straße € 9"]],
    ["“*”", ["c/win.txt:1: “plain” Straße € 9"]],
    ["first", ["b/old.txt:1: first"]],
    [
      "\\w{2}ße",
      [
        "a/utf8.txt:1: Straße nach Łódź",
        "b/old.txt:2: Straße, été plain",
        "c/win.txt:1: “plain” Straße € 9",
        "d/wide.txt:2: Straße plain",
        "e/wide.txt:1: Straße plain",
        "f/bom.txt:1: Straße plain",
      ],
    ],
    ["Ã", []],
  ])("finds %j as read_file shows it", async (pattern, expected) => {
    const bench = await filled();
    expect(hits(said(await bench.call("grep_search", { pattern })))).toEqual(expected);
  });

  test("prints lines readably although the pattern is plain", async () => {
    const bench = await filled();
    const found = hits(said(await bench.call("grep_search", { pattern: "plain" })));
    expect(found).toContain("b/old.txt:2: Straße, été plain");
    expect(found).toContain("c/win.txt:1: “plain” Straße € 9");
    expect(found).toHaveLength(6);
  });

  test("takes the file or the folder that path names, and the filter", async () => {
    const bench = await filled();
    for (const args of [{ path: "c" }, { path: "c/win.txt" }, { file_filter: "win.*" }]) {
      const output = said(await bench.call("grep_search", { pattern: "Straße", ...args }));
      expect(hits(output)).toEqual(["c/win.txt:1: “plain” Straße € 9"]);
    }
  });

  test("counts up to the limit over all of them", async () => {
    const bench = await openBench();
    bench.write("a.txt", latin("\xe4 word\n".repeat(5)));
    bench.write("b.txt", "ä word\n".repeat(5));
    const cut = said(await bench.call("grep_search", { pattern: "word", max_results: 7 }));
    expect(hits(cut)).toEqual([
      ...Array.from({ length: 5 }, (_, index) => `a.txt:${index + 1}: ä word`),
      "b.txt:1: ä word",
      "b.txt:2: ä word",
    ]);
    expect(cut).toContain("there are more");
  });

  test("leaves out secrets and what a rule denies in these files, too", async () => {
    const bench = await openBench();
    bench.write("key.pem", latin("gr\xfcn\n"));
    bench.write("no/a.txt", latin("gr\xfcn\n"));
    bench.write("yes.txt", latin("gr\xfcn\n"));
    const denies = (path: string) => path.startsWith("no/");
    const output = said(await bench.call("grep_search", { pattern: "grün" }, { denies }));
    expect(hits(output)).toEqual(["yes.txt:1: grün"]);
  });
});

describe("a search in a folder that ignore files exclude", () => {
  async function ignoring() {
    const bench = await openBench();
    bench.write(".gitignore", "out/\nlogs/*\n*.tmp\n");
    bench.write("out/a.txt", "needle\n");
    bench.write("logs/b.txt", "needle\n");
    bench.write("own/.gitignore", "*\n");
    bench.write("own/c.txt", "needle\n");
    bench.write("src/d.txt", "thread\n");
    bench.write("src/e.tmp", "needle\n");
    return bench;
  }

  test.each([
    ["out", ["out/a.txt:1: needle"], false],
    ["logs", ["logs/b.txt:1: needle"], true],
    ["own", ["own/c.txt:1: needle"], true],
    ["logs/b.txt", ["logs/b.txt:1: needle"], false],
    [".", ["out/a.txt:1: needle"].slice(1), false],
  ])("searches %s, which the call names", async (path, expected, isTold) => {
    const bench = await ignoring();
    const output = await bench.call("grep_search", { pattern: "needle", path });
    expect(hits(said(output))).toEqual(expected);
    expect(JSON.stringify(output).includes("because path names it")).toBe(isTold);
  });

  test("says which files of a named folder it passed over", async () => {
    const bench = await ignoring();
    const output = await bench.call("grep_search", { pattern: "needle", path: "src" });
    expect(said(output)).toContain("No matches");
    expect(JSON.stringify(output)).toContain(
      "1 file that ignore files such as .gitignore exclude was not searched (src/e.tmp)",
    );
    const other = await bench.call("grep_search", { pattern: "thread", path: "src" });
    expect(JSON.stringify(other)).not.toContain("not searched");
  });
});
