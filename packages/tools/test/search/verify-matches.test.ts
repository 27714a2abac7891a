import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { readMatch } from "@localharness/processes/search/match";
import { verifyMatches } from "@localharness/processes/search/verify-matches";
import { describe, expect, test } from "vitest";
import { openBench, said } from "../bench.ts";

describe("a match that is in the file", () => {
  test.each<[string, Buffer]>([
    ["with LF", Buffer.from("one\nneedle here\n")],
    ["with CRLF", Buffer.from("one\r\nneedle here\r\n")],
    ["without an end", Buffer.from("one\nneedle here")],
    ["in the first line after a mark", Buffer.from("\ufeffneedle here\n")],
    ["in UTF-16", Buffer.from("\ufeffone\nneedle here\n", "utf16le")],
    ["in latin-1", Buffer.from("one\ncaf\xe9 needle here\n", "latin1")],
    ["in a line that is too long", Buffer.from(`one\nneedle here ${"é".repeat(2000)}\nlast\n`)],
    ["behind much else", Buffer.from(`${"filler\n".repeat(400_000)}needle here\n`)],
    ["across the pieces that are read", Buffer.from(`${"x".repeat(1024 * 1024 - 8)}\nneedle here\n`)],
  ])("is kept %s", async (_, bytes) => {
    const bench = await openBench();
    bench.write("sub/file.txt", bytes);
    const output = said(await bench.call("grep_search", { pattern: "needle here" }));
    expect(output).toContain("1 match in 1 file");
    expect(output).toMatch(/^sub\/file\.txt:\d+: .*needle here/m);
  });
});

test.each([
  ["f.txt\x002:second", true],
  ["f.txt\x002:sec [... 3 more characters]", true],
  ["f.txt\x002:first", false],
  ["f.txt\x009:second", false],
  ["none.txt\x001:first", false],
  ["link/secret.txt\x001:OUTSIDE", false],
  ["alias/f.txt\x002:second", false],
])("the match %j is kept: %s", async (printed, kept) => {
  const bench = await openBench();
  bench.write("f.txt", "first\nsecond\n");
  symlinkSync(bench.outside, join(bench.root, "link"));
  symlinkSync(".", join(bench.root, "alias"));
  const match = readMatch(printed, "");
  expect(match).toBeDefined();
  const verified = await verifyMatches(bench.resources.workspace, match === undefined ? [] : [match]);
  expect(verified).toHaveLength(kept ? 1 : 0);
});

describe("a search", () => {
  test("skips secrets that were not named, with the same note whether one would match", async () => {
    const bench = await openBench();
    bench.write(".env", "TOKEN=needle\n");
    bench.write("keys/server.pem", "needle\n");
    bench.write("a.txt", "needle\n");
    const all = { include_hidden: true, ignore_gitignore: true };
    expect(said(await bench.call("grep_search", { pattern: "needle", ...all }))).toContain(
      "1 match in 1 file",
    );
    const [hit, miss] = [
      await bench.call("grep_search", { pattern: "TOKEN", ...all }),
      await bench.call("grep_search", { pattern: "TOKEM", ...all }),
    ];
    expect(JSON.stringify(hit).replace("TOKEN", "")).toBe(JSON.stringify(miss).replace("TOKEM", ""));
    expect(JSON.stringify(hit)).toContain("only searched when path names them");
    expect(said(await bench.call("grep_search", { pattern: "TOKEN", path: ".env" }))).toContain(".env:1:");
  });

  test("leaves out what a rule denies, even when it is named", async () => {
    const bench = await openBench();
    bench.write("private/a.txt", "needle\n");
    bench.write("b.txt", "needle\n");
    const denies = (path: string) => path.startsWith("private/");
    expect(said(await bench.call("grep_search", { pattern: "needle" }, { denies }))).toContain(
      "1 match in 1",
    );
    for (const path of ["private", "private/a.txt"]) {
      const output = said(await bench.call("grep_search", { pattern: "needle", path }, { denies }));
      expect(output).toContain("No matches");
    }
  });
});
