/** Permissions are set on the entry itself, never through a link. */
import { lstatSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { setMode } from "../../src/files/set-mode.ts";
import { asOtherUser } from "../as-other-user.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const modeOf = (path: string) => lstatSync(path).mode & 0o777;

test.each([
  ["a file", (path: string) => writeFileSync(path, "x")],
  ["a folder", (path: string) => mkdirSync(path)],
])("%s gets them, also without the permission to read it", (_what, make) => {
  const folder = temporaryFolder();
  const path = join(folder, "entry");
  make(path);
  asOtherUser([folder], () => {
    for (const mode of [0, 0o640, 0o755]) {
      setMode(path, mode);
      expect(modeOf(path)).toBe(mode);
    }
  });
});

test("a link gets none, nor does what it leads to", () => {
  const folder = temporaryFolder();
  const target = join(folder, "target");
  writeFileSync(target, "x", { mode: 0o600 });
  symlinkSync(target, join(folder, "link"));
  expect(() => setMode(join(folder, "link"), 0o777)).toThrow("ELOOP");
  expect(modeOf(target)).toBe(0o600);
});
