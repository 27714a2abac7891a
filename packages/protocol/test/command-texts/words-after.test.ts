/** Checks how the words after slash commands are read, and what they do. */
import { describe, expect, test } from "vitest";
import {
  changeRules,
  changeTool,
  isWrongWords,
  readExport,
  readMode,
  readUndoTurns,
} from "../../src/command-texts/words-after.ts";

test.each<readonly [string, string, string | undefined]>([
  ["", "markdown", undefined],
  ["md", "markdown", undefined],
  ["html", "html", undefined],
  ["json a file.txt", "json", "a file.txt"],
  ["my notes.MD", "markdown", "my notes.MD"],
  ["page.htm", "html", "page.htm"],
])("/export %s", (words, format, path) => {
  expect(readExport(words)).toEqual({ format, path });
});

test.each(["pdf", "constructor", "out", "a b"])("/export %s names no format", (words) => {
  expect(() => readExport(words)).toThrow(`or a FILE that ends so, got "${words}"`);
});

test("/undo takes a number of turns", () => {
  expect(["", "1", "30"].map(readUndoTurns)).toEqual([1, 1, 30]);
  for (const wrong of ["0", "-1", "x", "1 2", "20000"]) expect(() => readUndoTurns(wrong)).toThrow("/undo 3");
});

test("/mode names a mode, or shows it", () => {
  expect([readMode("plan", "default"), readMode("", "default")]).toEqual(["plan", undefined]);
  expect(() => readMode("paln", "auto")).toThrow("there is no mode paln: mode is auto; available: default,");
});

describe("/permissions", () => {
  const forgotten: string[] = [];
  const rule = { line: "", about: "", elsewhere: false, forgettable: true };
  const host = {
    listRules: async () => [
      { ...rule, id: "a", ofSession: true },
      { ...rule, id: "b", ofSession: false },
    ],
    forgetRule: async (id: string) => {
      forgotten.push(id);
    },
  };

  test("forgets a rule, or takes an answer of the session back", async () => {
    expect(await changeRules(host, "forget a")).toBe("taken back, from the next call on");
    expect(await changeRules(host, "forget b")).toBe("forgotten, from the next call on");
    expect(forgotten).toEqual(["a", "b"]);
  });

  test("says what changes the mode", async () => {
    const wrong = await changeRules(host, "auto").catch((error: unknown) => error);
    expect(isWrongWords(wrong)).toBe(true);
    expect(String(wrong)).toContain(
      "auto is a mode: /mode auto changes to it. /permissions shows rules and remembered answers",
    );
  });

  test.each(["", "automatic", "forget"])("%s changes nothing", async (words) => {
    expect(await changeRules(host, words)).toBeUndefined();
  });
});

test("/tools switches a tool, for later sessions or for this one", async () => {
  const switched: unknown[] = [];
  const host = {
    switchTool: async (...words: readonly unknown[]) => {
      switched.push(words);
    },
  };
  expect(await changeTool(host, "bash off")).toBe(
    "bash is off from the next message on, also in later sessions",
  );
  expect(await changeTool(host, "ls  on session")).toMatch(/^ls is on .*, in this session only$/);
  expect(switched).toEqual([
    ["bash", false, "kept"],
    ["ls", true, "session"],
  ]);
  for (const wrong of ["bash", "bash of", "bash on for-ever"]) {
    await expect(changeTool(host, wrong)).rejects.toThrow("usage: /tools NAME on|off [session]");
  }
});
