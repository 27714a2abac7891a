import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findProgram, stablePath } from "../../src/processes/find-program.ts";
import { temporaryFolder } from "../bench.ts";

function program(path: string): string {
  writeFileSync(path, "#!/bin/sh\n");
  chmodSync(path, 0o755);
  return path;
}

test.each([
  ["/usr/bin:/bin", "/usr/bin:/bin"],
  [".:/usr/bin", "/usr/bin"],
  ["/usr/bin::/bin:", "/usr/bin:/bin"],
  ["node_modules/.bin:/bin", "/bin"],
  ["", ""],
])("of the PATH %j stays %j", (path, stable) => {
  expect(stablePath(path)).toBe(stable);
});

describe("a program is found", () => {
  test("in the first PATH entry that has it and is not in the workspace", () => {
    const folder = temporaryFolder();
    for (const name of ["ws", "ws/bin", "one", "two", "links"]) {
      mkdirSync(join(folder, name));
    }
    const own = program(join(folder, "ws/bin/git"));
    symlinkSync(own, join(folder, "links/git"));
    writeFileSync(join(folder, "one/git"), "not executable");
    mkdirSync(join(folder, "one/dir"));
    const right = program(join(folder, "two/git"));
    const path = ["ws/bin", "links", "one", "two"].map((name) => join(folder, name)).join(":");
    expect(findProgram("git", path, join(folder, "ws"))).toBe(right);
    expect(findProgram("git", path)).toBe(own);
    expect(findProgram("dir", path)).toBeUndefined();
    expect(findProgram("none", path)).toBeUndefined();
    expect(findProgram(right, "")).toBe(right);
    expect(findProgram(join(folder, "one/git"), "")).toBeUndefined();
  });
});
