/** Reads the Markdown files of agents and commands: the person's own files, and the files of a trusted project. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { reasonOf } from "@localharness/protocol";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { withoutHidden } from "./instructions/hidden-characters.ts";

export interface MarkdownFile {
  readonly path: string;
  /** The file's name, such as `review.md`. */
  readonly name: string;
  readonly origin: "user" | "project";
  readonly text:
    | { readonly ok: true; readonly value: string }
    | { readonly ok: false; readonly problem: string };
  /** Messages for the person about invisible characters that were removed. */
  readonly warnings: readonly string[];
}

const maxBytes = 64 * 1024;
const maxFiles = 50;

/**
 * Returns the files in `kind` of the configuration folder, then the files in `.localharness/kind` of the workspace, each
 * group sorted by name and at most 50 files. Pass `workspace` only if it is trusted. Never rejects: an unreadable or too
 * large file has a `problem`, and a folder that cannot be listed has no files.
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
  return await file.read(maxBytes + 1).catch(reasonOf);
}

function markdownNames(names: readonly string[]): readonly string[] {
  const fitting = names.filter((name) => /^[\w.-]+\.md$/.test(name) && !name.startsWith("."));
  return fitting.toSorted().slice(0, maxFiles);
}

/** Returns the text without invisible characters. If reading failed, `content` is the reason as a string. */
function textOf(content: Buffer | string, path: string): Pick<MarkdownFile, "text" | "warnings"> {
  if (typeof content === "string") return { text: { ok: false, problem: content }, warnings: [] };
  if (content.length > maxBytes) {
    return { text: { ok: false, problem: `it has more than ${maxBytes} bytes` }, warnings: [] };
  }
  const { text, warnings } = withoutHidden(content.toString("utf8"), path);
  return { text: { ok: true, value: text }, warnings };
}
