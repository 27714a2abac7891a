/**
 * Adds the marks of the files that a call executes, and of the files that these files load or run by name. A mark is a text
 * that changes when the file changes.
 */
import { dirname, posix } from "node:path";
import {
  bringsPackages,
  executedFiles,
  includedBy,
  programTexts,
  scriptsOf,
} from "../shell/executed-files.ts";
import { loadedNames, recipesOf, scriptTexts } from "../shell/loaded-files.ts";
import { mayExist } from "../shell/locate.ts";
import { loadsComputed } from "../shell/programs/computed-loads.ts";
import type { ExecutedFile, Words } from "../shell/programs/program.ts";
import { baseName, programOf } from "../shell/programs/table.ts";
import {
  digest,
  isExecutable,
  isFile,
  type MarkedFile,
  type Marks,
  markFile,
  mayMarkMore,
  namesIn,
  nearestPackage,
  pathIn,
  upwards,
} from "./file-marks.ts";
import { shadowsPython } from "./python-modules.ts";

/**
 * Returns the calls in a shell text, and also the calls that programs such as `env` start in this text. `computed` is true if
 * the text runs files whose names are known only when it runs.
 */
export type ReadCalls = (text: string) => { readonly calls: readonly Words[]; readonly computed: boolean };

export interface Writer {
  readonly marks: Marks;
  readonly callsIn: ReadCalls;
  /** The scripts and recipes whose calls were followed. */
  readonly followed?: Set<string>;
}

/** For each kind of file, the states in which an answer may be remembered. */
const lastingStates = {
  ...{
    file: "marked absent unreadable",
    makefile: "marked absent unreadable",
    named: "marked absent unreadable",
  },
  ...{
    loader: "marked absent unreadable",
    script: "marked absent",
    executable: "marked",
    resolved: "marked",
  },
} as const;

/** Adds the marks of an executed file and of the files that it loads. Returns false if a later change may go unnoticed. */
export async function addMark(writer: Writer, folder: string, file: ExecutedFile): Promise<boolean> {
  const { marks } = writer;
  if (!mayMarkMore(marks)) return false;
  switch (file.kind) {
    case "elsewhere":
      return false;
    case "package":
    case "package-scripts":
      return await addPackage(marks, folder, file.kind);
    case "modules":
      return await addModules(marks, posix.join(folder, file.name));
    case "installed":
      await addInstalled(marks, folder, file.name);
      return true;
    default: {
      const { kind, name } = file;
      if (kind === "executable" && !isExecutable(marks.workspace, folder, name)) return true;
      if (kind === "named" && !isFile(marks.workspace, folder, name)) return true;
      const state = await addFile(writer, folder, name, kind);
      if (lastingStates[kind].split(" ").includes(state)) return true;
      return kind === "resolved" && (await isPackageScript(marks, folder, name));
    }
  }
}

async function addPackage(
  marks: Marks,
  folder: string,
  kind: "package" | "package-scripts",
): Promise<boolean> {
  const found = await nearestPackage(marks.workspace, folder);
  if (found === undefined) return true;
  const whole = kind === "package";
  marks.files[whole ? found.path : `${found.path} scripts`] = digest(
    whole ? found.text : scriptsOf(found.text),
  );
  const list = posix.join(dirname(found.path), "pnpm-workspace.yaml");
  return !whole || !(bringsPackages(found.text) || mayExist(marks.workspace, ".", list));
}

const installedIn = ["node_modules/.bin", ".venv/bin", "vendor/bin"];

async function addInstalled(marks: Marks, folder: string, name: string): Promise<void> {
  if (name === "" || name.includes("/")) return;
  for (const at of upwards(folder))
    for (const place of installedIn) await markFile(marks, at, `${place}/${name}`);
}

async function isPackageScript({ workspace }: Marks, folder: string, name: string): Promise<boolean> {
  const found = await nearestPackage(workspace, folder);
  try {
    const { scripts = {} } = JSON.parse(found?.text ?? "{}") as { scripts?: object };
    return Object.hasOwn(scripts, name);
  } catch {
    return false;
  }
}

/**
 * Adds a mark for the names of the modules in a folder, and the marks of modules that Python loads instead of its standard
 * modules.
 */
async function addModules(marks: Marks, folder: string): Promise<boolean> {
  const modules: string[] = [];
  for (const entry of namesIn(marks.workspace, folder)) {
    const [, name = "", ending = ""] = /^(\w+)((?:\.[\w.-]+)?\.(?:py|so|pyc))?$/.exec(entry) ?? [];
    const isPackage = ending === "" && name !== "" && isFile(marks.workspace, folder, `${name}/__init__.py`);
    if (name === "" || (ending === "" && !isPackage) || /^test_|_test$|^conftest$/.test(name)) continue;
    modules.push(entry);
    if (shadowsPython(name)) await markFile(marks, folder, isPackage ? `${name}/__init__.py` : entry);
  }
  if (modules.length > 0) marks.files[`${posix.join(folder, "*.py")} names`] = digest(modules.join("\n"));
  return true;
}

const makefileName = /(?:^|\/)(?:GNUm|m|M)akefile$|\.mk$|(?:^|\/)\.?[jJ]ustfile$/;

type FileKind = Extract<ExecutedFile, { readonly name: string }>["kind"];

/**
 * Adds the mark of a file. For a makefile, and for each kind but `file` and `named`, also adds the files that it loads.
 * Returns the state of the file, or `open` if it is a makefile that includes unknown files.
 */
