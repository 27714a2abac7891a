/** Loads the MCP servers that are configured: the person's own servers, and the servers of a trusted project. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { entryHash, type ReadEntries, readEntries, type ServerEntry } from "@localharness/mcp/config";
import { reasonOf } from "@localharness/protocol";
import type { Workspace } from "@localharness/tools";
import type { AllowedServers } from "./allowed-servers.ts";

export const projectServersPath = ".mcp.json";
const maxBytes = 1024 * 1024;

export interface LoadedServers {
  /** The person's servers, and the project's servers that the person has allowed. Those that are `disabled` do not start. */
  readonly entries: readonly ServerEntry[];
  /** The project's servers whose current content the person has not allowed. */
  readonly waiting: readonly ServerEntry[];
  /** The project's servers that the person has allowed. They are also in `entries`. */
  readonly ofProject: readonly ServerEntry[];
  /** Sentences about files and entries that cannot be used. */
  readonly problems: readonly string[];
}

/** Returns the path of the file with the person's own servers; undefined if there is no configuration folder. */
export function serversFile(folder: string | undefined): string | undefined {
  return folder === undefined ? undefined : join(folder, "mcp.json");
}

/** Returns true if a file with servers exists. Code for servers is loaded only then. */
export function hasServers(folder: string | undefined, workspace: Workspace | undefined): boolean {
  const own = serversFile(folder);
  if (own !== undefined && existsSync(own)) return true;
  return workspace !== undefined && existsSync(join(workspace.root, projectServersPath));
}

/** Loads the servers. Pass `workspace` only if it is trusted. Never rejects. */
export async function loadServers(
  folder: string | undefined,
  workspace: Workspace | undefined,
  allowed: AllowedServers,
): Promise<LoadedServers> {
  const own = readFile(serversFile(folder));
  const project = workspace === undefined ? none : await readProject(workspace);
  const hashes = workspace === undefined ? new Set<string>() : await allowed.hashes(workspace.root);
  const names = new Set(own.entries.map(({ name }) => name));
  const others = project.entries.filter(({ name }) => !names.has(name));
  const doubled = project.entries.filter(({ name }) => names.has(name));
  const ofProject = others.filter((entry) => hashes.has(entryHash(entry)));
  return {
    entries: [...own.entries, ...ofProject],
    ofProject,
    waiting: others.filter((entry) => !ofProject.includes(entry) && !entry.disabled),
    problems: [
      ...own.problems.map((problem) => `mcp.json: ${problem}`),
      ...project.problems.map((problem) => `${projectServersPath} of the project: ${problem}`),
      ...doubled.map(
        ({ name }) => `the project's MCP server ${name} is not used, because you have one of that name`,
      ),
    ],
  };
}

const none: ReadEntries = { entries: [], problems: [] };

function readFile(path: string | undefined): ReadEntries {
  if (path === undefined || !existsSync(path)) return none;
  try {
    return readEntries(readFileSync(path, "utf8"));
  } catch (error) {
    return { entries: [], problems: [`it cannot be read: ${reasonOf(error)}`] };
  }
}

/** Returns true if the file is absent and a socket, the placeholder of a running sandboxed command, is in its place. */
function isHeld(workspace: Workspace): boolean {
  const place = workspace.locate(projectServersPath);
  return place.ok && place.value.stats?.isSocket() === true;
}

async function readProject(workspace: Workspace): Promise<ReadEntries> {
  const opened = workspace.openFile(projectServersPath);
  if (!opened.ok && (opened.errorType === "not_found" || isHeld(workspace))) return none;
  if (!opened.ok) return { entries: [], problems: [opened.message] };
  using file = opened.value;
  try {
    const bytes = await file.read(maxBytes + 1);
    if (bytes.length > maxBytes) return { entries: [], problems: ["it has more than 1 MB"] };
    return readEntries(bytes.toString("utf8"));
  } catch (error) {
    return { entries: [], problems: [reasonOf(error)] };
  }
}
