import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openWorkspace } from "@localharness/workspace/paths/open-workspace";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../workspace/test/temporary-folder.ts";
import { openBench, said } from "./bench.ts";

const narrow = "Plan 7.45\u202fAM";
const plain = "Plan 7.45 AM";

async function filled() {
  const bench = await openBench();
  bench.write(`${narrow}/o\u0308l.txt`, "one\ntwo\n");
  return bench;
}

describe("a path that looks like exactly one file", () => {
  const path = `${plain}/öl.txt`;

  test.each([
    ["read_file", { path }, "1: one"],
    ["edit_file", { path, old_text: "two", new_text: "2" }, "o\u0308l.txt"],
    ["replace_lines", { path, line_start: 1, line_end: 1, new_content: "1" }, "o\u0308l.txt"],
    ["insert_lines", { path, line: 1, content: "0" }, "o\u0308l.txt"],
    ["grep_search", { pattern: "two", path }, "two"],
    ["ls", { path: plain }, "o\u0308l.txt"],
    ["get_file_tree", { path: plain }, "o\u0308l.txt"],
    ["write_file", { path, content: "new\n" }, "replaced"],
    ["mkdir", { path: plain }, "exists already"],
    ["remove", { path }, "Removed"],
  ])("is that file for %s", async (tool, args, words) => {
    const bench = await filled();
    const output = await bench.call(tool, args);
    expect(said(output)).toContain(words);
    expect(output).toMatchObject({ ok: true });
    const [note = ""] = output.notes?.filter((one) => one.includes("looks the same")) ?? [];
    expect(note).toContain("7.45\\u202fAM");
    expect(note.includes("o\\u0308l.txt")).toBe(!["ls", "get_file_tree", "mkdir"].includes(tool));
    expect(readdirSync(bench.root)).toEqual([narrow]);
    expect(readdirSync(join(bench.root, narrow))).toEqual(tool === "remove" ? [] : ["o\u0308l.txt"]);
  });

  test("is that folder for a command", async () => {
    const bench = await filled();
    expect(said(await bench.call("bash", { command: "cat *", cwd: plain }))).toContain("one\ntwo");
  });

  test("with the absolute path of the workspace, too", async () => {
    const bench = await filled();
    expect(said(await bench.call("read_file", { path: join(bench.root, path) }))).toContain("1: one");
  });

  test("is examined and shown as the file that it is", async () => {
    const bench = await openBench();
    bench.write("notes\u2014old.txt", "x\n");
    const facts = await bench.examine("write_file", { path: "notes-old.txt", content: "y\n" });
    expect(facts.paths).toEqual([
      { path: "notes\u2014old.txt", access: "write" },
      { path: "notes-old.txt", access: "write" },
    ]);
    expect(facts.effect).toContain('"notes\\u2014old.txt"');
    bench.write(".env\u200b", "TOKEN=1\n");
    const secret = await bench.examine("read_file", { path: ".e\u200dnv" });
    expect(secret.concerns?.map(({ id }) => id)).toEqual(["secret:.env"]);
  });

  test("holds the call to the file that was examined", async () => {
    const bench = await openBench();
    bench.write("a\u00a0b.txt", "old\n");
    const examined = await bench.examine("remove", { path: "a b.txt" });
    const paths = examined.paths?.filter((one) => one.path !== "a b.txt") ?? [];
    bench.write("a b.txt", "new\n");
    const output = await bench.call("remove", { path: "a b.txt" }, { examined: { ...examined, paths } });
    expect(output).toMatchObject({ ok: false, errorType: "permission_denied" });
    expect(readdirSync(bench.root)).toHaveLength(2);
  });
});

describe("a path", () => {
  test("with the exact name is that file, whatever looks like it", async () => {
    const bench = await openBench();
    bench.write("a b", "plain\n");
    bench.write("a\u00a0b", "other\n");
    const output = await bench.call("read_file", { path: "a b" });
    expect(said(output)).toContain("plain");
    expect(output.notes ?? []).toEqual([]);
  });

  test("that looks like several files is refused, with their names as escapes", async () => {
    const bench = await openBench();
    bench.write("a\u202fb.txt", "1\n");
    bench.write("a\u00a0b.txt", "2\n");
    for (const [tool, more] of [
      ["read_file", {}],
      ["write_file", { content: "3\n" }],
      ["remove", {}],
    ] as const) {
      const args = { path: "a b.txt", ...more };
      const output = await bench.call(tool, args);
      expect(output).toMatchObject({ ok: false, errorType: "validation_failed" });
      expect(said(output)).toContain('"a\\u00a0b.txt"');
      expect(said(output)).toContain('"a\\u202fb.txt"');
      expect((await bench.examine(tool, args)).concerns).toMatchObject([{ id: "path", decision: "deny" }]);
    }
    expect(readdirSync(bench.root)).toHaveLength(2);
  });

  test("that looks like nothing is as absent as before", async () => {
    const bench = await openBench();
    bench.write("x.txt", "1\n");
    expect(await bench.call("read_file", { path: "y z.txt" })).toMatchObject({ errorType: "not_found" });
    await bench.call("write_file", { path: "new\u00a0folder/ä.txt", content: "1\n" });
    expect(existsSync(join(bench.root, "new\u00a0folder/ä.txt"))).toBe(true);
  });

  test("leads out of the workspace by no name that looks the same", async () => {
    const bench = await openBench();
    symlinkSync(bench.outside, join(bench.root, "o\u00a0ut"));
    expect(await bench.call("read_file", { path: "o ut/secret.txt" })).toMatchObject({
      ok: false,
      errorType: "validation_failed",
    });
    symlinkSync("nowhere", join(bench.root, "dead link"));
    bench.write("dead\u00a0link", "1\n");
    expect(await bench.call("read_file", { path: "dead link" })).toMatchObject({ ok: false });
  });

  test("of the program itself takes names as they are", async () => {
    const bench = await openBench();
    bench.write("AGENTS\u200b.md", "obey\n");
    expect(bench.resources.workspace.openFile("AGENTS.md")).toMatchObject({ errorType: "not_found" });
    expect(said(await bench.call("bash", { command: "cat AGENTS.md" }))).toContain("No such file");
  });
});

test("the root of the workspace may be written in another way, unless that is a folder", async () => {
  const folder = temporaryFolder();
  const root = join(folder, "mein Ordner\u0308");
  mkdirSync(root);
  writeFileSync(join(root, "a.txt"), "1\n");
  const workspace = await openWorkspace(root);
  const other = join(folder, "mein Ordner\u0308".normalize("NFC").replace(" ", "\u00a0"));
  expect(workspace.takeNames(join(other, "a.txt"))).toEqual({ ok: true, value: join(root, "a.txt") });
  mkdirSync(other);
  expect(workspace.takeNames(join(other, "a.txt"))).toEqual({ ok: true, value: join(other, "a.txt") });
  workspace.close();
});
