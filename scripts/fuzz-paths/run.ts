/** Runs random paths through the workspace's door, and holds what comes out against the oracle. */
import { closeSync, fstatSync, openSync } from "node:fs";
import { isAbsolute } from "node:path";
import { openWorkspace, type Workspace } from "@localharness/tools";
import { createRandom } from "../fuzz-shell/random.ts";
import { whereItLeads } from "./oracle.ts";
import { randomPath } from "./strings.ts";
import { inodesBelow, makeTree, type Tree } from "./tree.ts";

export interface FuzzCounts {
  strings: number;
  inside: number;
  refused: number;
  escapes: number;
  /** Existing things of the workspace that the door did not give. */
  withheld: number;
  /** The first of what went wrong, for people. */
  readonly examples: string[];
}

export interface FuzzOptions {
  readonly strings: number;
  readonly seed: number;
  /** How many paths run through one tree. */
  readonly perTree: number;
  /** Makes the door that is judged. Default: the workspace's own. */
  readonly open?: (root: string) => Promise<JudgedDoor>;
}

export type JudgedDoor = Pick<Workspace, "locate" | "openFile" | "openDirectory" | "openTarget" | "close">;

/** Ends early when something went wrong more than ten times. */
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
    counts.examples.push(`given although it leads out: ${JSON.stringify(path)}`);
  }
}

/** Inodes of everything that the ways through the door give for this path. */
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

/** What is refused for its text alone, whatever is on the disk: empty, NUL, too long, above the root on the way. */
function isTextuallyInside(root: string, path: string): boolean {
  if (path === "" || path.includes("\0") || path.length > 4096) {
    return false;
  }
  const inside = isAbsolute(path) ? textBelow(root, path) : path;
  let depth = 0;
  for (const name of inside?.split("/") ?? [".."]) {
    depth += name === ".." ? -1 : name === "" || name === "." ? 0 : 1;
    if (depth < 0) {
      return false;
    }
  }
  return true;
}

/** Absolute paths must write out the root itself. */
function textBelow(root: string, path: string): string | undefined {
  const plain = path.replaceAll(/\/(?:\.?\/)+/g, "/");
  return `${plain}/`.startsWith(`${root}/`) ? plain.slice(root.length) : undefined;
}
