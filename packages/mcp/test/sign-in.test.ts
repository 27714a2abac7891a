/** Signs in at a real server over a real service, where the sign-in cannot be saved. */
import { createFetchDoor } from "@localharness/models/fetch-door";
import { listenForRedirect } from "@localharness/models/redirect-listener";
import { afterAll, expect, test } from "vitest";
import { type AddressEntry, readEntries } from "../src/config/index.ts";
import { type SignIns, signIn } from "../src/sign-in/index.ts";
import { startOAuthServer } from "./fixtures/oauth-server.ts";
import { keptInMemory } from "./open-peer.ts";

const server = await startOAuthServer();
const door = createFetchDoor();
afterAll(async () => {
  door.close();
  await server.close();
});

/** Opens the address as the person's browser does. */
async function browse(address: URL): Promise<void> {
  const answer = await fetch(address, { redirect: "manual" });
  await fetch(answer.headers.get("location") ?? "");
}

test("a sign-in that could not be saved is not told as done", async () => {
  const { entries } = readEntries(JSON.stringify({ mcpServers: { guarded: { url: server.url } } }));
  const signIns: SignIns = {
    ...keptInMemory(),
    save: () => Promise.reject(new Error("there is no home folder")),
  };
  const end = await signIn(entries[0] as AddressEntry, {
    doors: {
      fetch: door.fetch,
      fetchNamedBy: async () => door.fetch,
      start: () => Promise.reject(new Error("no process is started here")),
      cut: (text) => text,
    },
    version: "0",
    workspace: import.meta.dirname,
    signal: new AbortController().signal,
    signIns,
    listen: listenForRedirect,
    show: (address) => void browse(address),
  });
  expect(end).toEqual({ kind: "failed", reason: "there is no home folder" });
});
