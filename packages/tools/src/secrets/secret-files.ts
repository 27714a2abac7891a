/** Finds the files of secrets in a workspace and reads their values. */
import { walkBelow } from "../files/walk-below.ts";
import { secretName } from "../workspace/secret-name.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { type NamedValue, readValues } from "./read-values.ts";

export interface SecretFile {
  /** The path relative to the workspace. */
  readonly path: string;
  /** The kind of secret that the name means, such as `.env`. */
  readonly kind: string;
  readonly values: readonly NamedValue[];
}

/** The folders that are left out: installed packages, what builds and caches write, and what version control keeps. */
const leftOut: ReadonlySet<string> = new Set(
  `node_modules bower_components .git .hg .svn .venv venv site-packages __pycache__ target dist build .next .nuxt .cache .gradle
  .tox Pods DerivedData .terraform coverage`.split(/\s+/),
);

/** The maximum number of files that are read. */
const maxFiles = 100;
/** The maximum number of bytes of a file that are read. */
const maxBytes = 64 * 1024;

/** Returns a function that finds and reads the files. It reads a file again only if the file has changed. */
export function createSecretFiles(workspace: Workspace): () => Promise<readonly SecretFile[]> {
  let known = new Map<string, KeptFile>();
  return async () => {
    const now = new Map<string, KeptFile>();
    for (const [path, kind] of secretPaths(workspace)) {
      const file = await readSecretFile(workspace, path, kind, known.get(path));
      if (file !== undefined) now.set(path, file);
    }
    known = now;
    return [...now.values()];
  };
}

function secretPaths(workspace: Workspace): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  walkBelow(workspace, ".", (path, entry) => {
    if (leftOut.has(entry.name)) return "skip";
    const kind = entry.isFile() || entry.isSymbolicLink() ? secretName(path) : undefined;
    if (kind !== undefined) found.set(path, kind);
    return found.size === maxFiles ? "stop" : undefined;
  });
  return found;
}

interface KeptFile extends SecretFile {
  /** A text that changes when the file changes. */
  readonly state: string;
}

/** Resolves to undefined unless the path is a readable file inside the workspace. Finds no values in a binary file. */
async function readSecretFile(
  workspace: Workspace,
  path: string,
  kind: string,
  before: KeptFile | undefined,
): Promise<KeptFile | undefined> {
  const opened = workspace.openFile(path);
  if (!opened.ok) return undefined;
  using file = opened.value;
  const { ino, size, mtimeMs, ctimeMs } = file.stats;
  const state = [ino, size, mtimeMs, ctimeMs].join(":");
  if (before?.state === state) return before;
  const bytes = await file.read(maxBytes).catch(() => undefined);
  if (bytes === undefined) return undefined;
  return { path, kind, state, values: bytes.includes(0) ? [] : readValues(bytes.toString("utf8")) };
}
