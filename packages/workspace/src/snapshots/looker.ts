/** Owns what the looks at one workspace share: the index, the tree and the store. Looks run one after the other. */
import { join } from "node:path";
import { workspaceName } from "../changes/change-folder.ts";
import { openContentPacks, snapshotsFolder } from "./content-packs.ts";
import type { CoverParts } from "./covers.ts";
import { createFolderTree } from "./folder-tree.ts";
import { loadIndex, saveIndex } from "./kept-index.ts";
import { type Look, type LookMemory, look } from "./look.ts";
import type { SnapshotOptions } from "./snapshots.ts";

export interface Looker extends Omit<CoverParts, "room"> {
  /** Looks at the workspace now, and resolves to what has changed since the look before. */
  look(): Promise<Look>;
  /** Returns the milliseconds since the end of the last look. */
  ageMs(): number;
  close(): void;
}

/** The part of the quota that the present state of one workspace may take. The rest is for older contents. */
const livePart = 0.5;
/** The index is saved when so many entries have changed, and at the end. */
const manyChanges = 200;

export function createLooker({ stateFolder, workspace: root, limits, secrets }: SnapshotOptions): Looker {
  const folder = snapshotsFolder(stateFolder);
  const indexPath = join(folder, "index", `${workspaceName(root)}.json`);
  const index = loadIndex(indexPath);
  const tree = createFolderTree(root, limits.entries);
  const packs = openContentPacks(folder, limits.totalBytes);
  const memory: LookMemory = { looked: false, indexStats: undefined, tracked: [] };
  const liveBytes = Math.floor(limits.totalBytes * livePart);
  const parts = { root, tree, index, packs, secrets, fileBytes: limits.fileBytes, liveBytes };
  let last: Promise<unknown> = Promise.resolve();
  let lastAt = Number.NEGATIVE_INFINITY;
  let unsaved = 0;
  const save = () => {
    saveIndex(indexPath, index);
    unsaved = 0;
  };
  return {
    ...{ root, tree, index, packs },
    look: () => {
      const looking = last.then(async () => {
        const found = await look(parts, memory);
        lastAt = performance.now();
        unsaved += found.changes.length;
        if (unsaved >= manyChanges) save();
        return found;
      });
      last = looking.catch(() => undefined);
      return looking;
    },
    ageMs: () => performance.now() - lastAt,
    close: () => {
      if (unsaved > 0) save();
      packs.close();
    },
  };
}
