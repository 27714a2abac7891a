/** Finds the agents: the built-in one, the person's own, and those of a project that the person trusts. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Workspace } from "@localharness/tools";
import { reasonOf } from "../complaints.ts";
import { type AgentFile, readAgentFile } from "./agent-file.ts";

export interface LoadedAgent extends AgentFile {
  readonly origin: "built-in" | "user" | "project";
}

export interface LoadedAgents {
  /** No name twice, the built-in one first. */
  readonly agents: readonly LoadedAgent[];
  /** What was wrong with files, for the person. */
  readonly warnings: readonly string[];
}

const projectFolder = ".localharness/agents";
const longest = 64 * 1024;
const mostFiles = 50;

const general: LoadedAgent = {
  name: "general",
  description: "looks things up in the workspace and reports; it can only read",
  instructions: "Answer with what was asked for, with paths and line numbers, and nothing else.",
  origin: "built-in",
};

/** `workspace` only when its own files are trusted. Never rejects: a file that cannot be used is a warning. */
export async function loadAgents(
  folder: string | undefined,
  workspace: Workspace | undefined,
): Promise<LoadedAgents> {
  const found = [
    ...(folder === undefined ? [] : await userFiles(join(folder, "agents"))),
    ...(workspace === undefined ? [] : await projectFiles(workspace)),
  ];
  const agents = new Map<string, LoadedAgent>([[general.name, general]]);
  const warnings: string[] = [];
  for (const { path, name, origin, text } of found) {
    const read = text.ok ? readAgentFile(text.value, name) : text.problem;
    const problem = typeof read === "string" ? read : refusal(read, origin, agents.get(read.name));
    if (typeof read === "string" || problem !== undefined) {
      warnings.push(`the agent in ${path} is not used: ${problem}`);
    } else agents.set(read.name, { ...read, origin });
  }
  return { agents: [...agents.values()], warnings };
}

/** What a project brings along can take the place of nothing, and cannot say to whom what it reads is sent. */
function refusal(
  { name, model }: AgentFile,
  origin: FoundFile["origin"],
  known: LoadedAgent | undefined,
): string | undefined {
  if (known?.origin === origin) return `there is another one named "${name}"`;
  if (origin === "user") return undefined;
  if (known !== undefined)
    return `there is an agent named "${name}" already, and it goes before the project's`;
  return model === undefined ? undefined : 'the agents of a project cannot choose a "model"';
}

interface FoundFile {
  readonly path: string;
  readonly name: string;
  readonly origin: "user" | "project";
  readonly text: Text;
}

type Text = { readonly ok: true; readonly value: string } | { readonly ok: false; readonly problem: string };

async function userFiles(folder: string): Promise<readonly FoundFile[]> {
  const names = await readdir(folder).catch((): string[] => []);
  const read = async (name: string): Promise<FoundFile> => {
    const path = join(folder, name);
    const text = await readFile(path).then(textOf, (error: unknown) => unread(reasonOf(error)));
    return { path, name, origin: "user", text };
  };
  return Promise.all(agentNames(names).map(read));
}

async function projectFiles(workspace: Workspace): Promise<readonly FoundFile[]> {
  const opened = workspace.openDirectory(projectFolder);
  if (!opened.ok) return [];
  using folder = opened.value;
  const names = await readdir(folder.base).catch((): string[] => []);
  const files: FoundFile[] = [];
  for (const name of agentNames(names)) {
    const path = `${projectFolder}/${name}`;
    files.push({ path, name, origin: "project", text: await readInside(workspace, path) });
  }
  return files;
}

async function readInside(workspace: Workspace, path: string): Promise<Text> {
  const opened = workspace.openFile(path);
  if (!opened.ok) return unread(opened.message);
  using file = opened.value;
  return await file.read(longest + 1).then(textOf, (error: unknown) => unread(reasonOf(error)));
}

function agentNames(names: readonly string[]): readonly string[] {
  const fitting = names.filter((name) => /^[\w.-]+\.md$/.test(name) && !name.startsWith("."));
  return fitting.sort().slice(0, mostFiles);
}

function textOf(bytes: Buffer): Text {
  if (bytes.length > longest) return unread(`it has more than ${longest} bytes`);
  return { ok: true, value: bytes.toString("utf8") };
}

function unread(problem: string): Text {
  return { ok: false, problem };
}
