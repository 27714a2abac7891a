/**
 * Lets each disk operation of undo and redo fail in turn: each path is old or new, the report is true, and undo and
 * redo still work afterwards.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRegistry } from "@localharness/engine";
import type { ChangeReport } from "@localharness/protocol";
import { createTools, openToolResources, type ToolResources } from "@localharness/tools";
import { openWorkspace } from "@localharness/workspace/paths/open-workspace";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeFault, type Fault, faultsOf } from "../../../../test/faults/disk-faults.ts";
import { openFailingDisk } from "../../../../test/faults/open-failing-disk.ts";
import { treeOf } from "../../../../test/tree-of.ts";
import { openUndo } from "../../src/undo/undo-changes.ts";

const { folder, disk } = await openFailingDisk("disk");
const [root, state] = [join(folder, "ws"), join(folder, "state")];
let resources: ToolResources;
let workspace: Workspace;

beforeAll(async () => {
  mkdirSync(root);
  resources = await openToolResources({ workspace: root, stateFolder: state });
  workspace = await openWorkspace(root);
});
afterAll(async () => {
  await resources.close();
  workspace.close();
});

const before = { "a.txt": "old\n", "gone/": "", "gone/b.txt": "b" };
const after = { "a.txt": "new\n", "made/": "", "made/c.txt": "c" };

async function reset(): Promise<void> {
  resources.ledger.forget("a.txt");
  rmSync(state, { recursive: true, force: true });
  for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true, force: true });
  writeFileSync(join(root, "a.txt"), "old\n");
  mkdirSync(join(root, "gone"));
  writeFileSync(join(root, "gone/b.txt"), "b");
}

async function change(): Promise<void> {
  const registry = createRegistry(createTools(resources));
  const turn = { sessionId: "s", turnId: "turn-1" };
  const context = { callId: "c", signal: new AbortController().signal, report: () => undefined, turn };
  await registry.execute("write_file", { path: "a.txt", content: "new\n" }, context);
  await registry.execute("remove", { path: "gone", recursive: true }, context);
  await registry.execute("write_file", { path: "made/c.txt", content: "c" }, context);
}

const undo = () => openUndo({ workspace, journal: resources.journal, stateFolder: state, secrets: [] });

/** Returns the tree without temporary files: they stay until the next start when removing fails. */
function tree(): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(treeOf(root)).filter(([path]) => !path.endsWith(".lhtmp")));
}

/** Returns the paths that are neither in their state before nor in their state after. */
function mixed(): readonly string[] {
  const sides: readonly Readonly<Record<string, string>>[] = [before, after];
  return Object.entries(tree()).flatMap(([path, content]) =>
    sides.some((side) => side[path] === content) ? [] : [`${path}: ${content}`],
  );
}

async function problems(said: ChangeReport | Error, wanted: object): Promise<readonly string[]> {
  const found = [...mixed()];
  const same = JSON.stringify(tree()) === JSON.stringify(wanted);
  const whole = !(said instanceof Error) && !said.lines.some((line) => line.includes("left alone"));
  if (whole && said.changed === 5 && !same) found.push("said to be done, and it is not");
  return found;
}

const settle = (work: Promise<ChangeReport>): Promise<ChangeReport | Error> =>
  work.catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));

const usual = ({ code, lasting, kind }: Fault) =>
  process.env["FAULTS"] === "all" ||
  (kind === "refuse" &&
    ((code === "EIO" && lasting === false) || (code === "ENOSPC" && lasting === "fitting")));

test("undo under faults: each path old or new, nothing said that is not so, and a further undo ends it", async () => {
  await reset();
  await change();
  expect(treeOf(root)).toEqual(after);
  const whole = await disk.during(undefined, () => undo().undo("s"));
  expect(whole.result.changed).toBe(5);
  expect(treeOf(root)).toEqual(before);
  const wrong: string[] = [];
  for (const fault of faultsOf(whole.operations).filter(usual)) {
    await reset();
    await change();
    const { result } = await disk.during(fault, () => settle(undo().undo("s")));
    for (const path of Object.keys(treeOf(root)))
      if (path.endsWith(".lhtmp")) rmSync(join(root, path), { force: true });
    const found = [...(await problems(result, before))];
    // Either one more undo completes it, or the report named the paths left alone, and redo restores everything.
    await undo().undo("s");
    while ((await undo().redo("s")).changed > 0);
    if (JSON.stringify(tree()) !== JSON.stringify(after)) found.push("redo does not bring it back");
    if (found.length > 0) wrong.push(`${describeFault(fault, whole.operations)}: ${found.join("; ")}`);
  }
  expect(wrong).toEqual([]);
  expect(disk.openDescriptors().filter((one) => !one.endsWith(root))).toEqual([]);
});

test("changes under faults: what a call says it changed can be undone, or a note says that it cannot", async () => {
  await reset();
  const whole = await disk.during(undefined, change);
  const wrong: string[] = [];
  for (const fault of faultsOf(whole.operations).filter(usual)) {
    await reset();
    await disk.during(fault, change);
    const now = tree();
    await undo().undo("s");
    const found = mixed();
    if (found.length > 0) wrong.push(`${describeFault(fault, whole.operations)}: ${found.join("; ")}`);
    while ((await undo().redo("s")).changed > 0);
    if (JSON.stringify(tree()) !== JSON.stringify(now)) {
      wrong.push(`${describeFault(fault, whole.operations)}: redo does not bring it back`);
    }
  }
  expect(wrong).toEqual([]);
});
