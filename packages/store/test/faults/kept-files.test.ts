/** Fails each file operation on the program's own files in turn: no rule allows more, and no deny is lost silently. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { PolicyRule } from "@localharness/engine";
import { createWriteJournal } from "@localharness/workspace/files/write-journal";
import { describe, expect, test } from "vitest";
import { describeFault, type Fault, faultsOf } from "../../../../test/faults/disk-faults.ts";
import { openFailingDisk } from "../../../../test/faults/open-failing-disk.ts";
import { openPolicyFile } from "../../src/policy-file/policy-file.ts";
import { writePolicyText } from "../../src/policy-file/policy-rules.ts";
import { openTrustFile } from "../../src/trust/trust-file.ts";

const { folder, disk } = await openFailingDisk("memory");
const config = join(folder, "config");
const state = join(folder, "state");
const workspace = join(folder, "ws");

const rule = (id: string, decision: "allow" | "deny" = "allow"): PolicyRule => ({
  id,
  decision,
  justification: "test",
  tool: "ls",
  origin: "user",
});
const kept = [rule("no", "deny"), rule("yes")];
/**
 * A scenario that takes this long has waited for an abandoned lock, which is broken after 30 s: that must not happen.
 */
const staleMs = 25_000;

const policies = () => openPolicyFile(config, createWriteJournal(state));
const trust = () => openTrustFile(config, createWriteJournal(state));

interface Scenario {
  readonly title: string;
  readonly file: "policies.json" | "trust.json";
  /** The content of the file before; null without a file. */
  readonly text: string | null;
  work(): Promise<unknown>;
  /** Returns what a newly opened store loads, as words to compare. */
  says(): Promise<readonly string[]>;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

async function policyWords(): Promise<readonly string[]> {
  const { rules, incomplete } = await policies().load();
  return [...rules.map((one) => `${one.decision} ${one.id}`), ...(incomplete === true ? ["incomplete"] : [])];
}

async function trustWords(): Promise<readonly string[]> {
  return (await trust().list()).map((one) => `${one.path === workspace ? "here" : "there"} ${one.trusted}`);
}

const twoRules = writePolicyText(kept);
const there = { path: "/elsewhere", owner: 0, trusted: false, decided: 1 };
const oneFolder = JSON.stringify({ version: 1, folders: [there] });
const both = ["deny no", "allow yes"];
const scenarios: readonly Scenario[] = [
  {
    title: "the first answer is remembered",
    file: "policies.json",
    text: null,
    work: () => policies().add(rule("new")),
    says: policyWords,
    before: [],
    after: ["allow new"],
  },
  {
    title: "another answer is remembered",
    file: "policies.json",
    text: twoRules,
    work: () => policies().add(rule("new")),
    says: policyWords,
    before: both,
    after: [...both, "allow new"],
  },
  {
    title: "an answer is forgotten",
    file: "policies.json",
    text: twoRules,
    work: () => policies().forget("yes"),
    says: policyWords,
    before: both,
    after: ["deny no"],
  },
  {
    title: "an answer is remembered while the file is damaged",
    file: "policies.json",
    text: twoRules.slice(0, 120),
    work: () => policies().add(rule("new")),
    says: policyWords,
    before: ["incomplete"],
    after: ["allow new", "incomplete"],
  },
  {
    title: "a folder is trusted",
    file: "trust.json",
    text: oneFolder,
    work: () => trust().set(workspace, true),
    says: trustWords,
    before: ["there false"],
    after: ["there false", "here true"],
  },
  {
    title: "trust is taken back",
    file: "trust.json",
    text: JSON.stringify({
      version: 1,
      folders: [there, { path: workspace, owner: process.getuid?.() ?? 0, trusted: true, decided: 1 }],
    }),
    work: () => trust().set(workspace, false),
    says: trustWords,
    before: ["there false", "here true"],
    after: ["there false", "here false"],
  },
];

function reset({ file, text }: Scenario): void {
  for (const path of [config, state, workspace]) rmSync(path, { recursive: true, force: true });
  mkdirSync(workspace, { recursive: true });
  if (text === null) return;
  mkdirSync(config, { mode: 0o700 });
  writeFileSync(join(config, file), text, { mode: 0o600 });
}

async function run(scenario: Scenario, fault: Fault | undefined) {
  return disk.during(fault, () =>
    scenario.work().then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : "no error at all"),
    ),
  );
}

