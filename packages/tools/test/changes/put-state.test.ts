/** Tests that undo under disk faults leaves a path in its old state or in the restored one. */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { fileState, type PathState } from "@localharness/workspace/changes/path-state";
import { putState } from "@localharness/workspace/changes/put-state";
import { createWriteJournal, sweepTemporaryFiles } from "@localharness/workspace/files/write-journal";
import { openWorkspace } from "@localharness/workspace/paths/open-workspace";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type DiskFaults,
  describeFault,
  type Fault,
  faultsOf,
  installDiskFaults,
} from "../../../../test/faults/disk-faults.ts";
import { treeOf } from "../../../../test/tree-of.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "localharness-put-")));
const [root, state] = [join(folder, "ws"), join(folder, "state")];
const at = join(root, "x");
const journal = createWriteJournal(state);
let disk: DiskFaults;
let workspace: Workspace;

beforeAll(async () => {
  mkdirSync(root);
  disk = await installDiskFaults(folder);
  workspace = await openWorkspace(root);
});
afterAll(() => {
  workspace.close();
  disk.restore();
  rmSync(folder, { recursive: true, force: true });
});

const content = Buffer.from("content\n");
const states: Readonly<Record<string, PathState>> = {
  absent: { kind: "absent" },
  file: await fileState(content, 0o640),
  "other file": await fileState(Buffer.from("other\n"), 0o640),
  link: { kind: "link", target: "one" },
  "other link": { kind: "link", target: "two" },
  folder: { kind: "folder", mode: 0o770 },
};

function put(name: string): void {
  for (const there of readdirSync(root)) rmSync(join(root, there), { recursive: true, force: true });
  const now = states[name];
  if (now?.kind === "file") writeFileSync(at, name === "file" ? content : "other\n", { mode: now.mode });
  if (now?.kind === "folder") {
    mkdirSync(at);
    chmodSync(at, now.mode);
  }
  if (now?.kind === "link") symlinkSync(now.target, at);
}

const shown: Readonly<Record<string, object>> = {
  absent: {},
  file: { x: "content\n(640)" },
  link: { x: "-> one" },
  folder: { "x/": "770" },
  "other file": { x: "other\n(640)" },
  "other link": { x: "-> two" },
};

/** Returns the name of the current state, ignoring temporary files. */
function found(): string {
  const tree = Object.fromEntries(Object.entries(treeOf(root)).filter(([path]) => !/\.lhtmp\/?$/.test(path)));
  const named = Object.keys(shown).find((name) => isDeepStrictEqual(shown[name], tree));
  return named ?? JSON.stringify(tree);
}

const pairs = Object.keys(states).flatMap((from) =>
  ["absent", "file", "link", "folder"].filter((to) => to !== from).map((to) => [from, to] as const),
);

const run = (fault: Fault | undefined, from: string, to: string) => {
  put(from);
  const [before, after] = [states[from], states[to]];
  if (before === undefined || after === undefined) throw new Error("no such state");
  return disk.during(fault, () =>
    putState(workspace, journal, { path: "x", from: before, to: after, content }),
  );
};

describe("when an operation of the disk fails", () => {
  test.each(pairs)("from %s to %s", async (from, to) => {
    const { result, operations } = await run(undefined, from, to);
    expect([result.ok, found(), readdirSync(root).length]).toEqual([true, to, to === "absent" ? 0 : 1]);
    const wrong: string[] = [];
    for (const fault of faultsOf(operations)) {
      // If every later operation fails, nothing can be rolled back; on a full disk a rename still works.
      if (fault.lasting === "all" || (fault.lasting && fault.code !== "ENOSPC")) continue;
      const ran = await run(fault, from, to);
      if (found() !== (ran.result.ok ? to : from)) {
        wrong.push(`${describeFault(fault, operations)}: ${ran.result.ok ? "done" : "failed"}, ${found()}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});

test("a link that cannot be created leaves the old entry", async () => {
  for (const from of ["file", "link", "folder"] as const) {
    put(from);
    const to: PathState = { kind: "link", target: "y".repeat(5_000) };
    const result = await putState(workspace, journal, { path: "x", from: states[from] as PathState, to });
    expect([result.ok, found(), readdirSync(root)]).toEqual([false, from, ["x"]]);
  }
});

test("an entry that changes during the exchange stays", async () => {
  put("file");
  const meanwhile = {
    ...journal,
    temporaryName(...where: Parameters<typeof journal.temporaryName>) {
      writeFileSync(at, "mine");
      return journal.temporaryName(...where);
    },
  };
  const [from, to] = [states["file"], states["link"]] as [PathState, PathState];
  const result = await putState(workspace, meanwhile, { path: "x", from, to });
  expect([result.ok, treeOf(root)]).toEqual([false, { x: "mine(640)" }]);
});

test("a folder that is not empty stays", async () => {
  put("folder");
  writeFileSync(join(at, "mine"), "");
  const [from, to] = [states["folder"], states["file"]] as [PathState, PathState];
  const result = await putState(workspace, journal, { path: "x", from, to, content });
  expect(result).toMatchObject({ ok: false, message: 'the folder "x" holds other files' });
  expect(treeOf(root)).toEqual({ ...shown["folder"], "x/mine": "" });
});

test("leftovers of a killed process are swept, including folders", () => {
  put("absent");
  chmodSync(root, 0o755);
  writeFileSync(join(state, "writes-1-1"), `${JSON.stringify(root)}\n`);
  mkdirSync(join(root, ".x.1-1-1.lhtmp"));
  symlinkSync("one", join(root, ".x.1-1-2.lhtmp"));
  expect(sweepTemporaryFiles(state)).toHaveLength(2);
  expect(readdirSync(root)).toEqual([]);
});
