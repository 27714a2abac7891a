/** Finds the programs that a repository's configuration makes git start. It reads the files and never runs git. */
import { lstatSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { countsAlways, countsForChanges, valueForLooking } from "./config-keys.ts";
import { bytesOf } from "./git-file.ts";
import { type GitFolder, gitFolderAt, looksLikeRepository } from "./git-folder.ts";
import { type ConfigEntry, readEntries } from "./read-config.ts";
import { submoduleNames } from "./submodules.ts";

export interface RepositoryConfig {
  /** The absolute path of the folder that contains `.git`. */
  readonly root: string;
  /**
   * The bytes of the configuration files, with one character for each byte. A remembered answer no longer holds if they change.
   */
  readonly text: string;
  /**
   * The keys whose values git may run or follow even in commands that only read, such as `core.fsmonitor`, `diff.x.textconv`
   * and `filter.x.clean`.
   */
  readonly always: readonly string[];
  /** The keys and hooks that git may run with commands that change something or open a connection. */
  readonly forChanges: readonly string[];
  /** The names of aliases. */
  readonly aliases: readonly string[];
  /** The settings with which a command that only reads does not leave the repository. */
  readonly forLooking: readonly (readonly [string, string])[];
  /** The reason to ask about every git call in the repository. */
  readonly odd?: string;
}

const maxConfigBytes = 1_000_000;

/** Returns the repository that git would find from `folder` (absolute, real) upwards; undefined if there is none. */
export type FindRepository = (folder: string) => RepositoryConfig | undefined;

/** Returns a function that remembers each repository, for one command. A command may call git hundreds of times. */
export function createFindRepository(): FindRepository {
  const known = new Map<string, RepositoryConfig | undefined>();
  const lookAt = (folder: string) => {
    if (!known.has(folder)) known.set(folder, repositoryAt(folder));
    return known.get(folder);
  };
  return (folder) => {
    for (let at = folder; ; at = dirname(at)) {
      const found = lookAt(at);
      if (found !== undefined) {
        const within = folder === at ? "" : folder.slice(at.length).replace(/^\//, "");
        return /^\.git(?:\/|$)/i.test(within)
          ? oddRepository(at, "the command runs in .git, which may hold other repositories")
          : found;
      }
      if (at === dirname(at)) return undefined;
    }
  };
}

function repositoryAt(folder: string): RepositoryConfig | undefined {
  const found = gitFolderAt(folder);
  if (found !== undefined) return readRepository(folder, found);
  return looksLikeRepository(folder)
    ? oddRepository(folder, `${folder} is a repository without a .git`)
    : undefined;
}

function oddRepository(root: string, odd: string): RepositoryConfig {
  return { root, text: "", always: [], forChanges: [], aliases: [], forLooking: [], odd };
}

function readRepository(root: string, folder: GitFolder): RepositoryConfig {
  const { own, shared, kind } = folder;
  if (folder.odd !== undefined) return oddRepository(root, folder.odd);
  const files = [join(shared, "config"), join(own, "config.worktree")].map(readBytes);
  const parts = files.map((file) => (file === undefined ? undefined : readEntries(file)));
  if (parts.includes(undefined)) return oddRepository(root, "its configuration could not be read");
  const entries = parts.flatMap((part) => part ?? []);
  const isOwnTree = namesWorkTree(own, root);
  if (kind === "submodule" && !entries.some(isOwnTree)) {
    return oddRepository(root, `.git is a file that names a repository elsewhere (${own})`);
  }
  const usesSha256 = entries.some(({ key, value }) => key === "extensions.objectformat" && value !== "sha1");
  const submodules = submoduleNames(root, folder, usesSha256 ? 32 : 20);
  const hooks = hookNames(join(shared, "hooks"));
  const runsAlways = entries.filter((entry) => !isOwnTree(entry) && countsAlways(entry, root));
  const others = entries.filter((entry) => countsForChanges(entry, root));
  return {
    root,
    text: files.map((file) => file?.toString("latin1") ?? "").join("\n"),
    always: [...new Set(runsAlways.map(({ key }) => key))],
    forChanges: [...new Set([...others.map(({ key }) => key), ...hooks.map((name) => `hooks/${name}`)])],
    aliases: entries
      .filter(({ key }) => key.startsWith("alias."))
      .map(({ key }) => key.slice("alias.".length)),
    forLooking: [
      ...entries.flatMap((entry) => {
        const value = valueForLooking(entry, root);
        return value === undefined ? [] : [[entry.key, value] as const];
      }),
      // The setting of one submodule in .gitmodules takes precedence over the setting for all.
      ...(submodules ?? []).map((name) => [`submodule.${name}.ignore`, "dirty"] as const),
    ],
    ...(submodules === undefined ? { odd: "it has submodules, and it is unknown which" } : {}),
  };
}

const namesWorkTree = (own: string, root: string) => (entry: ConfigEntry) =>
  entry.key === "core.worktree" && resolve(own, entry.value) === root;

/** Returns true if the configuration of a submodule's repository names `root` (absolute) as its working tree. */
export function ownsWorkTree({ own, shared }: GitFolder, root: string): boolean {
  const bytes = readBytes(join(shared, "config"));
  const entries = bytes && readEntries(bytes);
  return entries?.some(namesWorkTree(own, root)) === true;
}

/**
 * Returns the bytes of a file; an empty buffer for a missing file; undefined if it cannot be read, is a link or a folder, or
 * has more than 1 MB.
 */
function readBytes(path: string): Buffer | undefined {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    // While a sandboxed command runs, a socket may be the placeholder of an absent file; git cannot open it.
    if (stats === undefined || stats.isSocket()) return Buffer.alloc(0);
    return stats.isFile() ? bytesOf(path, maxConfigBytes) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the hooks that git would run, without the samples of a new repository; `?` if the folder cannot be read. */
function hookNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter(
      (name) => !name.endsWith(".sample") && /^[\w-]+$/.test(name) && name !== "README",
    );
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ENOENT" ? [] : ["?"];
  }
}
