/**
 * Reads the instructions of the person and of the project from AGENTS.md, also above a workspace in a repository. A project without AGENTS.md may have
 * CLAUDE.md instead.
 */
import { readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { defined, reasonOf } from "@localharness/protocol";
import { openWorkspace } from "@localharness/workspace/paths/open-workspace";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { cleanInstructions, maxInstructionBytes } from "./clean-instructions.ts";
import { type FolderAbove, foldersAbove } from "./folders-above.ts";

export interface InstructionPart {
  /** The name of the part in the prompt and in /context. */
  readonly name: string;
  readonly from: "person" | "project";
  readonly text: string;
  /** The size of the whole file in bytes; present only if `text` is the beginning of the file. */
  readonly cutFrom?: number;
}

export interface Instructions {
  /** The parts, in the order of the prompt. */
  readonly parts: readonly InstructionPart[];
  /** Messages for the person. */
  readonly warnings: readonly string[];
}

export interface InstructionSources {
  /** The configuration folder. */
  readonly folder: string | undefined;
  /** The workspace; undefined for a folder that is not trusted, whose files are not read. */
  readonly workspace: Workspace | undefined;
  /** The root of the repository above the workspace, if the person trusts it. Its instructions hold in the workspace too. */
  readonly root?: string | undefined;
  /** The instructions file of a workspace on another machine, in place of one of `workspace`. */
  readonly elsewhere?: ProjectFile | undefined;
  /** The maximum number of bytes of all instructions together. */
  readonly maxBytes?: number;
}

export interface ProjectFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** The names of instructions files. The first file that exists is used. */
export const instructionNames: readonly string[] = ["AGENTS.md", "CLAUDE.md"];

/** Reads all instructions. Never rejects: an unreadable file becomes a warning. */
export async function readInstructions({
  folder,
  workspace,
  root,
  elsewhere,
  maxBytes = Number.POSITIVE_INFINITY,
}: InstructionSources): Promise<Instructions> {
  const most = (bytes: number) => Math.min(bytes, maxInstructionBytes);
  const half = workspace === undefined ? maxBytes : maxBytes / 2;
  const own = folder === undefined ? [] : [await readOwn(join(folder, "AGENTS.md"), most(half))];
  const used = Buffer.byteLength(own[0]?.part?.text ?? "");
  const free = most(maxBytes - used);
  const there =
    elsewhere && partOf(elsewhere.bytes, { name: elsewhere.name, from: "project", maxBytes: free });
  const project = workspace && (there ?? (await readProject(workspace, free)));
  const left = most(free - Buffer.byteLength(project?.part?.text ?? ""));
  const above = workspace === undefined || root === undefined ? [] : await readAbove(root, workspace, left);
  const found = [...own, ...above, project].filter((one) => one !== undefined);
  return {
    parts: found.flatMap(({ part }) => (part === undefined ? [] : [part])),
    warnings: found.flatMap(({ warnings }) => warnings),
  };
}

interface Found {
  readonly part?: InstructionPart;
  readonly warnings: readonly string[];
}

async function readOwn(path: string, maxBytes: number): Promise<Found | undefined> {
  try {
    return partOf(await readFile(path), { name: "your AGENTS.md", from: "person", maxBytes });
  } catch (error) {
    const missing =
      error instanceof Error && "code" in error && ["ENOENT", "ENOTDIR"].includes(String(error.code));
    return missing ? undefined : { warnings: [`${path} cannot be read: ${reasonOf(error)}`] };
  }
}

/** Reads the files of the folders from the root to the one above the workspace, in this order. */
async function readAbove(
  root: string,
  { root: folder }: Workspace,
  maxBytes: number,
): Promise<readonly Found[]> {
  const whole = await openWorkspace(root).catch(() => undefined);
  if (whole === undefined) return [];
  const found: Found[] = [];
  let free = maxBytes;
  try {
    for (const place of foldersAbove(root, folder)) {
      const read = await readProject(whole, free, place);
      free -= Buffer.byteLength(read?.part?.text ?? "");
      if (read !== undefined) found.unshift(read);
    }
    return found;
  } finally {
    whole.close();
  }
}

async function readProject(
  workspace: Workspace,
  maxBytes: number,
  { fromRoot, fromWorkspace }: FolderAbove = { fromRoot: ".", fromWorkspace: "." },
): Promise<Found | undefined> {
  for (const fileName of instructionNames) {
    const name = posix.join(fromWorkspace, fileName);
    const opened = workspace.openFile(posix.join(fromRoot, fileName));
    if (!opened.ok) {
      if (opened.errorType === "not_found") continue;
      return { warnings: [`${name} is not used: ${opened.message}`] };
    }
    using file = opened.value;
    try {
      // Only as many bytes are read as can be used. The size in the warning comes from the file system.
      const bytes = await file.read(maxInstructionBytes + 4);
      return partOf(bytes, { name, from: "project", size: file.stats.size, maxBytes });
    } catch (error) {
      return { warnings: [`${name} cannot be read: ${reasonOf(error)}`] };
    }
  }
  return undefined;
}

interface Source extends Pick<InstructionPart, "name" | "from"> {
  /** The size of the whole file in bytes; by default the number of bytes read. */
  readonly size?: number;
  readonly maxBytes: number;
}

function partOf(bytes: Buffer, { name, from, size = bytes.length, maxBytes }: Source): Found {
  const { text, warnings, cutFrom } = cleanInstructions(bytes, { name, size, maxBytes });
  if (text === "") return { warnings };
  return { part: { name, from, text, ...defined({ cutFrom }) }, warnings };
}
