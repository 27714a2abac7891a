/** Puts pipes, links and folders in place of a session's file or lock: nothing blocks or is written through. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { allFolders } from "../../src/sessions/session-folders.ts";
import { fileOf, numbered, openSessions, turn, write } from "./place.ts";

const standIns: readonly (readonly [what: string, put: (path: string) => void])[] = [
  ["a pipe", (path) => execFileSync("mkfifo", [path])],
  ["a device that never ends", (path) => symlinkSync("/dev/zero", path)],
  ["a link to itself", (path) => symlinkSync(path, path)],
  ["a link to nothing", (path) => symlinkSync(`${path}.gone`, path)],
  ["a folder", (path) => mkdirSync(path)],
];

describe.skipIf(process.platform === "win32")("in place of a session's file", () => {
  test.each(standIns)("%s is no session, and holds nothing up", async (_what, put) => {
    const { state, sessions } = openSessions();
    write(sessions, "good", ["one"]);
    put(fileOf(sessions, "bad"));
    expect((await sessions.listSessions("")).map(({ id }) => id)).toEqual(["good"]);
    expect((await sessions.listSessions("one")).map(({ id }) => id)).toEqual(["good"]);
    expect(await sessions.newestSession("all")).toBe("good");
    expect(await allFolders(state)).toMatchObject([{ workspace: "/w", sessions: [{ id: "good" }] }]);
    const refused = { name: "HarnessError", message: expect.stringMatching(/cannot be read|no session/) };
    await expect(sessions.openSession("bad")).rejects.toMatchObject(refused);
    await expect(sessions.exportText("bad", "json")).rejects.toMatchObject(refused);
    await expect(sessions.renameSession("bad", "x")).rejects.toMatchObject(refused);
    const gone = await sessions.deleteSession("bad").then(
      () => "gone",
      (error: Error) => error.name,
    );
    expect(gone).toBe(existsSync(fileOf(sessions, "bad")) ? "HarnessError" : "gone");
  });

  test("a link to a session is read, and gone on with in a branch", async () => {
    const { state, sessions } = openSessions();
    write(sessions, "s1", ["one"]);
    const moved = join(state, "moved.jsonl");
    renameSync(fileOf(sessions, "s1"), moved);
    symlinkSync(moved, fileOf(sessions, "s1"));
    const before = readFileSync(moved, "utf8");
    const earlier = await sessions.openSession("s1");
    expect(earlier.remarks.join()).toMatch(/cannot be written .* branch/);
    const told: string[] = [];
    earlier.writer.tellTo((message) => told.push(message));
    for (const event of numbered(earlier.id, turn(2, "later"), 100)) earlier.writer.append(event);
    earlier.writer.close();
    expect(told).toEqual([]);
    expect(readFileSync(moved, "utf8")).toBe(before);
    expect(readFileSync(fileOf(sessions, earlier.id), "utf8")).toContain("later");
  });

  test("a file of a name that no session has is left alone", async () => {
    const { sessions } = openSessions();
    write(sessions, "s1", ["one"]);
    for (const name of ["s1 (copy)", ".hidden", "-x", "a\nb", "\u001b[31m"])
      writeFileSync(join(sessions.folder, `${name}.jsonl`), readFileSync(fileOf(sessions, "s1")));
    expect(await sessions.newestSession("all")).toBe("s1");
    expect((await sessions.listSessions("")).map(({ id }) => id)).toEqual(["s1"]);
    expect(await sessions.findSession("1")).toBe("s1");
  });
});

describe.skipIf(process.platform === "win32")("in place of a session's lock", () => {
  test.each(standIns.filter(([what]) => what !== "a folder"))("%s makes way", async (_what, put) => {
    const { sessions } = openSessions();
    write(sessions, "s1", ["one"]);
    put(`${fileOf(sessions, "s1")}.lock`);
    await sessions.renameSession("s1", "named");
    put(`${fileOf(sessions, "s1")}.lock`);
    const earlier = await sessions.openSession("s1");
    expect([earlier.id, earlier.remarks]).toEqual(["s1", []]);
    earlier.writer.close();
  });

  test("a folder is left, and the session goes on in a branch", async () => {
    const { sessions } = openSessions();
    write(sessions, "s1", ["one"]);
    mkdirSync(`${fileOf(sessions, "s1")}.lock`);
    expect((await sessions.openSession("s1")).remarks.join()).toMatch(/cannot be locked .* branch/);
    await expect(sessions.renameSession("s1", "x")).rejects.toThrow(
      /cannot be renamed, because it cannot be locked/,
    );
    await expect(sessions.deleteSession("s1")).rejects.toThrow(/could not be deleted/);
    expect(existsSync(fileOf(sessions, "s1"))).toBe(true);
  });

  test("nothing is written through a link", async () => {
    const { state, sessions } = openSessions();
    write(sessions, "s1", ["one"]);
    const precious = join(state, "precious");
    writeFileSync(precious, "precious");
    symlinkSync(precious, `${fileOf(sessions, "s1")}.lock`);
    (await sessions.openSession("s1")).writer.close();
    expect(readFileSync(precious, "utf8")).toBe("precious");
    rmSync(precious);
  });
});

test.skipIf(process.platform === "win32")("a file that others could read is closed to them", async () => {
  const { sessions } = openSessions();
  write(sessions, "s1", ["one"]);
  chmodSync(fileOf(sessions, "s1"), 0o666);
  const earlier = await sessions.openSession("s1");
  for (const event of numbered("s1", turn(2, "later"), 100)) earlier.writer.append(event);
  earlier.writer.close();
  expect(statSync(fileOf(sessions, "s1")).mode & 0o777).toBe(0o600);
});
