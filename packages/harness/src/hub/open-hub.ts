/**
 * Creates the `Hub` of a server. Each open session has a separate composition, so sessions share no model, tools, jobs
 * or context windows.
 */
import { defaultLimits, type Session, usageError } from "@localharness/engine";
import { defined, type Hub, type Room, type RoomChoice } from "@localharness/protocol";
import type { EarlierSession } from "@localharness/store/sessions/kept-sessions";
import { type Composition, compose, type RunOptions } from "../compose.ts";
import type { Settings } from "../config/settings.ts";
import { createHost } from "../host/create-host.ts";
import { linkSession } from "../host/session-link.ts";
import { openTrust } from "../trust/change-trust.ts";
import type { Trust } from "../trust/settle-trust.ts";
import { version } from "../version.ts";

export interface HubParts {
  readonly settings: Settings;
  /** The composition that was made for the trust question. It is used for everything that concerns no open session. */
  readonly base: Composition;
  readonly trust: Trust;
  /** The environment with the keys. */
  readonly environment: NodeJS.ProcessEnv;
  readonly options: RunOptions;
}

export interface OpenedHub {
  readonly hub: Hub;
  /** Closes all rooms and the base composition. */
  close(): Promise<void>;
}

interface OpenRoom {
  readonly room: Room;
  readonly session: Session;
  readonly composition: Composition;
}

/** The maximum number of open sessions. */
const maxRooms = 2_000;

export function openHub(parts: HubParts): OpenedHub {
  const { base, settings } = parts;
  const trust = openTrust(base, parts.trust);
  const rooms = new Map<string, OpenRoom>();
  /** The sessions that are being opened. Two requests for one session get the same room. */
  const opening = new Map<string, Promise<Room>>();
  /** The sessions that are being closed. They are opened again only when that is done. */
  const closing = new Map<string, Promise<void>>();
  let isClosed = false;

  const make = async (earlier: EarlierSession | undefined): Promise<Room> => {
    try {
      return await makeRoom(earlier);
    } catch (error) {
      // Otherwise the session stays locked until the server ends.
      earlier?.writer.close();
      throw error;
    }
  };

  const makeRoom = async (earlier: EarlierSession | undefined): Promise<Room> => {
    if (rooms.size >= maxRooms) throw usageError(`${maxRooms} sessions are open: close one first`);
    if (isClosed) throw usageError("the server ends: start it again");
    const composition = await composeRoom(parts, trust.get());
    const made = createHost({ composition, settings, trust, ...defined({ earlier }) });
    const session = made.session();
    const host: Room["host"] = {
      ...made.host,
      open: async (which) => (await open(withId(which, session.id))).link,
      listSessions: (words, signal) => hub.listSessions(words, signal),
      deleteSession: (id) => hub.deleteSession(id),
    };
    const room = { link: linkSession(session, earlier?.events), host, readTo: earlier?.readTo ?? 0 };
    rooms.set(session.id, { room, session, composition });
    return room;
  };

  const resume = async (wanted: string): Promise<Room> => {
    const id = rooms.has(wanted) ? wanted : await kept(base).findSession(wanted);
    const room = rooms.get(id)?.room ?? opening.get(id);
    if (room !== undefined) return room;
    const closed = closing.get(id) ?? Promise.resolve();
    const made = closed.then(() => kept(base).openSession(id)).then(make);
    opening.set(id, made);
    try {
      return await made;
    } finally {
      opening.delete(id);
    }
  };

  const open = async (which: RoomChoice): Promise<Room> => {
    if (which.kind === "new") return make(undefined);
    if (which.kind === "resume") return resume(which.id);
    return make(await kept(base).forkSession(which.id, which.beforeSeq));
  };

  const hub: Hub = {
    facts: {
      version,
      workspace: base.workspace,
      sandbox: base.sandbox.describe(),
      iterationLimit: settings.values["limits.iterations_per_turn"] ?? defaultLimits.iterationsPerTurn,
    },
    open,
    find: (id) => rooms.get(id)?.room,
    async close(id) {
      const open = rooms.get(id);
      if (open === undefined) return closing.get(id);
      rooms.delete(id);
      const closed = closeRoom(open).finally(() => closing.delete(id));
      closing.set(id, closed);
      await closed;
    },
    async listSessions(words, signal) {
      const listed = await kept(base).listSessions(words, signal);
      return listed.filter(({ messages }) => messages > 0);
    },
    renameSession: async (id, name) => kept(base).renameSession(id, name),
    async deleteSession(id) {
      await closing.get(id);
      if (rooms.has(id) || opening.has(id)) {
        throw usageError("this session is open: close it before you delete it");
      }
      await kept(base).deleteSession(id);
    },
    exportText: async (id, format) => kept(base).exportText(id, format),
    listFiles: async (limit, signal) => (await base.listFiles(limit, signal)).paths.toSorted(),
  };
  return {
    hub,
    async close() {
      isClosed = true;
      await Promise.allSettled(opening.values());
      await Promise.all([...[...rooms.values()].map(closeRoom), ...closing.values()]);
      rooms.clear();
      await base.close();
    },
  };
}

async function composeRoom({ settings, base, environment, options }: HubParts, trust: Trust) {
  const shared = { environment, sessions: base.sessions };
  const composition = await compose(settings, base.workspace, {
    ...options,
    selected: base.selected,
    shared,
  });
  composition.preferMode(base.mode());
  await composition.offerAgents(trust);
  return composition;
}

async function closeRoom({ session, composition }: OpenRoom): Promise<void> {
  await session.close();
  await composition.close();
}

function kept({ sessions }: Composition) {
  if (sessions !== undefined) return sessions;
  throw usageError(
    'no sessions are saved in this run: that needs a home folder, and the setting "sessions" at "keep"',
  );
}

function withId(which: Parameters<Room["host"]["open"]>[0], id: string): RoomChoice {
  return which.kind === "fork" ? { ...which, id } : which;
}
