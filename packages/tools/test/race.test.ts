/**
 * Tests the tools while another process keeps replacing files and folders by links that lead out of the workspace. The
 * proof needs many calls: LOCALHARNESS_RACE sets their number, 20000 for a full run.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@localharness/protocol";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Bench, openBench } from "./bench.ts";

const calls = Number(process.env["LOCALHARNESS_RACE"] ?? 2000);
const canary = "CANARY_OUTSIDE";
const patience = 60_000 + calls * 20;

async function racingBench(): Promise<Bench> {
  const bench = await openBench();
  writeFileSync(join(bench.outside, "secret.txt"), `${canary}\n`);
  writeFileSync(join(bench.outside, "only-there.txt"), "");
  mkdirSync(join(bench.root, "guarded"));
  writeFileSync(join(bench.root, "guarded/secret.txt"), "guarded\n");
  const flipper = new URL("fixtures/flip-links.ts", import.meta.url).pathname;
  const child = spawn(process.execPath, [flipper, bench.root, bench.outside, "guarded"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(async () => {
    expect(child.exitCode).toBeNull();
    const exit = once(child, "exit");
    child.kill("SIGKILL");
    await exit;
  });
  await once(child.stdout, "data");
  return bench;
}

/** Repeats the call. Counts the outcomes, and how often the canary appeared. */
async function hammer(bench: Bench, count: number, tool: string, args: (round: number) => JsonObject) {
  const seen = { worked: 0, refused: 0, leaked: 0 };
  for (let round = 0; round < count; round += 1) {
    const output = await bench.call(tool, args(round));
    seen[output.ok ? "worked" : "refused"] += 1;
    const text = JSON.stringify(output);
    seen.leaked += text.includes(canary) || text.includes("only-there") ? 1 : 0;
  }
  return seen;
}

function expectOutsideUntouched(bench: Bench): void {
  expect(readdirSync(bench.outside).sort()).toEqual(["only-there.txt", "secret.txt"]);
  expect(readFileSync(join(bench.outside, "secret.txt"), "utf8")).toBe(`${canary}\n`);
}

/** A vulnerable reader: resolves, compares, then uses the path. */
function checkedRead(root: string, path: string): string {
  try {
    const real = realpathSync(join(root, path));
    return real.startsWith(`${root}/`) ? readFileSync(join(root, path), "utf8") : "";
  } catch {
    return "";
  }
}

describe.runIf(process.platform === "linux")("while names are exchanged for links that lead out", () => {
  test("checking a path and then using it leaks", { timeout: patience }, async () => {
    const bench = await racingBench();
    let leaked = 0;
    for (let round = 0; round < 200_000 && leaked < 3; round += 1) {
      leaked += checkedRead(bench.root, round % 2 === 0 ? "f" : "d/secret.txt").includes(canary) ? 1 : 0;
    }
    expect(leaked).toBe(3);
  });

  test.each<[string, (round: number) => JsonObject, number]>([
    ["read_file", () => ({ path: "f" }), 0.5],
    ["read_file", () => ({ path: "d/secret.txt" }), 0.5],
    ["ls", () => ({ path: "d" }), 0.2],
    ["grep_search", () => ({ pattern: "." }), 0.01],
    ["grep_search", () => ({ pattern: ".", path: "d" }), 0.01],
    ["get_file_tree", () => ({}), 0.01],
  ])("%s reads nothing outside", { timeout: patience }, async (tool, args, share) => {
    const bench = await racingBench();
    let seen = await hammer(bench, Math.ceil(calls * share), tool, args);
    expect(seen.leaked).toBe(0);
    // On a busy machine each of a few searches can meet a link.
    for (let more = 0; more < 50 && seen.worked === 0; more += 1) {
      seen = await hammer(bench, Math.ceil(calls * share), tool, args);
      expect(seen.leaked).toBe(0);
    }
    expect(seen.worked).toBeGreaterThan(0);
  });

  test.each<[string, (round: number) => JsonObject, number]>([
    ["write_file", (round) => ({ path: "d/new.txt", content: `PWNED ${round}` }), 0.3],
    ["write_file", (round) => ({ path: "d/made/new.txt", content: `PWNED ${round}` }), 0.1],
    ["write_file", (round) => ({ path: "f", content: `PWNED ${round}` }), 0.2],
    [
      "edit_file",
      (round) => ({
        path: "d/secret.txt",
        old_string: round % 2 === 0 ? "inside" : "PWNED",
        new_string: round % 2 === 0 ? "PWNED" : "inside",
      }),
      0.2,
    ],
    ["insert_lines", () => ({ path: "d/secret.txt", line_start: 1, new_content: "PWNED" }), 0.05],
    ["mkdir", (round) => ({ path: `d/made-${round}/below` }), 0.1],
    ["remove", () => ({ path: "d/secret.txt" }), 0.05],
  ])("%s changes nothing outside", { timeout: patience }, async (tool, args, share) => {
    const bench = await racingBench();
    const seen = await hammer(bench, Math.ceil(calls * share), tool, args);
    expectOutsideUntouched(bench);
    expect(seen.leaked).toBe(0);
    expect(seen.worked + seen.refused).toBe(Math.ceil(calls * share));
    // The two processes may keep step for a while, so that every call meets a link: then more calls are made.
    for (let more = 0; seen.worked === 0 && more < 50; more += 1) {
      const { worked, leaked } = await hammer(bench, Math.ceil(calls * share), tool, args);
      expect(leaked).toBe(0);
      seen.worked += worked;
    }
    expectOutsideUntouched(bench);
    expect(seen.worked).toBeGreaterThan(0);
  });

  test("a folder is removed without the targets of its links", { timeout: patience }, async () => {
    const bench = await racingBench();
    for (let round = 0; round < Math.ceil(calls * 0.01); round += 1) {
      await bench.call("remove", { path: "d", recursive: true });
      mkdirSync(join(bench.root, "d"), { recursive: true });
    }
    expectOutsideUntouched(bench);
  });

  test("a call uses only what was examined", { timeout: patience }, async () => {
    const bench = await racingBench();
    const args = { path: "e/new.txt", content: "x" };
    const seen = { worked: 0, refused: 0, asked: 0 };
    for (let round = 0; round < Math.ceil(calls * 0.2); round += 1) {
      const examined = await bench.examine("write_file", args);
      if (examined.paths?.some((one) => one.path.startsWith("guarded/")) !== false) {
        seen.asked += 1;
        continue;
      }
      const output = await bench.call("write_file", args, { examined });
      seen[output.ok ? "worked" : "refused"] += 1;
    }
    expect(existsSync(join(bench.root, "guarded/new.txt"))).toBe(false);
    expect(seen.worked).toBeGreaterThan(0);
    expect(seen.refused).toBeGreaterThan(0);
  });
});