async function addFile(
  writer: Writer,
  folder: string,
  name: string,
  kind: FileKind,
): Promise<MarkedFile["state"] | "open"> {
  const known = writer.marks.files[pathIn(folder, name)] !== undefined;
  const { state, path, text } = await markFile(writer.marks, folder, name);
  if (text === undefined) return state;
  if (kind === "makefile" || makefileName.test(name)) return await addIncluded(writer, folder, path, text);
  const follows = !known && /^(?:script|resolved|executable|loader)$/.test(kind);
  if (follows) await addLoaded(writer, folder, path, text);
  return state;
}

async function addIncluded(
  writer: Writer,
  folder: string,
  path: string,
  text: string,
): Promise<"marked" | "open"> {
  let state: "marked" | "open" = "marked";
  for (const included of includedBy(text)) {
    const isKnown = writer.marks.files[pathIn(folder, included)] !== undefined;
    if (/[$*?%[]/.test(included)) {
      state = "open";
    } else if (!isKnown && mayMarkMore(writer.marks)) {
      const found = await addFile(writer, folder, included, "makefile");
      if (found === "open") state = "open";
    }
  }
  for (const recipe of recipesOf(text))
    await addScript(writer, { folder, path, text: recipe, follows: false });
  return state;
}

/**
 * Adds the files that an executed file loads or runs. Installed packages load parts of themselves by computed names, which does
 * not count.
 */
async function addLoaded(writer: Writer, folder: string, path: string, text: string): Promise<void> {
  writer.marks.computed ||= !/(?:^|\/)node_modules\//.test(path) && loadsComputed(text, { file: path });
  await addLoads(writer, folder, posix.dirname(path), text);
  const isShell = /sh$/.test(path) || /^#!.*sh\b/.test(text) || !/\.\w+$/.test(path);
  if (isShell) await addScript(writer, { folder, path, text, follows: true });
}

/**
 * Adds the files that a program's text loads or runs by name, relative to the program's folder `own` and to the current folder.
 */
async function addLoads(writer: Writer, folder: string, own: string, text: string): Promise<void> {
  const places = [...new Set([own, folder, ...upwards(folder)])];
  for (const name of loadedNames(text)) {
    for (const place of name.startsWith("node_modules/") ? places : [own, folder]) {
      const at = pathIn(place, name);
      if (writer.marks.files[at] !== undefined || !mayMarkMore(writer.marks)) continue;
      if (isFile(writer.marks.workspace, ".", at)) await addFile(writer, place, name, "loader");
    }
  }
}

/** Adds the files that package scripts run, if the call names such scripts, as `npm test` does. */
export async function scriptsRunBy(writer: Writer, folder: string, words: Words): Promise<void> {
  if (!executedFiles(words, false).some(({ kind }) => kind === "package-scripts")) return;
  const found = await nearestPackage(writer.marks.workspace, folder);
  if (found === undefined) return;
  for (const text of scriptTexts(found.text, words.slice(1)))
    await addScript(writer, { folder: posix.dirname(found.path), path: found.path, text, follows: false });
}

interface ShellText {
  readonly folder: string;
  /** The file that has the text. */
  readonly path: string;
  readonly text: string;
  /** True for a script: the files that it runs are followed too. False for a package script and a recipe of a makefile. */
  readonly follows: boolean;
}

/** Adds the files that the calls in a shell text run. Follows each text only once. */
async function addScript(writer: Writer, { folder, path, text, follows }: ShellText): Promise<void> {
  const followed = writer.followed ?? new Set<string>();
  const key = `${folder} ${path} ${text}`;
  if (followed.has(key) || followed.size > maxScripts) return;
  followed.add(key);
  const inner = { ...writer, followed };
  const { calls, computed } = writer.callsIn(text);
  writer.marks.computed ||= computed;
  const folders = [folder, ...calls.flatMap((words) => folderAfter(folder, words))];
  for (const words of calls) {
    await addProgramTexts(inner, folder, words);
    const files = executedFiles(words, false).filter(({ kind }) => !unfollowed.includes(kind));
    for (const at of folders) {
      for (const file of files) await addMark(inner, at, follows ? file : withoutLoads(file));
      await scriptsRunBy(inner, at, words);
    }
  }
}

/** Adds the files that the texts of programs among the words of a call load, as in `python3 -c TEXT`. */
export async function addProgramTexts(writer: Writer, folder: string, words: Words): Promise<void> {
  for (const text of programTexts(words)) {
    writer.marks.computed ||= loadsComputed(text, { program: baseName(words[0] ?? "") });
    await addLoads(writer, folder, folder, text);
  }
}

/** Returns the folder to which a call changes, as `cd` does; an empty list for any other call and an unknown folder. */
function folderAfter(folder: string, [name = "", ...args]: Words): readonly string[] {
  const target = programOf(name).changesFolder?.(args) ?? "";
  return target === "" || /[$`*?{~]/.test(target) ? [] : [posix.normalize(pathIn(folder, target))];
}

const maxScripts = 100;
const unfollowed: readonly string[] = ["elsewhere", "package", "executable"];

/**
 * Returns the file with the kind `file`, so that only its own content is marked. An answer about a package script or a
 * recipe of a makefile does not end when a file changes that the programs in the script or recipe load.
 */
function withoutLoads(file: ExecutedFile): ExecutedFile {
  const { kind } = file;
  return kind === "script" || kind === "resolved" || kind === "loader"
    ? { kind: "file", name: file.name }
    : file;
}
