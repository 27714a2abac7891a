/** Computes what a permission for a server is tied to, and starts servers only as they were allowed. */
import { createHash } from "node:crypto";
import { mkdirSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { programScope } from "@localharness/commands/examine/program-scope";
import type { Doors, ServerProcess, ServerStart } from "@localharness/mcp";
import { type CommandEntry, entryHash, expandEntry, type ServerEntry } from "@localharness/mcp/config";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { type PlaceLook, placeOf, type ServerCodePlace } from "./server-place.ts";

export interface ServerAround {
  readonly workspace: Workspace;
  /** The state folder of this program. */
  readonly stateFolder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Returns true if the path is in a folder to which commands may write, such as the workspace, or leads there by links. */
  leadsIn(path: string): boolean;
}

export interface ServerPermission {
  /** The hash of the entry, and of the contents that the server runs if these are of the workspace. */
  readonly hash: string;
  /** False if these contents cannot be compared. The server then may only run in the sandbox. */
  readonly complete: boolean;
  /** True if the server runs files of the workspace, or of another folder to which commands may write, outside of the sandbox. */
  readonly runsFolder: boolean;
}

/**
 * Resolves to the permission that a server needs; undefined for a server of the person that runs nothing outside of the sandbox
 * that commands may write.
 */
export async function permissionOf(
  entry: ServerEntry,
  ofProject: boolean,
  around: ServerAround,
): Promise<ServerPermission | undefined> {
  const expanded = expandEntry(entry, around.environment);
  const started = expanded.ok ? expanded.entry : entry;
  const place =
    started.kind === "command" && !started.sandbox ? placeIn(started, ofProject, around) : undefined;
  if (place?.kind !== "folder") {
    return ofProject ? { hash: entryHash(entry), complete: true, runsFolder: false } : undefined;
  }
  const isOther = started.kind === "command" && runsOtherFolder(started, around);
  const mark = isOther ? { text: "", complete: false } : await markOf(place, around);
  const hash = createHash("sha256")
    .update(`${entryHash(entry)}\0${mark.text}`)
    .digest("hex");
  return { hash, complete: mark.complete, runsFolder: true };
}

function placeIn(entry: CommandEntry, ofProject: boolean, around: ServerAround): ServerCodePlace {
  const { workspace, leadsIn } = around;
  return placeOf(entry, { root: workspace.root, leadsIn, kindOf }, ofProject);
}

/** Returns true if the server runs files that commands may write, but that are not in the workspace. */
function runsOtherFolder(entry: CommandEntry, { workspace: { root }, leadsIn }: ServerAround): boolean {
  const leadsOut = (path: string) => leadsIn(path) && !isIn(root, realOf(path));
  return placeOf(entry, { root, leadsIn: leadsOut, kindOf }, false).kind === "folder";
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

function isIn(root: string, path: string): boolean {
  return !/^\.\.(?:\/|$)/.test(relative(root, path));
}

const kindOf: PlaceLook["kindOf"] = (path) => {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isDirectory() === true ? "folder" : stats?.isFile() === true ? "file" : undefined;
};

/** Returns a text that changes with the contents that the server runs, and whether these can be compared. */
async function markOf(
  { folder, words }: Extract<ServerCodePlace, { kind: "folder" }>,
  { workspace, stateFolder }: ServerAround,
): Promise<{ readonly text: string; readonly complete: boolean }> {
  if (!isIn(workspace.root, folder)) return { text: "", complete: false };
  const at = relative(workspace.root, folder);
  const { scope, complete } = await programScope(workspace, words, {
    stateFolder,
    folder: at === "" ? "." : at,
  });
  return { text: scope, complete };
}

export interface StartGuard {
  readonly doors: Doors;
  readonly around: ServerAround;
  /** Returns the configured entry of a name, and whether it is of the project; undefined if there is none. */
  find(name: string): { readonly entry: ServerEntry; readonly ofProject: boolean } | undefined;
  /** Returns the hashes that are allowed in the workspace. Never rejects. */
  hashes(): Promise<ReadonlySet<string>>;
}

/** Returns the doors, which start each server in its place, and only if it is allowed as it is at that moment. */
export function guardedDoors(guard: StartGuard): Doors {
  return { ...guard.doors, start: (request) => startGuarded(guard, request) };
}

async function startGuarded(
  { doors, around, find, hashes }: StartGuard,
  request: ServerStart,
): Promise<ServerProcess> {
  const { entry } = request;
  const known = entry === undefined ? undefined : find(entry.name);
  if (entry === undefined || known === undefined) return notStarted("it is not configured");
  const permission = await permissionOf(known.entry, known.ofProject, around);
  if (permission !== undefined && !(await hashes()).has(permission.hash)) {
    return notStarted(`it ${notAllowed(entry.name, permission)}`);
  }
  if (request.sandboxed) return doors.start(request);
  const place = placeIn(entry, known.ofProject, around);
  if (place.kind === "folder") {
    const command = entry.command.includes("/") ? resolve(place.folder, entry.command) : entry.command;
    return doors.start({ ...request, command, cwd: place.folder });
  }
  const cwd = request.cwd ?? neutralFolder(around);
  const environment = { ...downloads, ...request.environment };
  return doors.start({ ...request, command: place.command, args: place.args, cwd, environment });
}

/** Variables with which npm says within seconds that it cannot download a server. By itself it waits for 70 s between its tries. */
const downloads: Readonly<Record<string, string>> = {
  npm_config_fetch_retries: "1",
  npm_config_fetch_retry_mintimeout: "1000",
  npm_config_fetch_retry_maxtimeout: "2000",
};

/** Returns the reason why a server does not start, as the end of a sentence, with what the person can do. */
export function notAllowed(name: string, { runsFolder, complete }: ServerPermission): string {
  if (!complete) {
    return 'would run files that commands may write and that cannot be compared, so it can only run in the sandbox: its entry needs "sandbox": true';
  }
  const why = runsFolder
    ? "would run files of this folder, and is not allowed with these as they are now"
    : "is not allowed as it is now";
  return `${why}: localharness mcp allow ${name}`;
}

function notStarted(reason: string): ServerProcess {
  return { ended: Promise.resolve(reason), write: () => Promise.reject(new Error(reason)) };
}

/**
 * Returns a folder in which no relative name, and no search in the folders above, means a file of the workspace. Its
 * `package.json` ends the search of npm; if the workspace contains the state folder, `/` is taken.
 */
function neutralFolder({ leadsIn, stateFolder }: ServerAround): string {
  const folder = join(stateFolder, "servers");
  if (leadsIn(folder)) return "/";
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(join(folder, "package.json"), "{}\n", { flag: "wx", mode: 0o600 });
  } catch {
    // It is there already, or the disk is full: then the search goes on above, where no file of the workspace is.
  }
  return folder;
}
