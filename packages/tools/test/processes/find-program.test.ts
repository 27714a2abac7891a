import { isProgram, stablePath } from "@localharness/processes/children/find-program";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../workspace/test/temporary-folder.ts";

test.each([
  ["/usr/bin:/bin", "/usr/bin:/bin"],
  [".:/usr/bin", "/usr/bin"],
  ["/usr/bin::/bin:", "/usr/bin:/bin"],
  ["node_modules/.bin:/bin", "/bin"],
  ["", ""],
])("of the PATH %j stays %j", (path, stable) => {
  expect(stablePath(path)).toBe(stable);
});

test("a program is a file that can be executed", () => {
  expect([process.execPath, import.meta.filename, temporaryFolder(), "/none"].map(isProgram)).toEqual([
    true,
    false,
    false,
    false,
  ]);
});
