import type { Hub, Room, SessionEvent } from "@localharness/protocol";
import { expect, test } from "vitest";
import { closeIdle } from "../src/close-idle.ts";
import { createDesks } from "../src/desks.ts";

/** Returns a hub with rooms `s1`, `s2` and so on. The session of the newest room emits what the test pushes. */
function openedHub(reportBug: (error: unknown) => void = () => undefined) {
  const rooms = new Map<string, Room>();
  const state = { now: 0, jobs: false, failing: "" };
  let emit: (event: SessionEvent) => void = () => undefined;
  const host = { listJobs: async () => (state.jobs ? [{ running: true }] : []) };
  const hub = {
    open: async () => {
      const id = `s${rooms.size + 1}`;
      const link = {
        id,
        history: [],
        subscribe(listener: (event: SessionEvent) => void) {
          emit = listener;
          return () => undefined;
        },
        send: () => undefined,
        mode: () => "default",
        model: () => "m",
      };
      const room = { link, host, readTo: 0 } as unknown as Room;
      rooms.set(id, room);
      return room;
    },
    find: (id: string) => rooms.get(id),
    close: async (id: string) => {
      rooms.delete(id);
      if (id === state.failing) throw new Error("the disk is full");
    },
  } as unknown as Hub;
  const desks = createDesks(hub);
  const watch = closeIdle(desks, { ms: 1_000, now: () => state.now, reportBug });
  watch.stop();
  let seq = 0;
  const push = (type: string) => emit({ type, sessionId: "s1", turnId: "t", seq: ++seq } as SessionEvent);
  const checkAt = async (now: number) => {
    state.now = now;
    await watch.check();
    return rooms.has("s1");
  };
  return { desks, state, push, checkAt };
}

const watcher = { event: () => undefined, answered: () => undefined, closed: () => undefined };

test("a session that nobody watches is closed after the time", async () => {
  const { desks, checkAt } = openedHub();
  const desk = await desks.open({ kind: "new" });
  const { stop } = desk.watch({ after: 0 }, watcher);
  expect(await checkAt(5_000)).toBe(true);
  stop();
  expect(await checkAt(6_000)).toBe(true);
  expect(await checkAt(6_999)).toBe(true);
  expect(await checkAt(7_000)).toBe(false);
});

test("a turn, a new event or a command that runs keeps it open", async () => {
  const { desks, state, push, checkAt } = openedHub();
  await desks.open({ kind: "new" });
  push("turn-start");
  expect(await checkAt(0)).toBe(true);
  expect(await checkAt(5_000)).toBe(true);
  push("turn-end");
  expect(await checkAt(6_000)).toBe(true);
  push("notice");
  expect(await checkAt(7_500)).toBe(true);
  state.jobs = true;
  expect(await checkAt(9_000)).toBe(true);
  state.jobs = false;
  expect(await checkAt(9_001)).toBe(false);
});

test("a session that cannot be closed is reported, and the check goes on", async () => {
  const bugs: unknown[] = [];
  const { desks, state, checkAt } = openedHub((error) => bugs.push(error));
  await desks.open({ kind: "new" });
  await desks.open({ kind: "new" });
  await checkAt(0);
  state.failing = "s1";
  await checkAt(1_000);
  expect(bugs).toEqual([new Error("the disk is full")]);
  expect(desks.states()).toEqual([]);
  expect(desks.find("s2")).toBeUndefined();
});

test("the clients of a session are told that it is closed, also if closing it fails", async () => {
  const { desks, state } = openedHub();
  const desk = await desks.open({ kind: "new" });
  const told: string[] = [];
  desk.watch({ after: 0 }, { ...watcher, closed: () => told.push("closed") });
  state.failing = "s1";
  await expect(desks.close("s1")).rejects.toThrow("the disk is full");
  expect(told).toEqual(["closed"]);
});
