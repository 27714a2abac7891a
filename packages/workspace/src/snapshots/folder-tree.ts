/**
 * Finds the files, links and folders of a workspace that version control does not ignore. Remembers the names in each folder,
 * so that the next walk lists only folders that have changed. Follows no links.
 */
import { type Dirent, readdirSync, type Stats } from "node:fs";
import { isSettled, sameKey, seenAt } from "../files/stat-key.ts";
import { statsAt } from "../paths/stats-at.ts";
import { type IgnoreFile, isIgnored, readIgnoreRules } from "./ignore-rules.ts";
import { ignoreText, type RulesAbove } from "./rules-above.ts";

/** Called for each entry; `path` is relative to the workspace. */
export type Visit = (path: string, stats: Stats) => void;

export interface FolderTree {
  /** Visits every entry but the workspace itself. Returns false if the maximum was reached or a folder could not be read. */
  walk(above: RulesAbove, visit: Visit): boolean;
  /** Returns true if the last walk left out something at or below the folder. */
  leavesOutBelow(path: string): boolean;
}

/**
 * The path of an entry, relative to the workspace and absolute. The same texts are used in each walk: to build them takes longer
 * than to look at the entry.
 */
interface Spot {
  readonly path: string;
  readonly at: string;
}

/** A folder as the last walk found it. */
interface FolderNode extends Spot {
  readonly stats: Stats;
  /** True if the names may change without a change of the times. */
  readonly racy: boolean;
  readonly files: readonly Spot[];
  readonly folders: ReadonlyMap<string, FolderNode>;
  /** True if it has entries that are ignored, of a special kind, or beyond the maximum. */
  readonly leavesOut: boolean;
  readonly rules: FolderRules | undefined;
}

/** The rules in a folder's `.gitignore`, and the state in which they were read. */
interface FolderRules {
  readonly stats: Stats;
  /** True if a later change would show in the times. */
  readonly settled: boolean;
  readonly file: IgnoreFile;
}

/** The folders of version control, and those that programs fill and can fill again. */
const filledByPrograms = new Set(
  `.git .hg .svn .bzr node_modules .venv venv __pycache__ .tox .nox .mypy_cache .pytest_cache
  .ruff_cache`.split(/\s+/),
);

/** Returns true for the name of a folder that is never kept. */
export function isFilledByPrograms(name: string): boolean {
  return filledByPrograms.has(name);
}

export function createFolderTree(root: string, maxEntries: number): FolderTree {
  let top: FolderNode | undefined;
  let aboveText: string | undefined;
  return {
    walk: (above, visit) => {
      const stats = statsAt(root);
      const walking: Walking = {
        ...{ visit, prefix: above.prefix, startedAt: Date.now(), left: maxEntries },
        complete: stats?.isDirectory() === true,
      };
      if (stats === undefined || !walking.complete) return false;
      const isFresh = above.text !== aboveText;
      aboveText = above.text;
      const spot = { path: "", at: root };
      top = visitFolder(walking, { spot, stats, known: top, files: above.files, isFresh });
      return walking.complete;
    },
    leavesOutBelow: (path) => {
      let node = top;
      for (const name of path === "." ? [] : path.split("/")) node = node?.folders.get(name);
      return node === undefined || leavesOut(node);
    },
  };
}

function leavesOut(node: FolderNode): boolean {
  return node.leavesOut || [...node.folders.values()].some(leavesOut);
}

interface Walking {
  readonly prefix: string;
  readonly visit: Visit;
  readonly startedAt: number;
  left: number;
  complete: boolean;
}

interface FolderVisit {
  /** The path is empty for the workspace itself. */
  readonly spot: Spot;
  readonly stats: Stats;
  readonly known: FolderNode | undefined;
  /** The rules that hold in the folder, without those of its `.gitignore`. */
  readonly files: readonly IgnoreFile[];
  /** True if the known names do not hold, because rules above have changed. */
  readonly isFresh: boolean;
}

