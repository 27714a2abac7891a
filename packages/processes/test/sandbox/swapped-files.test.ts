/** A command that exchanges files of git while the program reads them cannot make it wait. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../workspace/test/temporary-folder.ts";

test("a pipe in the place of a file is not waited for", () => {
  const program = join(import.meta.dirname, "../fixtures/read-swapped.ts");
  const ran = spawnSync(process.execPath, [program, temporaryFolder()], {
    encoding: "utf8",
    timeout: 60_000,
  });
  expect(ran.stdout, ran.stderr).toBe("read");
}, 90_000);
