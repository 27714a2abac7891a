/**
 * What an answer to a command covers: its exact text, where it runs, which files its programs are, and the contents of
 * what it executes by name. When any of these is another one, the answer does not hold.
 */
import { createHash } from "node:crypto";
import { dirname, posix } from "node:path";
import type { Workspace } from "../workspace/workspace.ts";
import { type ExecutedFile, executedFiles, includedBy, scriptsOf } from "./executed-files.ts";
import { mayExist } from "./locate.ts";
import type { LocateProgram, ProgramPlace } from "./stable-program.ts";

export interface RememberedScope {
  readonly scope: string;
  /** In words for the person. */
  readonly covers: string;
  /** False when it executes more files by name than are looked at. */
  readonly complete: boolean;
}

export interface ScopeSubject {
  readonly text: string;
  readonly calls: readonly (readonly string[])[];
  /** Where it may run, relative to the workspace; the first is where it starts. */
  readonly folders: readonly string[];
  readonly locateProgram: LocateProgram;
  /** Configuration of the repositories that git would run in. */
  readonly gitConfiguration?: string;
}

const largestFile = 8_000_000;
const mostFiles = 200;

export async function rememberedScope(workspace: Workspace, subject: ScopeSubject): Promise<RememberedScope> {
  const files: Record<string, string> = {};
  for (const folder of subject.folders) {
    for (const file of subject.calls.flatMap(executedFiles)) {
      await addMark(workspace, folder, file, files);
    }
  }
  const programs = Object.fromEntries(
    [...new Set(subject.calls.map((words) => words[0] ?? ""))]
      .sort()
      .map((name) => [name, programMark(subject.locateProgram(name))]),
  );
  const git = subject.gitConfiguration === undefined ? {} : { git: digest(subject.gitConfiguration) };
  const scope = {
    command: subject.text,
    folder: subject.folders[0] ?? ".",
    programs,
    files: sorted(files),
    ...git,
  };
  const complete = Object.keys(files).length < mostFiles;
  return { scope: JSON.stringify(scope), covers: inWords(subject, files), complete };
}

function sorted(files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function programMark(place: ProgramPlace): string {
  switch (place.kind) {
    case "stable":
    case "chosen":
      return place.path === place.real ? place.path : `${place.path} -> ${place.real}`;
    case "unstable":
    case "path":
      return place.path;
    case "builtin":
    case "missing":
      return place.kind;
  }
}

async function addMark(
  workspace: Workspace,
  folder: string,
  file: ExecutedFile,
  files: Record<string, string>,
): Promise<void> {
  if (Object.keys(files).length >= mostFiles) {
    return;
  }
  if (file.kind !== "file") {
    const found = await nearestPackage(workspace, folder);
    if (found !== undefined) {
      files[file.kind === "package" ? found.path : `${found.path} scripts`] = digest(
        file.kind === "package" ? found.text : scriptsOf(found.text),
      );
    }
    return;
  }
  const path = posix.isAbsolute(file.name) || folder === "." ? file.name : posix.join(folder, file.name);
  const content = await contentOf(workspace, path);
  if (content === undefined) {
    return;
  }
  files[path] = typeof content === "string" ? content : digest(content);
  if (/(?:^|\/)(?:GNUm|m|M)akefile$|\.mk$/.test(path) && typeof content !== "string") {
    for (const included of includedBy(content.toString())) {
      const next = posix.isAbsolute(included) ? included : posix.join(folder, included);
      if (files[next] === undefined) {
        await addMark(workspace, folder, { kind: "file", name: included }, files);
      }
    }
  }
}

async function nearestPackage(workspace: Workspace, folder: string) {
  for (let at = folder; ; at = dirname(at)) {
    const path = at === "." ? "package.json" : `${at}/package.json`;
    const content = await contentOf(workspace, path);
    if (content !== undefined) {
      return { path, text: typeof content === "string" ? content : content.toString() };
    }
    if (at === ".") {
      return undefined;
    }
  }
}

/** The bytes, a word for what has none that are looked at, undefined for what is not there or lies outside. */
async function contentOf(workspace: Workspace, path: string): Promise<Buffer | string | undefined> {
  if (!mayExist(workspace, ".", path)) {
    return undefined;
  }
  const file = workspace.openFile(path);
  if (!file.ok) {
    return file.errorType === "not_found" || posix.isAbsolute(path)
      ? undefined
      : "not a file of the workspace";
  }
  using open = file.value;
  if (open.stats.size > largestFile) {
    return `${open.stats.size} bytes at ${open.stats.mtimeMs}`;
  }
  return await open.read(largestFile);
}

function digest(content: Buffer | string): string {
  return createHash("sha256").update(content).digest("hex");
}

function inWords(subject: ScopeSubject, files: Readonly<Record<string, string>>): string {
  const folder = subject.folders[0] ?? ".";
  const where = folder === "." ? "in this workspace" : `in "${folder}" of this workspace`;
  const names = Object.keys(files).map((name) =>
    name.endsWith(" scripts") ? `the scripts of ${name.slice(0, -8)}` : name,
  );
  const tied = [...names, ...(subject.gitConfiguration === undefined ? [] : ["the configuration of git"])];
  const shown = tied.length > 4 ? [...tied.slice(0, 3), `${tied.length - 3} more files`] : tied;
  const condition =
    shown.length === 0 ? "" : `, as long as ${shown.join(", ")} stay${shown.length === 1 ? "s" : ""} as now`;
  return `exactly this command, ${where}${condition}: ${subject.text}`;
}
