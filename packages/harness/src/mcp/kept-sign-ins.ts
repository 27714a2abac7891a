/** Keeps the person's sign-ins at MCP servers in `mcp-sign-ins.json`, which only the person can read. */
import { join } from "node:path";
import { configError } from "@localharness/engine";
import type { SignIn, SignIns } from "@localharness/mcp/sign-in";
import { isJsonObject, type JsonObject } from "@localharness/protocol";
import { changeKept, loadKept } from "@localharness/store/kept-file/kept-file";
import { listKind } from "@localharness/store/kept-file/list-kind";
import type { WriteJournal } from "@localharness/workspace/files/write-journal";

export const signInsFile = "mcp-sign-ins.json";

const kind = listKind<SignIn>({
  key: "signIns",
  contents: "sign-ins at MCP servers",
  durable: true,
  expected: "a list with server and url",
  read: (entry) => (isSignIn(entry) ? (entry as unknown as SignIn) : undefined),
});

function isSignIn({ server, url, grant }: JsonObject): boolean {
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
