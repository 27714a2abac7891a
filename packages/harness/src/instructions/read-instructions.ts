/** Reads what the person and the project say about how to work: AGENTS.md, or CLAUDE.md where there is none. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { reasonOf } from "@localharness/protocol";
import type { Workspace } from "@localharness/tools";
import { cleanInstructions, longestInstructions } from "./clean-instructions.ts";

export interface InstructionPart {
  /** As it is called in the prompt and in /context. */
  readonly name: string;
  readonly from: "person" | "project";
  readonly text: string;
  /** Bytes of the whole file when only its beginning is in `text`. */
  readonly cutFrom?: number;
}

export interface Instructions {
  /** In the order of the prompt. */
  readonly parts: readonly InstructionPart[];
  /** For the person. */
  readonly warnings: readonly string[];
}

export interface InstructionSources {
  /** The folder of the person's own configuration. */
  readonly folder: string | undefined;
  /** Absent for a folder that is not trusted: nothing of it is read. */
  readonly workspace: Workspace | undefined;
}

/** The first that is there counts. */
export const instructionNames: readonly string[] = ["AGENTS.md", "CLAUDE.md"];

/** Never rejects: what cannot be read is a warning. */
export async function readInstructions({ folder, workspace }: InstructionSources): Promise<Instructions> {
  const own = folder === undefined ? [] : [await readOwn(join(folder, "AGENTS.md"))];
  const project = workspace === undefined ? [] : [await readProject(workspace)];
  const found = [...own, ...project].filter((one) => one !== undefined);
  return {
    parts: found.flatMap(({ part }) => (part === undefined ? [] : [part])),
    warnings: found.flatMap(({ warnings }) => warnings),
  };
}

interface Found {
  readonly part?: InstructionPart;
  readonly warnings: readonly string[];
}

async function readOwn(path: string): Promise<Found | undefined> {
  try {
    return partOf(await readFile(path), "your AGENTS.md", "person");
  } catch (error) {
    const missing =
      error instanceof Error && "code" in error && ["ENOENT", "ENOTDIR"].includes(String(error.code));
    return missing ? undefined : { warnings: [`${path} cannot be read: ${reasonOf(error)}`] };
  }
}

async function readProject(workspace: Workspace): Promise<Found | undefined> {
  for (const name of instructionNames) {
    const opened = workspace.openFile(name);
    if (!opened.ok) {
      if (opened.errorType === "not_found") continue;
      return { warnings: [`${name} is not used: ${opened.message}`] };
    }
    using file = opened.value;
    try {
      // The size is said from what the disk says; no more is read than can be used.
      const bytes = await file.read(longestInstructions + 4);
      return partOf(bytes, name, "project", file.stats.size);
    } catch (error) {
      return { warnings: [`${name} cannot be read: ${reasonOf(error)}`] };
    }
  }
  return undefined;
}

function partOf(bytes: Buffer, name: string, from: InstructionPart["from"], size = bytes.length): Found {
  const { text, warnings, cutFrom } = cleanInstructions(bytes, name, size);
  if (text === "") return { warnings };
  return { part: { name, from, text, ...(cutFrom === undefined ? {} : { cutFrom }) }, warnings };
}