/** Returns what is wrong after the fault; an empty list when nothing is. */
async function problems(scenario: Scenario, refusal: string | undefined): Promise<readonly string[]> {
  const found: string[] = [];
  const open = disk.openDescriptors();
  if (open.length > 0) found.push(`open: ${open.join(", ")}`);
  const path = join(config, scenario.file);
  const bytes = existsSync(path) ? readFileSync(path, "utf8") : null;
  if (bytes !== null && (statSync(path).mode & 0o777) !== 0o600) found.push("the file is not private");
  const words = (await scenario.says()).join(", ");
  const [before, after] = [scenario.before.join(", "), scenario.after.join(", ")];
  const changed = refusal === undefined || / was changed, although /.test(refusal);
  const unsure = / may have been changed: /.test(refusal ?? "") && (words === before || words === after);
  if (words !== (changed ? after : before) && !unsure) {
    found.push(`${refusal ?? "done"}, and it says: ${words}`);
  }
  const names = refusal?.includes(scenario.file) === true || refusal?.includes(workspace) === true;
  if (refusal !== undefined && !names) found.push(`refused with: ${refusal}`);
  return [...found, ...(await problemsLater(scenario))];
}

/** Checks that the store works at once when the disk works again, and that left-over files are removed in time. */
async function problemsLater(scenario: Scenario): Promise<readonly string[]> {
  const started = performance.now();
  const again = await scenario.work().then(
    () => undefined,
    (error: unknown) => String(error),
  );
  const found: string[] = [];
  if (again !== undefined) found.push(`refused afterwards: ${again}`);
  if (performance.now() - started > staleMs) found.push("waited for a lock of its own");
  const words = (await scenario.says()).join(", ");
  if (words !== scenario.after.join(", ")) found.push(`afterwards it says: ${words}`);
  const old = new Date(Date.now() - 60_000);
  for (const name of readdirSync(config)) utimesSync(join(config, name), old, old);
  await (scenario.file === "policies.json" ? policies().forget("none") : trust().forget("/none"));
  const left = readdirSync(config).filter((name) => !/^(policies|trust)\.json(\.broken-.*)?$/.test(name));
  // The journal has a temporary file on record, so that the next start removes it.
  const unknown = left.filter((name) => !name.endsWith(".lhtmp") || !isOnRecord());
  if (unknown.length > 0) found.push(`left: ${unknown.join(", ")}`);
  return found;
}

function isOnRecord(): boolean {
  return readdirSync(state).some((name) => readFileSync(join(state, name), "utf8").includes(config));
}

describe("every operation on the disk fails in turn", () => {
  test.each(scenarios)("$title", async (scenario) => {
    reset(scenario);
    const { result, operations } = await run(scenario, undefined);
    expect(result).toBeUndefined();
    const faults = faultsOf(operations);
    const wrong: string[] = [];
    for (const fault of faults) {
      reset(scenario);
      const started = performance.now();
      const { result: refusal } = await run(scenario, fault);
      const waited = performance.now() - started > staleMs ? ["waited for a lock of its own"] : [];
      const found = [...waited, ...(await problems(scenario, refusal))];
      if (found.length > 0) wrong.push(`${describeFault(fault, operations)}: ${found.join("; ")}`);
      if (wrong.length > 20) break;
    }
    if (process.env["FAULTS_REPORT"]) {
      console.log(scenario.title, operations.length, faults.length, wrong.length);
    }
    expect(wrong).toEqual([]);
    expect(operations.length).toBeGreaterThan(5);
  });
});
