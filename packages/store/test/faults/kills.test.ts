/** Kills a process while it writes the program's files: what it reported as saved is there, and no file is damaged. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AuditEntry } from "@localharness/engine";
import { createWriteJournal, sweepTemporaryFiles } from "@localharness/workspace/files/write-journal";
import { afterAll, expect, test } from "vitest";
import { killsIn } from "../../../../test/faults/disk-faults.ts";
import { countSteps, type Steps, type StepsTaken } from "../../../../test/faults/kill-at-step.ts";
import { killCount } from "../../../../test/faults/kill-count.ts";
import { auditFiles, openAuditFile } from "../../src/audit/audit-file.ts";
import { openPolicyFile } from "../../src/policy-file/policy-file.ts";

const program = join(import.meta.dirname, "keep-writing.ts");
const kills = killCount(20);
/**
 * A process that takes this long has waited for an abandoned lock, which is broken after 30 s: that must not happen.
 */
const staleMs = 25_000;
const folder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "localharness-kills-"));
const auditPath = join(folder, "audit.jsonl");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the output of the process until it ended or was killed. */
async function wordsOf(round: string, steps: Steps): Promise<readonly string[]> {
  const env = { ...process.env, ...countSteps(steps) };
  const child = spawn(process.execPath, [program, folder, round, steps.kill === undefined ? "4" : "8"], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const [, signal] = await once(child, "close");
  expect(signal).toBe(steps.kill === undefined ? null : "SIGKILL");
  return said.split("\n").slice(0, -1);
}

/** Returns what is wrong after a kill; an empty list when nothing is. */
async function problems(said: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  const store = openPolicyFile(join(folder, "config"), createWriteJournal(join(folder, "state")));
  const { rules, warnings } = await store.load();
  if (warnings.length > 0) found.push(...warnings);
  const ids = rules.map((rule) => rule.id);
  const of = (word: string) =>
    said.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));
  for (const id of of("forgotten")) if (ids.includes(id)) found.push(`${id} was forgotten and is there`);
  const newest = of("rule").at(-1);
  if (newest !== undefined && !ids.includes(newest)) found.push(`rule ${newest} is lost`);
  const log = openAuditFile(auditPath);
  await log.append({ type: "answer", time: 1, session: "s", call: "mended", answer: "once", by: "nobody" });
  await log.close();
  const lines = auditFiles(auditPath)
    .filter((path) => existsSync(path))
    .flatMap((path) => readFileSync(path, "utf8").split("\n"));
  const calls = lines.flatMap(callOf);
  for (const id of of("entry").slice(-30)) if (!calls.includes(id)) found.push(`entry ${id} is lost`);
  if (calls.at(-1) !== "mended") found.push("the log does not go on");
  const started = performance.now();
  await store.add({ id: "next", decision: "deny", justification: "test", tool: "ls", origin: "user" });
  if (performance.now() - started > staleMs) found.push("waited for the lock of a dead process");
  return found;
}

function callOf(line: string): readonly string[] {
  try {
    return [(JSON.parse(line) as AuditEntry).call];
  } catch {
    return [];
  }
}

test("after a kill at any step rules and audit log are whole, and the next process goes on at once", async () => {
  const report = join(folder, "steps");
  await wordsOf("whole", { folder, report });
  const { operations }: StepsTaken = JSON.parse(readFileSync(report, "utf8"));
  expect(operations.length).toBeGreaterThan(100);
  const wrong: string[] = [];
  for (const kill of killsIn(operations, kills)) {
    const said = await wordsOf(`at-${kill.at}`, { folder, kill });
    const found = await problems(said);
    if (found.length > 0) wrong.push(`step ${kill.at}: ${said.slice(-4).join(", ")}: ${found.join("; ")}`);
  }
  sweepTemporaryFiles(join(folder, "state"));
  expect(wrong).toEqual([]);
  expect(readdirSync(join(folder, "config")).filter((name) => name.endsWith(".lhtmp"))).toEqual([]);
});
