/** Arranges the paths of the workspace as a tree. */

export interface TreeNode {
  readonly name: string;
  readonly path: string;
  /** Absent for a file. */
  readonly children?: readonly TreeNode[];
}

interface Folder {
  readonly folders: Map<string, Folder>;
  readonly files: string[];
}

/**
 * Returns the folders and files at the top of the tree, folders first. If `words` has words, only paths that contain
 * all of them, in any case, are in the tree.
 */
export function treeOf(paths: readonly string[], words = ""): readonly TreeNode[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const top: Folder = { folders: new Map(), files: [] };
  for (const path of paths) {
    const lower = path.toLowerCase();
    if (!wanted.every((word) => lower.includes(word))) continue;
    const names = path.split("/");
    const file = names.pop() ?? "";
    let folder = top;
    for (const name of names) {
      const next: Folder = folder.folders.get(name) ?? { folders: new Map(), files: [] };
      folder.folders.set(name, next);
      folder = next;
    }
    folder.files.push(file);
  }
  return nodesOf(top, "");
}

function nodesOf({ folders, files }: Folder, under: string): readonly TreeNode[] {
  const byName = (a: string, b: string) => a.localeCompare(b);
  return [
    ...[...folders.keys()].toSorted(byName).map((name) => ({
      name,
      path: `${under}${name}/`,
      children: nodesOf(folders.get(name) ?? { folders: new Map(), files: [] }, `${under}${name}/`),
    })),
    ...files.toSorted(byName).map((name) => ({ name, path: under + name })),
  ];
}
