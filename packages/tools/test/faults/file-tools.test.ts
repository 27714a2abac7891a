/** Tests the file tools with each disk operation failing in turn: the file is old or new, and the model gets an error. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createRegistry, runToolCall, type Tool } from "@localharness/engine";
import type { JsonObject, ToolResult } from "@localharness/protocol";
import { processMark } from "@localharness/workspace/files/process-mark";
import { createReadLedger } from "@localharness/workspace/files/read-ledger";
import { createWriteJournal, sweepTemporaryFiles } from "@localharness/workspace/files/write-journal";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describeFault, type Fault, faultsOf } from "../../../../test/faults/disk-faults.ts";
import { openFailingDisk } from "../../../../test/faults/open-failing-disk.ts";
import { openToolResources, type ToolResources } from "../../src/resources/resources.ts";
import { editFile } from "../../src/tools/edit-file.ts";
import { insertLines } from "../../src/tools/insert-lines.ts";
import { mkdir } from "../../src/tools/mkdir.ts";
import { remove } from "../../src/tools/remove.ts";
import { replaceLines } from "../../src/tools/replace-lines.ts";
import { writeFile } from "../../src/tools/write-file.ts";

const old = "one\ntwo\nthree\n";
const fresh = "eins\nzwei\ndrei\nvier\n";

interface Scenario {
  readonly title: string;
  readonly tool: (resources: ToolResources) => Tool;
  readonly arguments: JsonObject;
  /** The file that is checked, and its permitted contents afterwards (null: the file does not exist). */
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
  /** True if the person is asked first. */
  readonly asked?: boolean;
}

const edited = "one\nTWO\nthree\n";
const scenarios: readonly Scenario[] = [
  {
    title: "write_file, a new file in a new folder",
    tool: writeFile,
    arguments: { path: "src/new/a.txt", content: fresh },
    path: "src/new/a.txt",
    before: null,
    after: fresh,
  },
  {
    title: "write_file over a file",
    tool: writeFile,
    arguments: { path: "src/f.txt", content: fresh },
    path: "src/f.txt",
    before: old,
    after: fresh,
  },
  {
    title: "write_file over a file, after a question",
    tool: writeFile,
    arguments: { path: "src/f.txt", content: fresh },
    path: "src/f.txt",
    before: old,
    after: fresh,
    asked: true,
  },
  {
    title: "edit_file",
    tool: editFile,
    arguments: { path: "src/f.txt", old_string: "two", new_string: "TWO" },
    path: "src/f.txt",
    before: old,
    after: edited,
  },
  {
    title: "insert_lines",
    tool: insertLines,
    arguments: { path: "src/f.txt", line_start: 2, new_content: "more\n" },
    path: "src/f.txt",
    before: old,
    after: "one\nmore\ntwo\nthree\n",
  },
  {
    title: "replace_lines",
    tool: replaceLines,
    arguments: { path: "src/f.txt", line_start: 2, line_end: 2, new_content: "TWO\n" },
    path: "src/f.txt",
    before: old,
    after: edited,
  },
  {
    title: "remove a file",
    tool: remove,
    arguments: { path: "src/f.txt" },
    path: "src/f.txt",
    before: old,
    after: null,
  },
  {
    title: "remove a folder",
    tool: remove,
    arguments: { path: "src", recursive: true },
    path: "src/f.txt",
    before: old,
    after: null,
  },
  {
    title: "mkdir",
    tool: mkdir,
    arguments: { path: "a/b/c" },
    path: "src/f.txt",
    before: old,
    after: old,
  },
];

const { folder, disk } = await openFailingDisk("disk");
const root = join(folder, "ws");
const state = join(folder, "state");
let resources: ToolResources;

beforeAll(async () => {
  mkdirSync(root);
  resources = await openToolResources({ workspace: root, stateFolder: state });
});

afterAll(async () => {
  await resources.close();
});

function reset({ path, before }: Scenario): void {
  for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true, force: true });
  rmSync(state, { recursive: true, force: true });
  mkdirSync(join(root, "src"));
  writeFileSync(join(root, "src/other.txt"), "other\n");
  if (before === null) return;
  writeFileSync(join(root, path), before);
  chmodSync(join(root, path), 0o640);
}

/** Makes the call like a session, with a person who allows it. */
function run(scenario: Scenario, fault: Fault | undefined) {
  const own = { ...resources, ledger: createReadLedger(), journal: createWriteJournal(state) };
  const registry = createRegistry([scenario.tool(own)]);
  const [name = ""] = registry.definitions().map((one) => one.name);
  return disk.during(fault, () =>
    runToolCall({
      registry,
      name,
      arguments: scenario.arguments,
      workspace: root,
      mode: scenario.asked === true ? "default" : "bypass",
      answer: () => Promise.resolve("once"),
    }),
  );
}

/** Simulates that this process was killed and the next one starts. */
function nextStart(): void {
  const mark = processMark(process.pid) ?? "";
  const dead = "999999999-1";
  const record = join(state, `writes-${mark}`);
  if (existsSync(record)) renameSync(record, join(state, `writes-${dead}`));
  for (const path of temporaryFiles()) renameSync(path, path.replace(mark, dead));
  sweepTemporaryFiles(state);
}

function temporaryFiles(): readonly string[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".lhtmp"))
    .map((name) => join(root, name));
}

/** Returns what is wrong after the fault, in words; empty if all is correct. */
function problems(scenario: Scenario, result: ToolResult, open: readonly string[]): readonly string[] {
  const path = join(root, scenario.path);
  const now = existsSync(path) ? readFileSync(path, "utf8") : null;
  const found: string[] = [];
  if (now !== scenario.before && now !== scenario.after) found.push(`the file is ${JSON.stringify(now)}`);
  if (result.success && now !== scenario.after) found.push("success, but the file is the old one");
  if (now !== null && scenario.before !== null && (statSync(path).mode & 0o777) !== 0o640) {
    found.push(`its mode is ${(statSync(path).mode & 0o777).toString(8)}`);
  }
  nextStart();
  if (temporaryFiles().length > 0) found.push(`left: ${temporaryFiles().join(", ")}`);
  const after = disk.openDescriptors();
  if (after.length > open.length) {
    found.push(`open: ${after.filter((one) => !open.includes(one)).join(", ")}`);
  }
  if (!result.success && !isSentence(result)) found.push(`says: ${result.error_message}`);
  return found;
}

/** True if the message names a file of the call and the error is not an internal one. */
function isSentence({ error_message, error_type }: ToolResult): boolean {
  return (
    error_type !== "internal_error" &&
    /"[^"]+" .{10,}|^not run: what this call would touch (?:has )?changed/.test(error_message ?? "")
  );
}

describe("every operation on the disk fails in turn", () => {
  test.each(scenarios)("$title", async (scenario) => {
    reset(scenario);
    const { result, operations } = await run(scenario, undefined);
    expect(result).toMatchObject({ success: true });
    const wrong: string[] = [];
    const faults = faultsOf(operations);
    for (const fault of faults) {
      reset(scenario);
      const open = disk.openDescriptors();
      const { result: faulty } = await run(scenario, fault);
      const found = problems(scenario, faulty, open);
      if (found.length > 0) wrong.push(`${describeFault(fault, operations)}: ${found.join("; ")}`);
    }
    if (process.env["FAULTS_REPORT"]) {
      console.log(scenario.title, operations.length, faults.length, wrong.length);
    }
    expect(wrong).toEqual([]);
    expect(operations.length).toBeGreaterThan(5);
  });
});
