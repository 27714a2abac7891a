/** Measures what the workspace's file access costs beside a bare open of the same file. */
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openWorkspace } from "@localharness/workspace/paths/open-workspace";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { goalLine } from "../measure/figures.ts";

const rounds = 1500;
/**
 * The number of calls in a round. It is small, so that a round usually ends before the system switches to another
 * process.
 */
const callsPerRound = 100;
/** The highest ratio to the cost of a bare open. */
const goal = 2;

interface Way {
  readonly name: string;
  readonly call: () => void;
}

/** Prints one line for each way to open a file, and one for the goal. Takes several seconds. */
export async function resolverRows(print: (line: string) => void): Promise<void> {
  print(`\nFrom a path to an open file, the fastest of ${rounds} rounds:\n`);
  const folder = mkdtempSync(join(tmpdir(), "localharness-resolver-"));
  const path = "src/lib/file.ts";
  mkdirSync(join(folder, "src/lib"), { recursive: true });
  writeFileSync(join(folder, path), "text\n");
  const workspace = await openWorkspace(folder);
  const checked = await openWorkspace(folder, { door: "real-path" });
  try {
    const ways = [
      ...bareWays(join(folder, path)),
      ...doorWays(workspace, path),
      ...checkedWays(checked, path),
    ];
    const microseconds = measure(ways);
    for (const way of ways) {
      print(`${way.name.padEnd(44)} ${(microseconds.get(way.name) ?? 0).toFixed(2).padStart(7)} us`);
    }
    const ratio = (one: string, other: string) =>
      (microseconds.get(one) ?? 0) / (microseconds.get(other) ?? 1);
    const resolved = ratio("door: locate", "bare: open, fstat, close");
    const read = ratio("door: openFile, close", "bare: open, fstat, close");
    print(`opened for reading beside a bare open and fstat: ${read.toFixed(2)}x`);
    print(
      `\n${goalLine(`resolver < ${goal}x of a bare open and fstat`, `${resolved.toFixed(2)}x`, resolved < goal)}\n`,
    );
  } finally {
    workspace.close();
    checked.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function bareWays(path: string): readonly Way[] {
  const flags = constants.O_RDONLY;
  return [
    { name: "bare: open, close", call: () => closeSync(openSync(path, flags)) },
    {
      name: "bare: open, fstat, close",
      call: () => {
        const descriptor = openSync(path, flags);
        fstatSync(descriptor);
        closeSync(descriptor);
      },
    },
  ];
}

function doorWays(workspace: Workspace, path: string): readonly Way[] {
  return [
    { name: "door: locate", call: () => expectOk(workspace.locate(path)) },
    { name: "door: openFile, close", call: () => openAndClose(workspace, path) },
  ];
}

function checkedWays(workspace: Workspace, path: string): readonly Way[] {
  return [{ name: "real paths: openFile, close", call: () => openAndClose(workspace, path) }];
}

function openAndClose(workspace: Workspace, path: string): void {
  const opened = workspace.openFile(path);
  expectOk(opened);
  if (opened.ok) {
    opened.value[Symbol.dispose]();
  }
}

function expectOk(outcome: { readonly ok: boolean }): void {
  if (!outcome.ok) {
    throw new Error("expected the workspace to open the file; without that the figures are wrong");
  }
}

/** Measures the ways in turn, round by round, and returns the microseconds of the fastest round for each. */
function measure(ways: readonly Way[]): ReadonlyMap<string, number> {
  const best = new Map<string, number>();
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, call } of ways) {
      const started = performance.now();
      for (let count = 0; count < callsPerRound; count += 1) {
        call();
      }
      const each = ((performance.now() - started) / callsPerRound) * 1000;
      best.set(name, Math.min(best.get(name) ?? Number.POSITIVE_INFINITY, each));
    }
  }
  return best;
}
