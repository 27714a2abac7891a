/** Computes the marks of the files on which a remembered answer depends. A mark is a text that changes when the file changes. */
import { createHash } from "node:crypto";
import { lstatSync, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { dirname, posix } from "node:path";
import { notAFile } from "@localharness/workspace/files/not-a-file";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { absolutely, mayExist } from "../shell/locate.ts";

const maxFileBytes = 8_000_000;
const maxFiles = 200;

/** The mark of a file that the system makes anew at each read, so that neither its times nor its size tell a change. */
export const generated = "made at each read";

/** The marks of one answer. */
export interface Marks {
  readonly workspace: Workspace;
  /** The mark of each file, by the path that the command uses for it. */
  readonly files: Record<string, string>;
  /** True if a program among the files loads or runs files by names that it computes. */
  computed: boolean;
}

export interface MarkedFile {
  readonly state: "marked" | "absent" | "unreadable" | "generated";
  /** The path of the file: the folder and the name, spelled as in the command. */
  readonly path: string;
  /** The text of a file of the workspace; absent if it was not read. */
  readonly text?: string;
}

/** Returns false if the answer already depends on the maximum number of files. */
export function mayMarkMore({ files }: Marks): boolean {
  return Object.keys(files).length < maxFiles;
}

/** Adds the mark of a file, unless the file is absent, and returns the file's state. */
export async function markFile(
  { workspace, files }: Marks,
  folder: string,
  name: string,
): Promise<MarkedFile> {
  const path = pathIn(folder, name);
  const content = await contentOf(workspace, path);
  if (content === undefined) return { state: "absent", path };
  files[path] = markOf(content);
  if (content === notAFile) return { state: "unreadable", path };
  if (content === generated) return { state: "generated", path };
  return { state: "marked", path, ...(typeof content === "string" ? {} : { text: content.toString() }) };
}

/**
 * Returns the path of a name in a folder. Keeps each `..`, because after a link it leads to another folder than the text
 * suggests.
 */
export function pathIn(folder: string, name: string): string {
  return folder === "." || /^[~$/]/.test(name) ? name : `${folder}/${name.replace(/^(?:\.\/+)+/, "")}`;
}

export function markOf(content: Buffer | string): string {
  return typeof content === "string" ? content : digest(content);
}

export function digest(content: Buffer | string): string {
  return createHash("sha256").update(content).digest("hex");
}

export async function nearestPackage(workspace: Workspace, folder: string) {
  for (const at of upwards(folder)) {
    const path = posix.join(at, "package.json");
    const content = await contentOf(workspace, path);
    if (content !== undefined) return { path, text: content.toString() };
  }
  return undefined;
}

/** Yields the folder and each folder above it, up to the workspace. */
export function* upwards(folder: string): Generator<string> {
  for (let at = folder; at !== "." && at !== "/"; at = dirname(at)) yield at;
  yield ".";
}

/**
 * Returns the bytes of a file; undefined if it is missing. Returns a text about its state if it is too large or if the
 * workspace does not open it, `notAFile` if it is not a regular file, and `generated` if the system makes it at each read.
 */
export async function contentOf(workspace: Workspace, path: string): Promise<Buffer | string | undefined> {
  if (!mayExist(workspace, ".", path)) return undefined;
  const file = workspace.openFile(path);
  if (!file.ok) return elsewhere(absolutely(workspace, ".", path));
  using open = file.value;
  return open.stats.size > maxFileBytes ? stateOf(open.stats) : await open.read(maxFileBytes);
}

/**
 * Returns a text about the state of a file outside the workspace, without reading the file; `notAFile` if it is not a
 * regular file, `generated` if it may be made at each read. Returns undefined for an absent path, and at or below a socket: that is a placeholder of the sandbox, which
 * no program can read.
 */
function elsewhere(path: string): string | undefined {
  try {
    // A link to a socket, such as /dev/stdin, can be read.
    if (lstatSync(path, { throwIfNoEntry: false })?.isSocket() === true) return undefined;
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    if (!stats.isFile()) return notAFile;
    return stats.size === 0 || isOfSystem(path) ? generated : stateOf(stats);
  } catch {
    return isBelowSocket(path) ? undefined : notAFile;
  }
}

/** Returns true for a path in a folder that holds no stored files, but views of the running system. */
function isOfSystem(path: string): boolean {
  return /^\/(?:proc|sys|dev)\//.test(realpathSync.native(path));
}

function isBelowSocket(path: string): boolean {
  try {
    return lstatSync(dirname(path)).isSocket();
  } catch {
    return false;
  }
}

/** Returns a text that changes with the file. A program cannot prevent that, because only the system sets `ctimeMs`. */
function stateOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return `${dev}:${ino} ${size} bytes at ${mtimeMs}, ${ctimeMs}`;
}

/** Returns true if the name leads to an executable file, or if that is unknown. */
export function isExecutable(workspace: Workspace, folder: string, name: string): boolean {
  const anybody = 0o111;
  return mayBe(workspace, folder, name, (stats) => stats.isFile() && (stats.mode & anybody) !== 0);
}

/** Returns true if the name leads to a regular file, or if that is unknown. */
export function isFile(workspace: Workspace, folder: string, name: string): boolean {
  return mayBe(workspace, folder, name, (stats) => stats.isFile());
}

function mayBe(workspace: Workspace, folder: string, name: string, is: (stats: Stats) => boolean): boolean {
  try {
    const stats = statSync(absolutely(workspace, folder, name), { throwIfNoEntry: false });
    return stats !== undefined && is(stats);
  } catch (error) {
    // A name that is too long, or that leads through a file, belongs to no file.
    return !/^(?:ENAMETOOLONG|ENOTDIR|ERR_INVALID_ARG_VALUE)$/.test(
      String((error as { code?: unknown }).code),
    );
  }
}

/** Returns the sorted names in a folder of the workspace; an empty list if the folder cannot be read. */
export function namesIn(workspace: Workspace, folder: string): readonly string[] {
  const place = workspace.locate(folder);
  if (!place.ok || place.value.stats?.isDirectory() !== true) return [];
  try {
    return readdirSync(absolutely(workspace, ".", place.value.path)).sort();
  } catch {
    return [];
  }
}
