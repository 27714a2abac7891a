/** Runs the program that loads the filter of system calls. */
import { spawnSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../workspace/test/temporary-folder.ts";
import { callGuard, guardFailed } from "../../src/sandbox/call-guard.ts";

const guard = process.platform === "linux" ? callGuard() : undefined;

function guarded(...words: string[]) {
  const path = join(temporaryFolder(), "guard");
  writeFileSync(path, guard ?? "");
  chmodSync(path, 0o700);
  const { status, stdout } = spawnSync(path, words, { encoding: "utf8", env: { WORD: "kept" } });
  return { status, stdout };
}

test.skipIf(guard === undefined)("a program gets its arguments, its environment and its exit code", () => {
  const script = 'echo "$WORD $0 $1 $#"; exit 7';
  expect(guarded("/bin/sh", "-c", script, "a b", "")).toEqual({ status: 7, stdout: "kept a b  1\n" });
});

test.skipIf(guard === undefined)("a program that is not there is a failure", () => {
  expect(guarded("/no/such/program").status).toBe(guardFailed);
});

test("there is one for each processor that the filter knows, and none for another", () => {
  expect(callGuard("x64")?.subarray(0, 4).toString("latin1")).toBe("\u007fELF");
  expect(callGuard("arm64")?.readUInt16LE(18)).toBe(183);
  expect(callGuard("riscv64")).toBeUndefined();
});
