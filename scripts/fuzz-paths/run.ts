/** Opens random paths through the workspace, and compares the results with the oracle. */
import { closeSync, fstatSync, openSync } from "node:fs";
import { isAbsolute } from "node:path";
import { openWorkspace } from "@localharness/workspace/paths/open-workspace";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { createRandom } from "../fuzz-shell/random.ts";
import { whereItLeads } from "./oracle.ts";
import { randomPath } from "./strings.ts";
import { inodesBelow, makeTree, type Tree } from "./tree.ts";

export interface FuzzCounts {
  strings: number;
  inside: number;
  refused: number;
  escapes: number;
  /** The number of paths that lead to an existing file or folder in the workspace and were refused. */
  withheld: number;
  /** Descriptions of all failures, for people. */
  readonly examples: string[];
}

export interface FuzzOptions {
  readonly strings: number;
  readonly seed: number;
  /** The number of paths for each tree. */
  readonly perTree: number;
  /** Opens the workspace to judge; `openWorkspace` by default. */
  readonly open?: (root: string) => Promise<JudgedDoor>;
}

export type JudgedDoor = Pick<Workspace, "locate" | "openFile" | "openDirectory" | "openTarget" | "close">;

/** Runs the fuzzer. Begins no further tree after more than ten failures. */
export async function fuzzPaths(options: FuzzOptions): Promise<FuzzCounts> {
  const random = createRandom(options.seed);
  const counts: FuzzCounts = { strings: 0, inside: 0, refused: 0, escapes: 0, withheld: 0, examples: [] };
  while (counts.strings < options.strings && counts.examples.length <= 10) {
    const tree = makeTree(random);
    const workspace = await (options.open ?? openWorkspace)(tree.root);
    try {
      const below = inodesBelow(tree.root);
      const end = Math.min(counts.strings + options.perTree, options.strings);
      for (; counts.strings < end; counts.strings += 1) {
        judge(workspace, tree, below, randomPath(random, tree), counts);
      }
    } finally {
      workspace.close();
      tree.remove();
    }
  }
  return counts;
}

function judge(
  workspace: JudgedDoor,
  tree: Tree,
  below: ReadonlySet<string>,
  path: string,
  counts: FuzzCounts,
): void {
  const given = whatTheDoorGives(workspace, path);
  counts[given.length > 0 ? "inside" : "refused"] += 1;
  if (given.some((inode) => !below.has(inode))) {
    counts.escapes += 1;
    counts.examples.push(`escape: ${JSON.stringify(path)}`);
    return;
  }
  const truth = isTextuallyInside(tree.root, path)
    ? whereItLeads(tree.root, path)
    : { kind: "outside" as const };
  const expected = truth.kind === "inside" ? truth.inode : undefined;
  if (expected !== undefined && !given.includes(expected)) {
    counts.withheld += 1;
    counts.examples.push(`withheld: ${JSON.stringify(path)}`);
  }
  if (truth.kind === "outside" && given.length > 0 && isTextuallyInside(tree.root, path)) {
    counts.escapes += 1;
    counts.examples.push(`opened although it leads outside: ${JSON.stringify(path)}`);
  }
}

/** Returns `device:inode` of everything that the workspace's methods find or open for this path. */
function whatTheDoorGives(workspace: JudgedDoor, path: string): readonly string[] {
  const given: string[] = [];
  const place = workspace.locate(path);
  if (place.ok && place.value.stats !== undefined) {
    given.push(`${place.value.stats.dev}:${place.value.stats.ino}`);
  }
  const file = workspace.openFile(path);
  if (file.ok) {
    using open = file.value;
    given.push(`${open.stats.dev}:${open.stats.ino}`);
  }
  const folder = workspace.openDirectory(path);
  if (folder.ok) {
    using open = folder.value;
    given.push(inodeOf(open.base));
  }
  const target = workspace.openTarget(path, { createFolders: false });
  if (target.ok) {
    using entry = target.value;
    given.push(inodeOf(entry.directory.base));
  }
  return given;
}

function inodeOf(path: string): string {
  const descriptor = openSync(path, "r");
  try {
    const stats = fstatSync(descriptor);
    return `${stats.dev}:${stats.ino}`;
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Returns false for a path that must be refused by its text alone: empty, with NUL, too long, absolute but not below the
 * root, or above the root on the way.
 */
function isTextuallyInside(root: string, path: string): boolean {
  if (path === "" || path.includes("\0") || path.length > 4096) return false;
  const inside = isAbsolute(path) ? textBelow(root, path) : path;
  let depth = 0;
  for (const name of inside?.split("/") ?? [".."]) {
    depth += name === ".." ? -1 : name === "" || name === "." ? 0 : 1;
    if (depth < 0) return false;
  }
  return true;
}

/**
 * Returns the part of an absolute path below the root, with `//` and `/./` written as `/`; undefined when the path so
 * written does not literally begin with the root.
 */
function textBelow(root: string, path: string): string | undefined {
  const plain = path.replaceAll(/\/(?:\.?\/)+/g, "/");
  return `${plain}/`.startsWith(`${root}/`) ? plain.slice(root.length) : undefined;
}