function visitFolder(walking: Walking, { spot, stats, known, files, isFresh }: FolderVisit): FolderNode {
  const sameNames = known !== undefined && !known.racy && sameKey(known.stats, stats);
  const rules = rulesIn(walking, spot, sameNames ? known : undefined);
  const own = rules === undefined ? files : [...files, rules.file];
  const sameRules = known !== undefined && known.rules === rules && !isFresh;
  const names = sameNames && sameRules ? known : listFolder(walking, spot, own);
  let racy = !isSettled(stats, walking.startedAt);
  let cut = false;
  const look = ({ at }: Spot) => {
    cut ||= walking.left <= 0;
    if (cut) return undefined;
    walking.left -= 1;
    const found = seenAt(at);
    if (found === "hidden") walking.complete = false;
    racy ||= found === undefined || found === "hidden";
    return found === "hidden" ? undefined : found;
  };
  for (const file of names.files) {
    const found = look(file);
    if (found?.isFile() === true || found?.isSymbolicLink() === true) walking.visit(file.path, found);
    else racy = true;
  }
  const folders = new Map<string, FolderNode>();
  for (const [name, folder] of names.folders) {
    const found = look(folder);
    if (found?.isDirectory() !== true) {
      racy = true;
      continue;
    }
    walking.visit(folder.path, found);
    const before = known?.folders.get(name);
    folders.set(
      name,
      visitFolder(walking, { spot: folder, stats: found, known: before, files: own, isFresh: !sameRules }),
    );
  }
  if (cut) walking.complete = false;
  const { path, at } = spot;
  return { path, at, stats, racy, files: names.files, folders, leavesOut: names.leavesOut || cut, rules };
}

/** Returns the rules of the folder's `.gitignore`: those that are known if the file is as before. */
function rulesIn(
  { prefix, startedAt }: Walking,
  spot: Spot,
  known: FolderNode | undefined,
): FolderRules | undefined {
  if (known !== undefined && known.rules === undefined) return undefined;
  const path = `${spot.at}/.gitignore`;
  const stats = seenAt(path);
  if (stats === undefined || stats === "hidden") return undefined;
  const old = known?.rules;
  if (old?.settled === true && sameKey(old.stats, stats)) return old;
  const text = ignoreText(path);
  if (text === undefined) return undefined;
  const below = spot.path === "" ? "" : `${spot.path}/`;
  const file = { folder: prefix + below, rules: readIgnoreRules(text) };
  return { stats, settled: isSettled(stats, startedAt), file };
}

type Names = Pick<FolderNode, "files" | "leavesOut"> & { readonly folders: ReadonlyMap<string, Spot> };

function listFolder(walking: Walking, spot: Spot, rules: readonly IgnoreFile[]): Names {
  const files: Spot[] = [];
  const folders = new Map<string, Spot>();
  let leavesOut = false;
  for (const entry of entriesOf(walking, spot.at)) {
    const { name } = entry;
    // A socket or a pipe has no content.
    if (entry.isSocket() || entry.isFIFO()) continue;
    const path = spot.path === "" ? name : `${spot.path}/${name}`;
    const isFolder = entry.isDirectory();
    const isKnown = isFolder || entry.isFile() || entry.isSymbolicLink();
    // A name that is not valid UTF-8 cannot be opened again.
    const isOut =
      !isKnown ||
      name.includes("\uFFFD") ||
      name === ".git" ||
      (isFolder && isFilledByPrograms(name)) ||
      isIgnored(rules, walking.prefix + path, isFolder);
    if (isOut) leavesOut = true;
    else if (isFolder) folders.set(name, { path, at: `${spot.at}/${name}` });
    else files.push({ path, at: `${spot.at}/${name}` });
  }
  return { files, folders, leavesOut };
}

function entriesOf(walking: Walking, at: string): readonly Dirent[] {
  try {
    return readdirSync(at, { withFileTypes: true });
  } catch {
    walking.complete = false;
    return [];
  }
}
