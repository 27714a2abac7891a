/** The desks of all open sessions. */
import type { Hub, Room, RoomChoice, RoomState, RoomsChange } from "@localharness/protocol";
import { createDesk, type Desk } from "./desk.ts";

export interface Desks {
  open(which: RoomChoice): Promise<Desk>;
  find(id: string): Desk | undefined;
  states(): readonly RoomState[];
  close(id: string): Promise<void>;
  /** Calls the listener with what may have changed, at most once in `gatherMs`. Returns a function that unsubscribes. */
  onChange(listener: (change: RoomsChange) => void): () => void;
}

/** The time in which changes of all sessions are gathered, because each client is told of all of them. */
const gatherMs = 150;

export function createDesks(hub: Hub): Desks {
  const desks = new Map<string, Desk>();
  const listeners = new Set<(change: RoomsChange) => void>();
  /** The ids of the sessions that may have changed since the listeners were called. */
  const changed = new Set<string>();
  const tell = () => {
    const found = [...changed].map((id) => ({ id, desk: desks.get(id) }));
    changed.clear();
    const rooms = found.flatMap(({ desk }) => (desk === undefined ? [] : [desk.state()]));
    const closed = found.flatMap(({ id, desk }) => (desk === undefined ? [id] : []));
    for (const listener of listeners) listener({ rooms, closed });
  };
  const change = (id: string) => {
    if (changed.size === 0) setTimeout(tell, gatherMs).unref();
    changed.add(id);
  };
  const deskOf = (room: Room): Desk => {
    const { id } = room.link;
    const known = desks.get(id);
    if (known?.room === room) return known;
    const desk = createDesk(room, () => change(id));
    desks.set(id, desk);
    change(id);
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
      change(id);
      // The clients get the events with which the session ends.
      try {
        await hub.close(id);
      } finally {
        desk?.close();
      }
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
