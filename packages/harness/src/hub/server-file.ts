/** Keeps the token and the address of the running server in `server.json` in the state folder. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { usageError } from "@localharness/engine";
import { isJsonObject } from "@localharness/protocol";
import { readJsonSource } from "@localharness/store/json-source";
import { changeKept, type KeptKind, type KeptText, readKept } from "@localharness/store/kept-file/kept-file";
import type { WriteJournal } from "@localharness/tools";

interface ServerState {
  /** The token: 256 random bits in base64url; empty before the first start. */
  readonly token: string;
  /** The address of the server that was started last; empty if it has ended. */
  readonly address: string;
}

export interface ServerFile {
  /** Returns the token. Creates a token if there is none. */
  token(): Promise<string>;
  /** Replaces the token. The running server closes its sockets, and every browser has to be paired again. */
  rotate(): Promise<void>;
  /** Returns the address of the running server; empty if no server was started, or if it has ended. */
  address(): Promise<string>;
  setAddress(address: string): Promise<void>;
}

const kind: KeptKind<ServerState> = {
  version: 1,
  empty: { token: "", address: "" },
  contents: "the token of the server",
  durable: true,
  read: readState,
  write: (state) => `${JSON.stringify({ version: 1, ...state }, null, 2)}\n`,
};

export function openServerFile(folder: string | undefined, journal: WriteJournal): ServerFile {
  if (folder === undefined) {
    throw usageError("a server needs a home folder for its token: set HOME or XDG_STATE_HOME");
  }
  const path = join(folder, "server.json");
  const read = async () => {
    const state = await readKept(path, kind);
    if (state.kind !== "value") throw usageError(state.problem);
    return state.value;
  };
  const change = (edit: (state: ServerState) => ServerState) => changeKept(path, kind, journal, edit);
  const rotate = async () => void (await change((state) => ({ ...state, token: freshToken() })));
  return {
    async token() {
      const { token } = await read();
      if (token !== "") return token;
      await change((state) => (state.token === "" ? { ...state, token: freshToken() } : state));
      return (await read()).token;
    },
    rotate,
    address: async () => (await read()).address,
    setAddress: async (address) => void (await change((state) => ({ ...state, address }))),
  };
}

function freshToken(): string {
  return randomBytes(32).toString("base64url");
}

function readState(text: string): KeptText<ServerState> {
  const source = readJsonSource(text);
  if (!source.ok) return { kind: "broken", problem: `line ${source.line}: ${source.message}` };
  const { version, token, address } = isJsonObject(source.value) ? source.value : {};
  if (typeof version === "number" && version > kind.version) return { kind: "newer", version };
  if (typeof token !== "string" || typeof address !== "string") {
    return { kind: "broken", problem: "expected version, token and address" };
  }
  return { kind: "value", value: { token, address } };
}
