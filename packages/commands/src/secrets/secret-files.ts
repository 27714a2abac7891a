/** Finds the files of secrets in a workspace and reads their values. */
import { walkBelow } from "@localharness/workspace/files/walk-below";
import { secretName } from "@localharness/workspace/paths/secret-name";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { type NamedValue, readGitValues, readValues } from "./read-values.ts";

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

/** The maximum number of files that are read in the workspace, and in each added folder. */
const maxFiles = 100;
/** The maximum number of bytes of a file that are read. */
const maxBytes = 64 * 1024;

/** The files of git whose addresses may have passwords. */
export const gitFiles: readonly string[] = [".git/config", ".git/config.worktree", ".git/FETCH_HEAD"];

export interface SecretFiles {
  /** Finds and reads all files of secrets. */
  all(): Promise<readonly SecretFile[]>;
  /** Reads the files of git only. */
  ofGit(): Promise<readonly SecretFile[]>;
}

/** Returns functions that read the files. They read a file again only if the file has changed. */
export function createSecretFiles(workspace: Workspace): SecretFiles {
  let known = new Map<string, KeptFile>();
  const filesOfGit = () => new Map(everyTop(workspace).flatMap(gitFilesOf));
  const read = async (paths: ReadonlyMap<string, string>) => {
    const now = new Map<string, KeptFile>();
    for (const [path, kind] of paths) {
      const file = await readSecretFile(workspace, path, kind, known.get(path));
      if (file !== undefined) now.set(path, file);
    }
    known = new Map([...known, ...now]);
    return [...now.values()];
  };
  return {
    all: async () => {
      const files = await read(new Map([...secretPaths(workspace), ...filesOfGit()]));
      known = new Map(files.map((file) => [file.path, file]));
      return files;
    },
    ofGit: () => read(filesOfGit()),
  };
}

/** Returns the workspace and the added folders, as paths of the workspace. */
function everyTop(workspace: Workspace): readonly string[] {
  return [".", ...workspace.added().map(({ root }) => root)];
}

function gitFilesOf(top: string): readonly (readonly [path: string, kind: string])[] {
  return gitFiles.map((path) => [top === "." ? path : `${top}/${path}`, "git"]);
}

function secretPaths(workspace: Workspace): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const top of everyTop(workspace)) {
    let count = 0;
    walkBelow(workspace, top, (path, entry) => {
      if (leftOut.has(entry.name)) return "skip";
      const kind = entry.isFile() || entry.isSymbolicLink() ? secretName(path, workspace.root) : undefined;
      if (kind === undefined) return undefined;
      found.set(path, kind);
      count += 1;
      return count === maxFiles ? "stop" : undefined;
    });
  }
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
  const read = kind === "git" ? readGitValues : readValues;
  return { path, kind, state, values: bytes.includes(0) ? [] : read(bytes.toString("utf8")) };
}
