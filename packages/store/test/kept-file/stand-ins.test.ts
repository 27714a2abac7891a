/** Puts pipes, folders and other things in place of the program's own files: reading them never blocks. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { historyPath, openMessageHistory } from "@localharness/harness/host/message-history";
import { createWriteJournal } from "@localharness/workspace/files/write-journal";
import { describe, expect, test } from "vitest";
import { changeKept, type KeptKind, loadKept } from "../../src/kept-file/kept-file.ts";

const kind: KeptKind<string> = {
  version: 1,
  empty: "",
  contents: "texts",
  durable: false,
  read: (value) => ({ kind: "value", value }),
  write: (value) => value,
};

describe.skipIf(process.platform === "win32").each([
  ["a pipe", (path: string) => void execFileSync("mkfifo", [path])],
  ["a device that never ends", (path: string) => symlinkSync("/dev/zero", path)],
])("%s", (_what, put) => {
  test("in place of a kept file is said, and not written over", async () => {
    const folder = mkdtempSync(join(tmpdir(), "lh-kept-"));
    const path = join(folder, "kept.json");
    put(path);
    const loaded = await loadKept(path, kind);
    expect(loaded).toEqual({
      value: "",
      warning: `${path} cannot be read (it is not a regular file): texts are not used`,
    });
    const change = changeKept(path, kind, createWriteJournal(folder), () => "more");
    await expect(change).rejects.toMatchObject({ name: "HarnessError" });
  });

  test("in place of the messages that were typed holds none up", async () => {
    const state = mkdtempSync(join(tmpdir(), "lh-history-"));
    const path = historyPath(state, "/w");
    mkdirSync(dirname(path), { recursive: true });
    put(path);
    const history = openMessageHistory(state, "/w", (text) => text, createWriteJournal(state));
    expect(await history.read()).toEqual([]);
    await expect(history.remember("hello")).rejects.toThrow();
  });
});
