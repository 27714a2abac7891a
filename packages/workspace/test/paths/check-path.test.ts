import { describe, expect, test } from "vitest";
import { checkPath, isWindowsSpecial } from "../../src/paths/check-path.ts";

const root = "/home/me/ws";

describe("checkPath", () => {
  test.each([
    ["a.txt", ["a.txt"]],
    ["./a//b/", ["a", "b"]],
    [".", []],
    ["a/../b", ["a", "..", "b"]],
    ["..foo/b..r.txt", ["..foo", "b..r.txt"]],
    ["~notes.txt", ["~notes.txt"]],
    ["100%25 done%2e.txt", ["100%25 done%2e.txt"]],
    ["-rf", ["-rf"]],
  ])("accepts %j", (path, segments) => {
    expect(checkPath(path, root)).toEqual({ ok: true, value: segments });
  });

  test.each([
    ["", "empty"],
    ["..", 'by ".."'],
    ["a/../../b", 'by ".."'],
    ["../ws/a", 'by ".."'],
    ["a\0b", "NUL"],
    ["x".repeat(5000), "5000 characters"],
    ["/etc/passwd", "absolute path that leads out of the workspace. Paths are relative"],
    ["/home/me/ws-evil/a", "absolute path that leads out of the workspace. Paths are relative"],
    ["/home/me/ws/../x", 'by ".."'],
    ["/home/me/../you/x", "absolute path that leads out of the workspace. Paths are relative"],
  ])("refuses %j", (path, reason) => {
    const checked = checkPath(path, root);
    expect(checked).toMatchObject({ ok: false, errorType: "validation_failed" });
    expect(checked.ok ? "" : checked.message).toContain(reason);
  });

  test("takes absolute paths that lie inside the root", () => {
    expect(checkPath("/home/me/ws/src/a.ts", root)).toEqual({ ok: true, value: ["src", "a.ts"] });
    expect(checkPath("/home/me/ws", root)).toEqual({ ok: true, value: [] });
    expect(checkPath("//home/./me//ws/", root)).toEqual({ ok: true, value: [] });
    expect(checkPath("/home/x/../me/ws/a", root)).toMatchObject({ ok: false });
    expect(checkPath("/home/me/ws/a/../b", root)).toEqual({ ok: true, value: ["a", "..", "b"] });
    expect(checkPath("/home/me/other", root)).toMatchObject({ ok: false });
  });
});

test.each([
  ["C:secret.txt", true],
  ["nul", true],
  ["COM1.txt", true],
  ["aux .c", true],
  ["lpt\u00b9", true],
  ["a.", true],
  ["a ", true],
  ["file::$DATA", true],
  ["a\tb", true],
  ["..", false],
  ["..foo", false],
  ["console.ts", false],
  ["com10", false],
  ["null", false],
])("on Windows %j is special: %s", (segment, special) => {
  expect(isWindowsSpecial(segment)).toBe(special);
});
