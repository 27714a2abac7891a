/** Checks what happens when a second program opens a session that is already open. */
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type LockHolder, ownHolder, whereIs } from "../../src/kept-file/lock-holder.ts";
import { fileOf, numbered, openSessions, personIn, soundMessages, turn, write } from "./place.ts";

describe("two programs at one session", () => {
  test("the second goes on in a branch, and no record of theirs is mixed", async () => {
    const { state, sessions } = openSessions();
    write(sessions, "s1", ["one"]);
    const first = await sessions.openSession("s1");
    // This process holds the lock; a second opening treats it like another process's.
    const second = await openSessions(state).sessions.openSession("s1");
    expect(second.id).not.toBe("s1");
    expect(second.remarks.join()).toMatch(/open in another window.*branch/);
    const next = (first.events.at(-1)?.seq ?? 0) + 1;
    const mine = numbered("s1", turn(2, "first"), next);
    const theirs = numbered(second.id, turn(2, "second"), next);
    for (const [index, event] of mine.entries()) {
      first.writer.append(event);
      second.writer.append(theirs[index] ?? event);
    }
    first.writer.close();
    second.writer.close();
    expect(await personIn(sessions, "s1")).toEqual(["one", "first"]);
    expect(await personIn(sessions, second.id)).toEqual(["one", "second"]);
    const [branch] = (await sessions.listForks("s1")).filter(({ depth }) => depth === 1);
    expect(branch).toMatchObject({ id: second.id, parent: { id: "s1" } });
  });

  test("that wrote at once, as its lock was removed, are found out by their numbers", async () => {
    const { state, sessions } = openSessions();
    write(sessions, "s1", ["one"]);
    const first = await sessions.openSession("s1");
    rmSync(`${fileOf(sessions, "s1")}.lock`);
    const second = await openSessions(state).sessions.openSession("s1");
    expect(second.id).toBe("s1");
    const next = (first.events.at(-1)?.seq ?? 0) + 1;
    const theirs = numbered("s1", turn(2, "second"), next);
    for (const [index, event] of numbered("s1", turn(2, "first"), next).entries()) {
      first.writer.append(event);
      second.writer.append(theirs[index] ?? event);
    }
    first.writer.close();
    second.writer.close();
    const later = await sessions.openSession("s1");
    later.writer.close();
    expect(later.id).not.toBe("s1");
    expect(later.remarks.join()).toMatch(
      /written by two programs at once: \d+ events? of one of them (is|are) left out/,
    );
    expect(soundMessages(later.events)).toEqual(["one", "first"]);
  });

  test.each([
    ["a process that is gone", JSON.stringify({ pid: 999_999_99, host: undefined, started: "1" })],
    ["a bare number", "99999999"],
    ["a process with the same id that began later", JSON.stringify({ pid: process.ppid, started: "1" })],
    [
      "a process that is gone, from when the machine had another name",
      JSON.stringify({ ...ownHolder(), pid: 999_999_99, host: "another-name" }),
    ],
    ["nothing", ""],
    ["garbage", "{"],
  ])("the lock of %s is taken over", async (_whose, lock) => {
    const { sessions } = openSessions();
    write(sessions, "s1", ["one"]);
    writeFileSync(`${fileOf(sessions, "s1")}.lock`, lock);
    const earlier = await sessions.openSession("s1");
    expect({ id: earlier.id, remarks: earlier.remarks }).toEqual({ id: "s1", remarks: [] });
    earlier.writer.close();
    expect(readdirSync(sessions.folder)).toEqual(["s1.jsonl"]);
  });

  test("the lock of another machine holds, and is named with the machine", async () => {
    const { sessions } = openSessions();
    write(sessions, "s1", ["one"]);
    const lock = `${fileOf(sessions, "s1")}.lock`;
    writeFileSync(lock, JSON.stringify({ pid: 1, host: "elsewhere\u001b[31m" }));
    const where = `is open on elsewhere\\x1b[31m, according to ${lock} (remove that file`;
    const branch = await sessions.openSession("s1");
    expect(branch.id).not.toBe("s1");
    expect(branch.remarks.join()).toContain(where);
    await expect(sessions.deleteSession("s1")).rejects.toThrow(where);
    await expect(sessions.renameSession("s1", "x")).rejects.toThrow(where);
  });

  const machine = "boot pid:[4026531836]";
  const container = "boot pid:[4026532999]";
  test.each<[string, Omit<LockHolder, "pid">, ReturnType<typeof whereIs>]>([
    ["of the same place under another name", { place: machine, host: "old" }, "here"],
    ["of the same name, from before places were told", { host: "laptop" }, "here"],
    ["of no name", {}, "here"],
    [
      "of this machine, from before it was started anew",
      { place: "earlier pid:[4026531836]", machine: "m", host: "old" },
      "gone",
    ],
    ["of a container on this machine", { place: container, host: "container" }, "elsewhere"],
    ["of a container with the name of this machine", { place: container, host: "laptop" }, "elsewhere"],
    ["of another machine", { place: "another pids", machine: "n", host: "desktop" }, "elsewhere"],
    ["of another name, from before places were told", { host: "old" }, "elsewhere"],
  ])("a holder %s is told from others", (_whose, holder, where) => {
    const here = { place: machine, machine: "m", host: "laptop" };
    expect(whereIs({ pid: 1, ...holder }, here)).toBe(where);
    expect(whereIs({ pid: 1, ...holder }, { host: "laptop" })).toBe(
      holder.host === undefined || holder.host === "laptop" ? "here" : "elsewhere",
    );
  });

  test.each<[string, Omit<LockHolder, "pid">, ReturnType<typeof whereIs>]>([
    ["of the machine", { place: machine, machine: "m", host: "laptop" }, "elsewhere"],
    ["of this container, from before it was started anew", { place: "boot others", host: "laptop" }, "here"],
    [
      "of this container, from before the machine was started anew",
      { place: "earlier others", host: "laptop" },
      "here",
    ],
    [
      "of the machine, from before it was started anew",
      { place: "earlier pid:[4026531836]", machine: "m", host: "laptop" },
      "here",
    ],
  ])("a holder %s is told from others in a container with that name", (_whose, holder, where) => {
    expect(whereIs({ pid: 1, ...holder }, { place: container, host: "laptop" })).toBe(where);
  });
});
