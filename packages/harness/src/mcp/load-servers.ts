/** Loads the MCP servers that are configured: the person's own servers, and the servers of a trusted project. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type ReadEntries, readEntries, type ServerEntry } from "@localharness/mcp/config";
import { reasonOf } from "@localharness/protocol";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import type { AllowedServers } from "./allowed-servers.ts";
import { permissionOf, type ServerAround, type ServerPermission } from "./server-permission.ts";

export const projectServersPath = ".mcp.json";
const maxBytes = 1024 * 1024;

export interface LoadedServers {
  /** The person's servers, and the project's servers that the person has allowed. Those that are `disabled` do not start. */
  readonly entries: readonly ServerEntry[];
  /** The servers that need a permission as they are now, and do not start without it. */
  readonly waiting: readonly WaitingServer[];
  /** The project's servers that the person has allowed. They are also in `entries`. */
  readonly ofProject: readonly ServerEntry[];
  /** Sentences about files and entries that cannot be used. */
  readonly problems: readonly string[];
}

export interface WaitingServer {
  readonly entry: ServerEntry;
  readonly ofProject: boolean;
  readonly permission: ServerPermission;
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

export interface ServerSources {
  /** The configuration folder. */
  readonly folder: string | undefined;
  /** True if the workspace is trusted. If not, its servers are not read, and no server runs its files. */
  readonly trusted: boolean;
  readonly around: ServerAround;
  readonly allowed: AllowedServers;
}

/** Returns the hashes that are allowed in the workspace; none if it is not trusted. */
export async function allowedHashes({
  trusted,
  around,
  allowed,
}: Omit<ServerSources, "folder">): Promise<ReadonlySet<string>> {
  return trusted ? await allowed.hashes(around.workspace.root) : new Set();
}

/** Loads the servers. Never rejects. */
export async function loadServers(sources: ServerSources): Promise<LoadedServers> {
  const { folder, trusted, around } = sources;
  const own = readFile(serversFile(folder));
  const project = trusted ? await readProject(around.workspace) : none;
  const hashes = await allowedHashes(sources);
  const names = new Set(own.entries.map(({ name }) => name));
  const others = project.entries.filter(({ name }) => !names.has(name));
  const doubled = project.entries.filter(({ name }) => names.has(name));
  const all = [
    ...own.entries.map((entry) => ({ entry, ofProject: false })),
    ...others.map((entry) => ({ entry, ofProject: true })),
  ];
  const waiting: WaitingServer[] = [];
  for (const one of all) {
    const permission = await permissionOf(one.entry, one.ofProject, around);
    if (permission !== undefined && !hashes.has(permission.hash)) waiting.push({ ...one, permission });
  }
  const isWaiting = (entry: ServerEntry) => waiting.some((one) => one.entry === entry);
  const ofProject = others.filter((entry) => !isWaiting(entry));
  return {
    entries: [...own.entries.filter((entry) => !isWaiting(entry)), ...ofProject],
    ofProject,
    waiting: waiting.filter(({ entry }) => !entry.disabled),
    problems: [
      ...own.problems.map((problem) => `mcp.json: ${problem}`),
      ...project.problems.map((problem) => `${projectServersPath} of the project: ${problem}`),
      ...doubled.map(
        ({ name }) => `the project's MCP server ${name} is not used, because you have one of that name`,
      ),
    ],
  };
}

/** Returns the entry that may start under this name, and whether it is of the project. */
export function findServer(
  { entries, ofProject }: LoadedServers,
  name: string,
): { readonly entry: ServerEntry; readonly ofProject: boolean } | undefined {
  const entry = entries.find((one) => one.name === name);
  return entry && { entry, ofProject: ofProject.includes(entry) };
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
