/** Checks that no session of a server is open after the server has ended. */
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { compose } from "../../src/compose.ts";
import { createRooms } from "../../src/hub/rooms.ts";

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

test("a session that is being opened when the server ends is closed with the others", async () => {
  const workspace = place();
  const settings = { values: { model: "demo", sandbox: "off" }, origins: {}, folder: undefined } as const;
  const base = await compose(settings, workspace);
  const asked = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const roomSettings = async () => {
    asked.resolve();
    await goOn.promise;
    return settings;
  };
  const parts = { base, trust: "full", environment: process.env, options: {}, roomSettings } as const;
  const rooms = createRooms(parts, () => ({
    listSessions: async () => [],
    deleteSession: async () => undefined,
  }));
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
