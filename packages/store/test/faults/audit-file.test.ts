/** Fails each file operation on the audit log in turn: acknowledged entries are kept, and no call runs without one. */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type AuditEntry, createRegistry, defineTool, runToolCall } from "@localharness/engine";
import { describe, expect, test } from "vitest";
import { describeFault, type Fault, faultsOf } from "../../../../test/faults/disk-faults.ts";
import { openFailingDisk } from "../../../../test/faults/open-failing-disk.ts";
import { auditFiles, openAuditFile } from "../../src/audit/audit-file.ts";

const { folder, disk } = await openFailingDisk("memory");
const path = join(folder, "audit", "ws.jsonl");

const entry = (call: string): AuditEntry => ({
  type: "answer",
  time: 1,
  session: "s",
  call,
  answer: "once",
  by: "person",
});
const lineOf = (call: string) => `${JSON.stringify(entry(call))}\n`;
const lineBytes = lineOf("new-0").length;

interface Scenario {
  readonly title: string;
  /** The contents of the files before, the current one first. */
  readonly files: readonly string[];
  readonly fileLimit: number;
}

const full = (name: string) => [0, 1, 2, 3, 4, 5].map((number) => lineOf(`${name}-${number}`)).join("");
const scenarios: readonly Scenario[] = [
  { title: "a new log", files: [], fileLimit: 1_000_000 },
  {
    title: "a log that ends in a torn line",
    files: [`${lineOf("old-0")}{"type":"ans`],
    fileLimit: 1_000_000,
  },
  { title: "a full log", files: [full("aaa")], fileLimit: 6 * lineBytes },
  { title: "a full log with older ones", files: ["aaa", "bbb", "ccc"].map(full), fileLimit: 6 * lineBytes },
  {
    title: "a full log with as many older ones as are kept",
    files: ["aaa", "bbb", "ccc", "ddd", "eee"].map(full),
    fileLimit: 6 * lineBytes,
  },
];

function reset({ files }: Scenario): void {
  rmSync(join(folder, "audit"), { recursive: true, force: true });
  if (files.length === 0) return;
  mkdirSync(join(folder, "audit"), { mode: 0o700 });
  for (const [index, text] of files.entries())
    writeFileSync(index === 0 ? path : `${path}.${index}`, text, { mode: 0o600 });
}

/** Appends four entries, one after the other. Returns which were acknowledged, and why the others were not. */
function run({ fileLimit }: Scenario, fault: Fault | undefined) {
  return disk.during(fault, async () => {
    const log = openAuditFile(path, { fileLimit });
    const said: (string | true)[] = [];
    for (let number = 0; number < 4; number += 1)
      said.push(
        await log.append(entry(`new-${number}`)).then(
          () => true as const,
          (error: unknown) => (error instanceof Error ? error.message : "no error at all"),
        ),
      );
    await log.close();
    return said;
  });
}

/** Returns what is wrong after the fault; an empty list when nothing is. */
async function problems(scenario: Scenario, said: readonly (string | true)[]): Promise<readonly string[]> {
  const found: string[] = [];
  const open = disk.openDescriptors();
  if (open.length > 0) found.push(`open: ${open.join(", ")}`);
  const log = openAuditFile(path, { fileLimit: 1_000_000 });
  await log.append(entry("last"));
  await log.close();
  const there = auditFiles(path).filter((one) => existsSync(one));
  const lines = there.flatMap((one) => readFileSync(one, "utf8").split("\n")).filter((line) => line !== "");
  const calls = lines.flatMap(callOf);
  // Four older files are kept: of five, only the oldest is removed.
  const before = scenario.files
    .slice(0, 4)
    .toReversed()
    .flatMap((text) => text.split("\n").flatMap(callOf));
  const must = [...before, ...said.flatMap((one, number) => (one === true ? [`new-${number}`] : [])), "last"];
  const kept = calls.filter((call) => must.includes(call));
  if (kept.join() !== must.join()) found.push(`expected ${must.join()}, got ${calls.join()}`);
  const refusals = said.filter((one) => one !== true);
  const torn = lines.length - calls.length - (scenario.title.includes("torn") ? 1 : 0);
  if (torn > refusals.length) found.push(`${torn} torn lines`);
  for (const one of there) if ((statSync(one).mode & 0o777) !== 0o600) found.push(`${one} is not private`);
  for (const one of refusals) if (!/^\S+ cannot be written: .{5,}/.test(one)) found.push(`says: ${one}`);
  return found;
}

function callOf(line: string): readonly string[] {
  try {
    return [(JSON.parse(line) as AuditEntry).call];
  } catch {
    return [];
  }
}

describe("every operation on the disk fails in turn", () => {
  test.each(scenarios)("$title", async (scenario) => {
    reset(scenario);
    const { result, operations } = await run(scenario, undefined);
    expect(result).toEqual([true, true, true, true]);
    const faults = faultsOf(operations);
    const wrong: string[] = [];
    for (const fault of faults) {
      reset(scenario);
      const { result: said } = await run(scenario, fault);
      const found = await problems(scenario, said);
      if (found.length > 0) wrong.push(`${describeFault(fault, operations)}: ${found.join("; ")}`);
    }
    if (process.env["FAULTS_REPORT"]) {
      console.log(scenario.title, operations.length, faults.length, wrong.length);
    }
    expect(wrong).toEqual([]);
  });

  test("what changes something does not run while the log cannot be written", async () => {
    const scenario: Scenario = { title: "", files: [], fileLimit: 1_000_000 };
    const call = async (fault: Fault | undefined, onRun: () => void) => {
      const audit = openAuditFile(path, { fileLimit: scenario.fileLimit });
      const tool = defineTool({
        name: "change",
        description: "Changes something.",
        parameters: { type: "object", properties: {} },
        risk: "high",
        readOnly: false,
        execute: async () => {
          onRun();
          return { ok: true, data: "changed" };
        },
      });
      const ran = await disk.during(fault, () =>
        runToolCall({
          registry: createRegistry([tool]),
          name: "change",
          arguments: {},
          workspace: folder,
          mode: "bypass",
          audit,
        }),
      );
      await audit.close();
      return ran;
    };
    reset(scenario);
    const { operations } = await call(undefined, () => undefined);
    const wrong: string[] = [];
    for (const fault of faultsOf(operations)) {
      reset(scenario);
      let runs = 0;
      const { result } = await call(fault, () => {
        runs += 1;
      });
      const asked = existsSync(path) ? readFileSync(path, "utf8").split("\n").flatMap(callOf) : [];
      if (runs > 0 && asked.length === 0) wrong.push(`${describeFault(fault, operations)}: ran unrecorded`);
      if (result.success !== (runs === 1)) wrong.push(`${describeFault(fault, operations)}: ${runs} runs`);
      if (!result.success && !/audit log/.test(result.error_message ?? "")) {
        wrong.push(`${describeFault(fault, operations)}: says ${result.error_message}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(operations.length).toBeGreaterThan(4);
  });
});
