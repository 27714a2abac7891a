/** Finds and ends everything that a child process has started, including processes in other sessions. */
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import type { RunGroup } from "./control-group.ts";

/** The environment variable that marks each child and its descendants. */
export const markVariable = "LOCALHARNESS_RUN";

export interface TreeRoot {
  readonly pid: number;
  /** The value of `markVariable` in the child's environment. */
  readonly mark: string;
  /** The control group of the run, if there is one. */
  readonly group?: RunGroup | undefined;
}

const graceMs = 500;
const lastMs = 1500;
const lingerMs = 100;
/** In a run shorter than this, process ids cannot wrap around completely. */
const shortRunMs = 10_000;

interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
}

/**
 * Sends SIGTERM to all processes of the tree, and SIGKILL to processes that remain after 500 ms. Resolves to the number of
 * processes that got SIGTERM, when none is left or after 2 s. `runMs` is the time for which the root ran, if it has ended by
 * itself: then the others first get 100 ms to end, and after a short run fewer processes need to be checked.
 */
export async function endTree(root: TreeRoot, runMs = Number.POSITIVE_INFINITY): Promise<number> {
  const from = runMs < shortRunMs ? lowestPid(root.pid) : 0;
  const endedItself = Number.isFinite(runMs);
  let first = treeMembers(root, from);
  // Processes that belong to the root, such as a sandbox around it, may need a moment longer to end.
  for (let waited = 0; endedItself && first.length > 0 && waited < lingerMs; waited += 10) {
    await wait(10);
    first = treeMembers(root, from);
  }
  if (first.length === 0) return 0;
  signalAll(root, first, "SIGTERM");
  if (!(await goneWithin(root, graceMs))) {
    const until = performance.now() + lastMs;
    while (performance.now() < until) {
      const left = treeMembers(root);
      if (left.length === 0) break;
      signalAll(root, left, "SIGKILL");
      root.group?.kill();
      await wait(20);
    }
  }
  return first.length;
}

/**
 * Returns the ids of the tree's processes. Leaves out those below `from`, unless the control group has processes. Outside
 * Linux returns only the root's, if its process group has a process.
 */
export function treeMembers(root: TreeRoot, from = 0): readonly number[] {
  if (process.platform !== "linux") return groupLives(root.pid) ? [root.pid] : [];
  const grouped = new Set(root.group?.members() ?? []);
  const rows = processRows(grouped.size > 0 ? 0 : from);
  const members = new Set<number>();
  for (const row of rows) {
    if (
      grouped.has(row.pid) ||
      row.pid === root.pid ||
      row.group === root.pid ||
      row.session === root.pid ||
      carriesMark(row.pid, root.mark)
    ) {
      members.add(row.pid);
    }
  }
  let grown = members.size > 0;
  while (grown) {
    const before = members.size;
    for (const row of rows) {
      if (members.has(row.parent)) {
        members.add(row.pid);
      }
    }
    grown = members.size > before;
  }
  return [...members];
}

async function goneWithin(root: TreeRoot, milliseconds: number): Promise<boolean> {
  const until = performance.now() + milliseconds;
  while (performance.now() < until) {
    await wait(10);
    if (treeMembers(root).length === 0) return true;
  }
  return false;
}

function signalAll(root: TreeRoot, members: readonly number[], signal: "SIGTERM" | "SIGKILL"): void {
  if (process.platform === "win32") {
    sendSignal(root.pid, signal);
    return;
  }
  // The whole group gets the signal first, in one step, so that it cannot fork between two signals.
  if (groupLives(root.pid)) {
    sendSignal(-root.pid, signal);
  }
  for (const pid of members) {
    sendSignal(pid, signal);
  }
}

function sendSignal(pid: number, signal: "SIGTERM" | "SIGKILL"): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has ended, or runs as another user and cannot be signalled.
  }
}

function groupLives(pid: number): boolean {
  try {
    process.kill(-pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Returns the lowest id that a descendant can have. Ids count upwards; returns 0 if they have wrapped around since. */
function lowestPid(root: number): number {
  const newest = Number(readOrNothing("/proc/loadavg").trim().split(" ").at(-1));
  return newest >= root ? root : 0;
}

/** Returns all processes with an id of at least `from`, except zombies and this process. */
function processRows(from: number): readonly ProcessRow[] {
  const rows: ProcessRow[] = [];
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (pid >= from && pid !== process.pid) {
      const row = processRow(pid);
      if (row !== undefined) {
        rows.push(row);
      }
    }
  }
  return rows;
}

function processRow(pid: number): ProcessRow | undefined {
  const stat = readOrNothing(`/proc/${pid}/stat`);
  const [state, parent, group, session] = stat.slice(stat.lastIndexOf(")") + 2).split(" ", 4);
  if (state === undefined || state === "" || state === "Z" || state === "X") return undefined;
  return { pid, parent: Number(parent), group: Number(group), session: Number(session) };
}

function carriesMark(pid: number, mark: string): boolean {
  return readOrNothing(`/proc/${pid}/environ`).includes(`${markVariable}=${mark}\0`);
}

function readOrNothing(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
