/** A file that the system makes at each read has one mark, and no answer about a command that reads it is remembered. */
import { existsSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Bench, openBench } from "../bench.ts";

const facts = (bench: Bench, command: string) => bench.examine("bash", { command });

describe.skipIf(!existsSync("/proc/net/dev"))("a file of /proc (needs Linux)", () => {
  test.each([
    "mytool . /proc/net/dev",
    "mytool /proc/self/net/dev",
    "mytool --file=/proc/uptime",
    "mytool < /proc/self/status",
    "mytool /sys/class/net/lo/statistics/rx_bytes",
    "mytool linked",
    "python3 /proc/self/status",
  ])("%s", async (command) => {
    const bench = await openBench();
    symlinkSync("/proc/net/dev", join(bench.root, "linked"));
    const first = await facts(bench, command);
    expect(first.rememberable).toBe(false);
    expect(await facts(bench, command)).toEqual(first);
  });
});

test("an empty file elsewhere may be made at each read; a file with content has a mark of its state", async () => {
  const bench = await openBench();
  const at = (name: string) => join(bench.outside, name);
  mkdirSync(bench.outside, { recursive: true });
  writeFileSync(at("empty"), "");
  writeFileSync(at("full"), "x");
  const before = [await facts(bench, `mytool ${at("empty")}`), await facts(bench, `mytool ${at("full")}`)];
  expect(before.map(({ rememberable }) => rememberable)).toEqual([false, true]);
  for (const name of ["empty", "full"]) utimesSync(at(name), 1, 1);
  expect((await facts(bench, `mytool ${at("empty")}`)).scope).toBe(before[0]?.scope);
  expect((await facts(bench, `mytool ${at("full")}`)).scope).not.toBe(before[1]?.scope);
  writeFileSync(at("empty"), "no longer");
  expect((await facts(bench, `mytool ${at("empty")}`)).scope).not.toBe(before[0]?.scope);
});
