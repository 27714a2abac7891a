/** Checks that no session of a server is open after the server has ended. */
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Session } from "@localharness/engine";
import { expect, onTestFinished, test } from "vitest";
import { compose } from "../../src/compose/compose.ts";
import { createRooms, type HubParts } from "../../src/hub/rooms.ts";

/** Makes a home folder and a workspace. Until the test has finished, the process has no other home. Returns the workspace. */
function place() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "rooms-")));
  const names = ["HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"];
  const before = { ...process.env };
  for (const name of names) process.env[name] = join(root, name);
  onTestFinished(() => {
    for (const name of names) delete process.env[name];
    // A composition takes the keys out of the environment.
    Object.assign(process.env, before);
    rmSync(root, { recursive: true, force: true });
  });
  const workspace = join(root, "ws");
  mkdirSync(workspace);
  return workspace;
}

/** Returns how often this process has a folder open. */
function timesOpen(folder: string): number {
  const links = readdirSync("/proc/self/fd").map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return "";
    }
  });
  return links.filter((link) => link === folder).length;
}

const settings = { values: { model: "demo", sandbox: "off" }, origins: {}, folder: undefined } as const;

async function openRooms(more: Pick<HubParts, "roomSettings" | "onOpen">) {
  const workspace = place();
  const base = await compose(settings, workspace);
  const parts = { base, trust: "full", environment: process.env, options: {}, ...more } as const;
  const rooms = createRooms(parts, () => ({
    listSessions: async () => [],
    deleteSession: async () => undefined,
  }));
  return { workspace, base, rooms };
}

test("a session that is being opened when the server ends is closed with the others", async () => {
  const asked = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const roomSettings = async () => {
    asked.resolve();
    await goOn.promise;
    return settings;
  };
  const { workspace, base, rooms } = await openRooms({ roomSettings });
  const opened = rooms.open({ kind: "new" });
  await asked.promise;
  const ended = rooms.closeAll();
  goOn.resolve();
  await ended;
  const { link } = await opened;
  expect(rooms.find(link.id)).toBeUndefined();
  await expect(rooms.open({ kind: "new" })).rejects.toThrow("the server ends");
  if (process.platform === "linux") expect(timesOpen(workspace)).toBe(1);
  await base.close();
  if (process.platform === "linux") expect(timesOpen(workspace)).toBe(0);
});

test("a session that cannot be closed leaves no other session and no folder open", async () => {
  const sessions: Session[] = [];
  const { workspace, base, rooms } = await openRooms({
    roomSettings: async () => settings,
    onOpen: (session) => sessions.push(session),
  });
  const links = [await rooms.open({ kind: "new" }), await rooms.open({ kind: "new" })].map(
    ({ link }) => link,
  );
  const [first] = sessions;
  if (first === undefined) throw new Error("no session was opened");
  const { close } = first;
  first.close = async () => {
    await close.call(first);
    throw new Error("the disk is full");
  };
  await expect(rooms.closeAll()).rejects.toThrow("the disk is full");
  expect(links.map(({ id }) => rooms.find(id))).toEqual([undefined, undefined]);
  if (process.platform === "linux") expect(timesOpen(workspace)).toBe(1);
  await base.close();
});
