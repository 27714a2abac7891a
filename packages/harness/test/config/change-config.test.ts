/** Checks that changing one setting keeps everything else in config.json. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonValue } from "@localharness/protocol";
import { createWriteJournal } from "@localharness/workspace/files/write-journal";
import { describe, expect, onTestFinished, test } from "vitest";
import { changeConfig, withSetting } from "../../src/config/change-config.ts";

function open(text?: string) {
  const folder = mkdtempSync(join(tmpdir(), "change-config-"));
  const journal = createWriteJournal(folder);
  onTestFinished(() => {
    journal.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const path = join(folder, "config.json");
  if (text !== undefined) writeFileSync(path, text);
  return { folder, journal, path, read: () => readFileSync(path, "utf8") };
}

describe("changeConfig", () => {
  test("makes the file, for the person alone", async () => {
    const { folder, journal, path, read } = open();
    await changeConfig(folder, journal, "model", "qwen3:8b");
    expect(JSON.parse(read())).toEqual({ model: "qwen3:8b" });
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test("keeps what it does not know, and the order", async () => {
    const { folder, journal, read } = open(
      '{"$schema": "x", "later": {"a": [1]}, "model": "a", "mode": "plan"}',
    );
    await changeConfig(folder, journal, "model", "b");
    expect(read()).toBe(
      `${JSON.stringify({ $schema: "x", later: { a: [1] }, model: "b", mode: "plan" }, null, 2)}\n`,
    );
  });

  test("refuses a file that is no JSON and leaves it as it is", async () => {
    const { folder, journal, path, read } = open('{"model": ');
    await expect(changeConfig(folder, journal, "model", "b")).rejects.toThrow(
      `${path}:1:11: expected a value`,
    );
    expect(read()).toBe('{"model": ');
  });

  test.each([
    ["tools", [], /"tools" expects minimal, .+, got \[\]$/],
    ["limits.iterations_per_turn", 0, /"limits.iterations_per_turn" expects a whole number from .+, got 0$/],
  ] as const)("refuses %s with %j, which the next start would refuse", async (key, value, problem) => {
    const { folder, journal, read } = open('{"tools": "bash"}');
    await expect(changeConfig(folder, journal, key, value as JsonValue)).rejects.toThrow(problem);
    expect(read()).toBe('{"tools": "bash"}');
  });

  test("says that there is nowhere to keep it", async () => {
    const { journal } = open();
    await expect(changeConfig(undefined, journal, "model", "b")).rejects.toThrow(
      "set HOME or XDG_CONFIG_HOME",
    );
  });
});

describe("withSetting", () => {
  const key = "limits.calls_per_iteration";
  test.each([
    [{}, 3, { limits: { calls_per_iteration: 3 } }],
    [{ limits: { other: 1 } }, 3, { limits: { other: 1, calls_per_iteration: 3 } }],
    [{ limits: { calls_per_iteration: 3 } }, undefined, {}],
    [{ [key]: 1 }, 2, { [key]: 2 }],
    [{ [key]: 1, limits: { calls_per_iteration: 5, other: 1 } }, 2, { [key]: 2, limits: { other: 1 } }],
    [{ [key]: 1, limits: { calls_per_iteration: 5 } }, undefined, {}],
  ])("%j with %j is %j", (config, value, expected) => {
    expect(withSetting(config, key, value)).toEqual(expected);
  });
});
