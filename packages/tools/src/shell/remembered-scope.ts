/**
 * Computes the scope of an answer to a command: its exact text, the folder in which it runs, the files of its programs, and
 * the contents of the files that it executes. If one of them changes, the answer no longer holds.
 */
import { createHash } from "node:crypto";
import { type Stats, statSync } from "node:fs";
import { dirname, isAbsolute, posix, relative } from "node:path";
import type { Workspace } from "../workspace/workspace.ts";
import {
  bringsPackages,
  executedFiles,
  feedsOthers,
  includedBy,
  runsAnything,
  scriptsOf,
} from "./executed-files.ts";
import { absolutely, locateWord, mayExist } from "./locate.ts";
import type { ExecutedFile, Words } from "./programs/program.ts";
import type { LocateProgram, ProgramPlace } from "./stable-program.ts";

export interface RememberedScope {
  readonly scope: string;
  /** The scope in words for the person. */
  readonly covers: string;
  /** False if it executes files that cannot be compared, or more files than the limit. */
  readonly complete: boolean;
}

export interface ScopeSubject {
  readonly text: string;
  readonly calls: readonly Words[];
  /** The number of calls, from the first on, whose words contain no expansion of the shell. */
  readonly literal: number;
  /** The files from which the command gets its input. */
  readonly readsFrom: readonly string[];
  /** The folders in which it may run, relative to the workspace. It starts in the first. */
  readonly folders: readonly string[];
  readonly locateProgram: LocateProgram;
  /** The configuration of the repositories in which git would run. */
  readonly gitConfiguration?: string;
}

const maxFileBytes = 8_000_000;
const maxFiles = 200;

export async function rememberedScope(workspace: Workspace, subject: ScopeSubject): Promise<RememberedScope> {
  const marks: Marks = { workspace, files: {} };
  const { files } = marks;
  let complete = true;
  for (const folder of subject.folders)
    for (const file of filesOf(workspace, subject))
      complete = (await addMark(marks, folder, file)) && complete;
  const programs: Record<string, string> = {};
  for (const name of [...new Set(subject.calls.map((words) => words[0] ?? ""))].sort()) {
    const mark = await programMark(workspace, subject.locateProgram(name));
    programs[name] = mark ?? "unknown";
    complete &&= mark !== undefined;
  }
  const git = subject.gitConfiguration === undefined ? {} : { git: digest(subject.gitConfiguration) };
  const scope = {
    command: subject.text,
    folder: subject.folders[0] ?? ".",
    programs,
    files: sorted(files),
    ...git,
  };
  complete &&= Object.keys(files).length < maxFiles;
  return { scope: JSON.stringify(scope), covers: inWords(subject, files), complete };
}

/** Returns the files that the command executes. If a program may run any file, returns every file that a word names. */
function filesOf(workspace: Workspace, { calls, literal, readsFrom }: ScopeSubject): readonly ExecutedFile[] {
  // A program of the workspace is also compared if the command has its absolute path.
  const inside = calls
    .filter(([program = ""]) => program.startsWith("/"))
    .flatMap(([program = "", ...args]) => {
      const { path } = locateWord(workspace, ".", program);
      return isAbsolute(path) ? [] : [[`./${path}`, ...args]];
    });
  const all = [...calls, ...inside];
  const executed = all.flatMap((words, index) => executedFiles(words, index < literal));
  if (!all.some(runsAnything)) return executed;
  const words = calls.flatMap(([, ...args]) => args.filter((word) => word !== "" && !word.startsWith("-")));
  const given = words.map((name) => ({ kind: "file", name }) as const);
  const read = readsFrom.map((name) => ({ kind: "script", name }) as const);
  const fed = calls.some(feedsOthers) ? [{ kind: "elsewhere" } as const] : [];
  return [...executed, ...given, ...read, ...fed];
}

