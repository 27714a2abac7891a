/** Reads what the index of a repository lists, also a split one, which git keeps in two files. */
import { join } from "node:path";
import { isSettled, type StatKey, sameKey } from "../files/stat-key.ts";
import { statsAt } from "../paths/stats-at.ts";
import { bytesOf } from "./git-file.ts";
import { type IndexContent, type IndexEntry, isSubmoduleMode, readIndex } from "./submodules.ts";

export interface StagedEntries {
  readonly entries: readonly IndexEntry[];
  /** False if the index lists more than these, because a part of it cannot be read. */
  readonly whole: boolean;
}

/**
 * Returns the entries in the index of the repository's folder `own`. An absent index has none. A folder of a sparse index is an entry
 * whose path ends with `/`.
 */
export type ReadStaged = (own: string) => StagedEntries;

const maxIndexBytes = 256 * 1024 * 1024;
const nothing: StagedEntries = { entries: [], whole: true };
const unread: StagedEntries = { entries: [], whole: false };

/** Returns a function that reads an index again only after a change. */
export function createReadStaged(): ReadStaged {
  const known = new Map<string, { readonly key: StatKey; readonly staged: StagedEntries }>();
  return (own) => {
    const path = join(own, "index");
    const stats = statsAt(path);
    if (stats === undefined) return nothing;
    const before = known.get(path);
    if (before !== undefined && sameKey(before.key, stats)) return before.staged;
    known.delete(path);
    const staged = read(own);
    // The file of a split index never changes under its name, but may be missing for a while.
    if (staged.whole && isSettled(stats, Date.now())) known.set(path, { key: stats, staged });
    return staged;
  };
}

function read(own: string): StagedEntries {
  const content = contentOf(join(own, "index"));
  if (content?.base === undefined || /^0+$/.test(content.base)) {
    return content === undefined ? unread : { entries: content.entries, whole: true };
  }
  const named = content.entries.filter(({ path }) => path !== "");
  const shared = contentOf(join(own, `sharedindex.${content.base}`));
  if (shared === undefined) return { entries: named, whole: false };
  // It is not looked up which entries are replaced by those without a name.
  const replacing = content.entries.find(({ path, mode }) => path === "" && isSubmoduleMode(mode));
  const others = replacing === undefined ? [] : shared.entries.map(({ path }) => ({ ...replacing, path }));
  return { entries: [...shared.entries, ...others, ...named], whole: true };
}

function contentOf(path: string): IndexContent | undefined {
  const bytes = bytesOf(path, maxIndexBytes);
  return bytes && (readIndex(bytes, 20) ?? readIndex(bytes, 32));
}
