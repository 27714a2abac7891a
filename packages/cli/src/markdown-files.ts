/** Files that people write as Markdown (agents, commands): the person's own, and those of a project that they trust. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Workspace } from "@localharness/tools";
import { reasonOf } from "./complaints.ts";

export interface MarkdownFile {
  readonly path: string;
  /** `name.md`. */
  readonly name: string;
  readonly origin: "user" | "project";
  readonly text:
    | { readonly ok: true; readonly value: string }
    | { readonly ok: false; readonly problem: string };
}

const longest = 64 * 1024;
const mostFiles = 50;

/**
 * Those in `kind` of the person's folder, then those in `.localharness/kind` of the workspace, each by name.
 * `workspace` only when its own files are trusted. Never rejects: a file that cannot be read says why.
 */
export async function findMarkdownFiles(
  kind: "agents" | "commands",
  folder: string | undefined,
  workspace: Workspace | undefined,
): Promise<readonly MarkdownFile[]> {
  return [
    ...(folder === undefined ? [] : await userFiles(join(folder, kind))),
    ...(workspace === undefined ? [] : await projectFiles(workspace, `.localharness/${kind}`)),
  ];
}

async function userFiles(folder: string): Promise<readonly MarkdownFile[]> {
  const names = await readdir(folder).catch((): string[] => []);
  const read = async (name: string): Promise<MarkdownFile> => {
    const path = join(folder, name);
    const text = await readFile(path).then(textOf, (error: unknown) => unread(reasonOf(error)));
    return { path, name, origin: "user", text };
  };
  return Promise.all(markdownNames(names).map(read));
}

async function projectFiles(workspace: Workspace, folder: string): Promise<readonly MarkdownFile[]> {
  const opened = workspace.openDirectory(folder);
  if (!opened.ok) return [];
  using directory = opened.value;
  const names = await readdir(directory.base).catch((): string[] => []);
  const files: MarkdownFile[] = [];
  for (const name of markdownNames(names)) {
    const path = `${folder}/${name}`;
    files.push({ path, name, origin: "project", text: await readInside(workspace, path) });
  }
  return files;
}

async function readInside(workspace: Workspace, path: string): Promise<MarkdownFile["text"]> {
  const opened = workspace.openFile(path);
  if (!opened.ok) return unread(opened.message);
  using file = opened.value;
  return await file.read(longest + 1).then(textOf, (error: unknown) => unread(reasonOf(error)));
}

function markdownNames(names: readonly string[]): readonly string[] {
  const fitting = names.filter((name) => /^[\w.-]+\.md$/.test(name) && !name.startsWith("."));
  return fitting.toSorted().slice(0, mostFiles);
}

function textOf(bytes: Buffer): MarkdownFile["text"] {
  if (bytes.length > longest) return unread(`it has more than ${longest} bytes`);
  return { ok: true, value: bytes.toString("utf8") };
}

function unread(problem: string): MarkdownFile["text"] {
  return { ok: false, problem };
}
