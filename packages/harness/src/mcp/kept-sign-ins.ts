/** Keeps the person's sign-ins at MCP servers in `mcp-sign-ins.json`, which only the person can read. */
import { join } from "node:path";
import { configError } from "@localharness/engine";
import type { SignIn, SignIns } from "@localharness/mcp/sign-in";
import { isJsonObject, type JsonValue } from "@localharness/protocol";
import { changeKept, type KeptKind, loadKept } from "@localharness/store/kept-file/kept-file";
import type { WriteJournal } from "@localharness/tools";

export const signInsFile = "mcp-sign-ins.json";

const kind: KeptKind<readonly SignIn[]> = {
  version: 1,
  empty: [],
  contents: "sign-ins at MCP servers",
  durable: true,
  read(text) {
    try {
      const value = JSON.parse(text) as JsonValue;
      if (!isJsonObject(value) || typeof value["version"] !== "number") {
        return { kind: "broken", problem: 'expected an object with a "version"' };
      }
      if (value["version"] > 1) return { kind: "newer", version: value["version"] };
      const { signIns } = value;
      return Array.isArray(signIns) && signIns.every(isSignIn)
        ? { kind: "value", value: signIns as unknown as readonly SignIn[] }
        : { kind: "broken", problem: 'expected "signIns": a list with server and url' };
    } catch {
      return { kind: "broken", problem: "it is not JSON" };
    }
  },
  write: (signIns) => `${JSON.stringify({ version: 1, signIns }, null, 2)}\n`,
};

function isSignIn(value: JsonValue): boolean {
  if (!isJsonObject(value)) return false;
  const { server, url, grant } = value;
  if (typeof server !== "string" || typeof url !== "string") return false;
  if (grant === undefined) return true;
  return (
    isJsonObject(grant) &&
    typeof grant["accessToken"] === "string" &&
    typeof grant["serviceUrl"] === "string" &&
    isJsonObject(grant["client"])
  );
}

/** Opens the sign-ins in the configuration folder. Without a folder there are none, and `save` rejects. */
export function openSignIns(folder: string | undefined, journal: WriteJournal): SignIns {
  if (folder === undefined) {
    return {
      find: async () => undefined,
      save: () => Promise.reject(configError("there is no home folder to keep the sign-in in: set HOME")),
      remove: async () => false,
    };
  }
  const path = join(folder, signInsFile);
  return {
    async find(server, url) {
      const { value } = await loadKept(path, kind);
      return value.find((one) => one.server === server && one.url === url);
    },
    async save(signIn) {
      await changeKept(path, kind, journal, (all) => [
        ...all.filter((one) => one.server !== signIn.server || one.url !== signIn.url),
        signIn,
      ]);
    },
    async remove(server) {
      const others = (all: readonly SignIn[]) => all.filter((one) => one.server !== server);
      const before = await changeKept(path, kind, journal, others);
      return others(before).length < before.length;
    },
  };
}
