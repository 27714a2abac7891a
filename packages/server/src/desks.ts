/** The desks of all open sessions. */
import type { Hub, Room, RoomChoice } from "@localharness/protocol";
import { createDesk, type Desk, type RoomState } from "./desk.ts";

export interface Desks {
  open(which: RoomChoice): Promise<Desk>;
  find(id: string): Desk | undefined;
  states(): readonly RoomState[];
  close(id: string): Promise<void>;
  /** Calls the listener when the states may have changed, at most once in `gatherMs`. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void;
}

const gatherMs = 50;

export function createDesks(hub: Hub): Desks {
  const desks = new Map<string, Desk>();
  const listeners = new Set<() => void>();
  let isGathering = false;
  const changed = () => {
    if (isGathering) return;
    isGathering = true;
    setTimeout(() => {
      isGathering = false;
      for (const listener of listeners) listener();
    }, gatherMs).unref();
  };
  const deskOf = (room: Room): Desk => {
    const { id } = room.link;
    const known = desks.get(id);
    if (known?.room === room) return known;
    const desk = createDesk(room, changed);
    desks.set(id, desk);
    changed();
    return desk;
  };
  return {
    open: async (which) => deskOf(await hub.open(which)),
    find(id) {
      // The host of another session may have opened the room.
      const room = desks.has(id) ? undefined : hub.find(id);
      return room === undefined ? desks.get(id) : deskOf(room);
    },
    states: () => [...desks.values()].map((desk) => desk.state()),
    async close(id) {
      const desk = desks.get(id);
      desks.delete(id);
      changed();
      // The clients get the events with which the session ends.
      await hub.close(id);
      desk?.close();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
