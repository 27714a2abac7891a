import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../workspace/test/temporary-folder.ts";
import { programLocator } from "../../src/shell/stable-program.ts";

/** `ws` is the workspace; each folder has an executable `prog`. */
function places(): string {
  const root = temporaryFolder();
  for (const folder of ["ws/bin", "safe", "open", "home/.pyenv/shims", "plain"]) {
    mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, folder, "prog"), "#!/bin/sh\n");
    chmodSync(join(root, folder, "prog"), folder === "plain" ? 0o644 : 0o755);
  }
  chmodSync(join(root, "open"), 0o777);
  mkdirSync(join(root, "linked"));
  symlinkSync(join(root, "ws/bin/prog"), join(root, "linked/prog"));
  return root;
}

test.each<[string, string]>([
  ["ROOT/safe", "stable"],
  ["ROOT/missing:ROOT/plain:ROOT/safe", "stable"],
  ["ROOT/ws/bin:ROOT/safe", "unstable"],
  ["bin:ROOT/safe", "unstable"],
  ["ROOT/open", "unstable"],
  ["ROOT/linked", "unstable"],
  ["ROOT/home/.pyenv/shims", "chosen"],
  ["ROOT/plain", "missing"],
  ["", "missing"],
])("along %s the program is %s", (searchPath, kind) => {
  const root = places();
  const locate = programLocator(searchPath.replaceAll("ROOT", root), join(root, "ws"));
  expect(locate("prog").kind).toBe(kind);
});

test("the shell's own commands and paths are found nowhere", () => {
  const locate = programLocator("/usr/bin:/bin", "/nonexistent");
  expect(locate("echo")).toEqual({ kind: "builtin" });
  expect(locate("./echo")).toEqual({ kind: "path", path: "./echo" });
  expect(locate("")).toEqual({ kind: "missing" });
});