function sorted(files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns a text that changes with the program; undefined if the program may change but cannot be read. */
async function programMark(workspace: Workspace, place: ProgramPlace): Promise<string | undefined> {
  switch (place.kind) {
    case "stable":
    case "chosen":
      return place.path === place.real ? place.path : `${place.path} -> ${place.real}`;
    case "unstable": {
      const path = relative(workspace.root, place.path);
      const content = path.startsWith("..") ? undefined : await contentOf(workspace, path);
      return content === undefined || content === notAFile ? undefined : `${place.path} ${markOf(content)}`;
    }
    case "path":
      return place.path;
    case "builtin":
    case "missing":
      return place.kind;
  }
}

interface Marks {
  readonly workspace: Workspace;
  readonly files: Record<string, string>;
}

/** For each kind of file, the states in which an answer may be remembered. */
const lastingStates = {
  ...{ file: "marked absent unreadable", makefile: "marked absent unreadable" },
  ...{ script: "marked absent", executable: "marked", resolved: "marked" },
} as const;

/** Adds the mark of an executed file: a text that changes with the file. Returns false if the file cannot be compared. */
async function addMark(marks: Marks, folder: string, file: ExecutedFile): Promise<boolean> {
  if (Object.keys(marks.files).length >= maxFiles) return false;
  switch (file.kind) {
    case "elsewhere":
      return false;
    case "package":
    case "package-scripts":
      return await addPackage(marks, folder, file.kind);
    case "installed":
      await addInstalled(marks, folder, file.name);
      return true;
    default: {
      const { kind, name } = file;
      if (kind === "executable" && !isExecutable(marks.workspace, folder, name)) return true;
      const state = await addFile(marks, folder, name, kind === "makefile");
      if (lastingStates[kind].split(" ").includes(state)) return true;
      return kind === "resolved" && (await isPackageScript(marks.workspace, folder, name));
    }
  }
}

async function addPackage(
  marks: Marks,
  folder: string,
  kind: "package" | "package-scripts",
): Promise<boolean> {
  const { workspace, files } = marks;
  const found = await nearestPackage(workspace, folder);
  if (found === undefined) return true;
  const whole = kind === "package";
  files[whole ? found.path : `${found.path} scripts`] = digest(whole ? found.text : scriptsOf(found.text));
  const list = posix.join(dirname(found.path), "pnpm-workspace.yaml");
  return !whole || !(bringsPackages(found.text) || mayExist(workspace, ".", list));
}

const installedIn = ["node_modules/.bin", ".venv/bin", "vendor/bin"];

async function addInstalled(marks: Marks, folder: string, name: string): Promise<void> {
  if (name === "" || name.includes("/")) return;
  for (const at of upwards(folder))
    for (const place of installedIn) await addFile(marks, at, `${place}/${name}`);
}

/** Returns the folder and those above it, up to the workspace. */
function* upwards(folder: string): Generator<string> {
  for (let at = folder; at !== "."; at = dirname(at)) yield at;
  yield ".";
}

async function isPackageScript(workspace: Workspace, folder: string, name: string): Promise<boolean> {
  const found = await nearestPackage(workspace, folder);
  try {
    const { scripts = {} } = JSON.parse(found?.text ?? "{}") as { scripts?: object };
    return Object.hasOwn(scripts, name);
  } catch {
    return false;
  }
}

const makefileName = /(?:^|\/)(?:GNUm|m|M)akefile$|\.mk$/;

/** Adds the mark of a file and of the files that a makefile includes. Returns `open` if it includes unknown files. */
async function addFile(
  { workspace, files }: Marks,
  folder: string,
  name: string,
  isMakefile = false,
): Promise<"marked" | "absent" | "unreadable" | "open"> {
  const path = pathIn(folder, name);
  const content = await contentOf(workspace, path);
  if (content === undefined) return "absent";
  files[path] = markOf(content);
  if (content === notAFile) return "unreadable";
  if ((isMakefile || makefileName.test(name)) && typeof content !== "string") {
    let state: "marked" | "open" = "marked";
    for (const included of includedBy(content.toString())) {
      if (/[$*?%[]/.test(included)) state = "open";
      else if (files[pathIn(folder, included)] === undefined && Object.keys(files).length < maxFiles) {
        state = (await addFile({ workspace, files }, folder, included, true)) === "open" ? "open" : state;
      }
    }
    return state;
  }
  return "marked";
}

/** Returns a path in the folder with its `..`, because `..` after a link leads to another folder than the text says. */
function pathIn(folder: string, name: string): string {
  return folder === "." || /^[~$/]/.test(name) ? name : `${folder}/${name.replace(/^(?:\.\/+)+/, "")}`;
}

function markOf(content: Buffer | string): string {
  return typeof content === "string" ? content : digest(content);
}

async function nearestPackage(workspace: Workspace, folder: string) {
  for (const at of upwards(folder)) {
    const path = posix.join(at, "package.json");
    const content = await contentOf(workspace, path);
    if (content !== undefined) return { path, text: content.toString() };
  }
  return undefined;
}

const notAFile = "not a file of the workspace";

/** Returns the bytes of a file, or a text about its state if it is not read; undefined if it is missing. */
async function contentOf(workspace: Workspace, path: string): Promise<Buffer | string | undefined> {
  if (!mayExist(workspace, ".", path)) return undefined;
  const file = workspace.openFile(path);
  if (!file.ok) return elsewhere(absolutely(workspace, ".", path));
  using open = file.value;
  return open.stats.size > maxFileBytes ? stateOf(open.stats) : await open.read(maxFileBytes);
}

/** Returns the state of a file outside the workspace, which is not read. */
function elsewhere(path: string): string | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats?.isFile() === false ? notAFile : stats && stateOf(stats);
  } catch {
    return notAFile;
  }
}

/** Returns text that changes with the file: only the system sets `ctimeMs`. */
function stateOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return `${dev}:${ino} ${size} bytes at ${mtimeMs}, ${ctimeMs}`;
}

function isExecutable(workspace: Workspace, folder: string, name: string): boolean {
  const anybody = 0o111;
  try {
    const stats = statSync(absolutely(workspace, folder, name), { throwIfNoEntry: false });
    return stats?.isFile() === true && (stats.mode & anybody) !== 0;
  } catch {
    return true;
  }
}

function digest(content: Buffer | string): string {
  return createHash("sha256").update(content).digest("hex");
}

function inWords(subject: ScopeSubject, files: Readonly<Record<string, string>>): string {
  const folder = subject.folders[0] ?? ".";
  const where = folder === "." ? "" : `, in its folder "${folder}"`;
  const names = Object.keys(files).map((name) =>
    name.endsWith(" scripts") ? `the scripts of ${name.slice(0, -8)}` : name,
  );
  const tied = [...names, ...(subject.gitConfiguration === undefined ? [] : ["the configuration of git"])];
  const shown = tied.length > 4 ? [...tied.slice(0, 3), `${tied.length - 3} more files`] : tied;
  const isOne = shown.length === 1 && !/^the scripts /.test(shown[0] ?? "");
  const condition =
    shown.length === 0 ? "" : `, as long as ${shown.join(", ")} ${isOne ? "stays" : "stay"} as now`;
  return `exactly this command${where}${condition}: ${subject.text}`;
}
