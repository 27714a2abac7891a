/** Files that people write as Markdown (agents, commands): the person's own, and those of a project that they trust. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { reasonOf } from "@localharness/protocol";
import type { Workspace } from "@localharness/tools";
import { withoutHidden } from "./instructions/hidden-characters.ts";

export interface MarkdownFile {
  readonly path: string;
  /** `name.md`. */
  readonly name: string;
  readonly origin: "user" | "project";
  readonly text:
    | { readonly ok: true; readonly value: string }
    | { readonly ok: false; readonly problem: string };
  /** What was taken out of the text, for the person. */
  readonly warnings: readonly string[];
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
    const content = await readFile(path).catch(reasonOf);
    return { path, name, origin: "user", ...textOf(content, path) };
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
    files.push({ path, name, origin: "project", ...textOf(await readInside(workspace, path), path) });
  }
  return files;
}

async function readInside(workspace: Workspace, path: string): Promise<Buffer | string> {
  const opened = workspace.openFile(path);
  if (!opened.ok) return opened.message;
  using file = opened.value;
  return await file.read(longest + 1).catch(reasonOf);
}

function markdownNames(names: readonly string[]): readonly string[] {
  const fitting = names.filter((name) => /^[\w.-]+\.md$/.test(name) && !name.startsWith("."));
  return fitting.toSorted().slice(0, mostFiles);
}

/** Without what nobody sees in it. A text in place of the content says why there is none. */
function textOf(content: Buffer | string, path: string): Pick<MarkdownFile, "text" | "warnings"> {
  if (typeof content === "string") return { text: { ok: false, problem: content }, warnings: [] };
  if (content.length > longest)
    return { text: { ok: false, problem: `it has more than ${longest} bytes` }, warnings: [] };
  const { text, warnings } = withoutHidden(content.toString("utf8"), path);
  return { text: { ok: true, value: text }, warnings };
}
