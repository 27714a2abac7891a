/** Keeps the token of the servers of this person, and where they listen, in a file in the state folder. */
import { createHmac, randomBytes } from "node:crypto";
import { realpath } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import { usageError } from "@localharness/engine";
import { isJsonObject, type JsonValue, reasonOf } from "@localharness/protocol";
import { readJsonSource } from "@localharness/store/json-source";
import { changeKept, type KeptKind, type KeptText, readKept } from "@localharness/store/kept-file/kept-file";
import type { WriteJournal } from "@localharness/workspace/files/write-journal";

/** A server in the list. It runs, or it was killed before it could leave the list. */
export interface ListedServer {
  readonly address: string;
  /** The real path of the folder whose sessions it holds. */
  readonly workspace: string;
  readonly pid: number;
  /** The certificate of the server in PEM format, which clients of this person trust; absent without TLS. */
  readonly certificate?: string;
}

interface ServerState {
  /** The token: 256 random bits in base64url; empty before the first start. */
  readonly token: string;
  /** The servers, in the order in which they were started. */
  readonly servers: readonly ListedServer[];
}

export interface ServerFile {
  /** Returns the token. Creates a token if there is none. Rejects with a `HarnessError` if the file cannot be used. */
  token(): Promise<string>;
  /** Replaces the token. The running servers close their sockets, and every browser has to be paired again. */
  rotate(): Promise<void>;
  /** Returns the servers whose processes run. */
  servers(): Promise<readonly ListedServer[]>;
  add(server: ListedServer): Promise<void>;
  /** Removes the server at an address. */
  remove(address: string): Promise<void>;
}

const kind: KeptKind<ServerState> = {
  version: 1,
  empty: { token: "", servers: [] },
  contents: "the token of the server",
  durable: true,
  read: readState,
  write: (state) => `${JSON.stringify({ version: 1, ...state }, null, 2)}\n`,
};

/** Opens the file `name` in the state folder. Throws a `HarnessError` (`usage`) if there is no such folder. */
export function openServerFile(
  folder: string | undefined,
  journal: WriteJournal,
  name = "server.json",
): ServerFile {
  if (folder === undefined) {
    throw usageError("a server needs a home folder for its token: set HOME or XDG_STATE_HOME");
  }
  const path = join(folder, name);
  const read = async () => {
    const state = await readKept(path, kind);
    if (state.kind !== "value") throw usageError(state.problem);
    return state.value;
  };
  const change = async (edit: (state: ServerState) => ServerState) => {
    await changeKept(path, kind, journal, edit);
  };
  const running = (servers: readonly ListedServer[]) => servers.filter(({ pid }) => runs(pid));
  return {
    async token() {
      const { token } = await read();
      if (token !== "") return token;
      await change((state) => (state.token === "" ? { ...state, token: freshToken() } : state));
      return (await read()).token;
    },
    rotate: () => change((state) => ({ ...state, token: freshToken() })),
    servers: async () => running((await read()).servers),
    add: (server) =>
      change((state) => ({
        ...state,
        servers: [...running(state.servers).filter(isNotAt(server.address)), server],
      })),
    remove: (address) => change((state) => ({ ...state, servers: state.servers.filter(isNotAt(address)) })),
  };
}

/**
 * Returns the server for a folder, by default the current one, as `serverFor` does. Rejects with a `HarnessError` if the
 * folder cannot be opened.
 */
export async function serverHere(file: ServerFile, folder: string = process.cwd()): Promise<ListedServer> {
  return serverFor(await realFolder(folder), await file.servers());
}

/** Returns the real path of a folder. Rejects with a `HarnessError` if it cannot be opened. */
export function realFolder(folder: string): Promise<string> {
  return realpath(resolve(folder)).catch((error: unknown) => {
    throw usageError(`${folder} cannot be opened: ${reasonOf(error)}`, error);
  });
}

/**
 * Returns the server of the innermost folder that contains `folder`, of several the last in the list; otherwise the only
 * server. Throws a `HarnessError` that says what to do if there is no server, or if several run for other folders only.
 */
export function serverFor(folder: string, servers: readonly ListedServer[]): ListedServer {
  const containing = servers.filter(
    ({ workspace }) => folder === workspace || folder.startsWith(`${workspace}${sep}`),
  );
  const [nearest] = containing
    .toReversed()
    .toSorted((one, other) => other.workspace.length - one.workspace.length);
  const found = nearest ?? (servers.length === 1 ? servers[0] : undefined);
  if (found !== undefined) return found;
  if (servers.length === 0) throw usageError("no server runs: localharness serve starts one");
  const list = servers.map(({ address, workspace }) => `${workspace} at ${address}`).join(", ");
  throw usageError(
    `several servers run, and none for this folder: change to the folder of one of them: ${list}`,
  );
}

/** Returns the key that signs the messages to a webhook, as `whsec_` and base64. It changes with the token. */
export function webhookKey(token: string): string {
  return `whsec_${createHmac("sha256", token).update("webhook").digest("base64")}`;
}

function isNotAt(address: string): (server: ListedServer) => boolean {
  return (server) => server.address !== address;
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process runs, but belongs to somebody else.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function freshToken(): string {
  return randomBytes(32).toString("base64url");
}

function readState(text: string): KeptText<ServerState> {
  const source = readJsonSource(text);
  if (!source.ok) return { kind: "broken", problem: `line ${source.line}: ${source.message}` };
  const { version, token, servers } = isJsonObject(source.value) ? source.value : {};
  if (typeof version === "number" && version > kind.version) return { kind: "newer", version };
  if (typeof token !== "string") return { kind: "broken", problem: "expected a token" };
  return {
    kind: "value",
    value: { token, servers: Array.isArray(servers) ? servers.flatMap(readServer) : [] },
  };
}

function readServer(value: JsonValue): readonly ListedServer[] {
  const { address, workspace, pid, certificate } = isJsonObject(value) ? value : {};
  if (typeof address !== "string" || typeof workspace !== "string" || typeof pid !== "number") return [];
  return [{ address, workspace, pid, ...(typeof certificate === "string" ? { certificate } : {}) }];
}
