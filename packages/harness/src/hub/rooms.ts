/** Opens, keeps and closes the rooms of a hub. Each room has a separate composition. */
import { type Session, usageError } from "@localharness/engine";
import { defined, type Room, type RoomChoice, reasonOf } from "@localharness/protocol";
import type { EarlierSession } from "@localharness/store/sessions/kept-sessions";
import { type Composition, compose, type RunOptions } from "../compose/compose.ts";
import type { Options } from "../config/options.ts";
import type { Settings } from "../config/settings.ts";
import { createHost } from "../host/create-host.ts";
import { linkSession } from "../host/session-link.ts";
import { type ChatTrust, openTrust } from "../permission/trust/change-trust.ts";
import type { Trust } from "../permission/trust/settle-trust.ts";

export interface HubParts {
  /** The composition of the server itself. It serves what belongs to no open session, such as the list of sessions. */
  readonly base: Composition;
  readonly trust: Trust;
  /** The environment variables, with the API keys of the model servers. */
  readonly environment: NodeJS.ProcessEnv;
  readonly options: RunOptions;
  /** The options of the server, by which the folders of the base are trusted in each session; none by default. */
  readonly flags?: Options;
  /** Returns the settings for a session that is opened now. */
  roomSettings(): Promise<Settings>;
  /** Called for each session that is opened. */
  onOpen?(session: Session): void;
}

/** The methods of a hub that the hosts of its rooms use. */
export type ListMethods = Pick<Room["host"], "listSessions" | "deleteSession">;

export interface Rooms {
  open(which: RoomChoice): Promise<Room>;
  find(id: string): Room | undefined;
  /** Returns true for a session that is open, and for a saved session that is being opened. */
  has(id: string): boolean;
  /** Returns the trust with which new sessions begin. */
  trust(): Trust;
  close(id: string): Promise<void>;
  /**
   * Closes all rooms, also those that are being opened. Later calls of `open` reject. Rejects with the first failure after
   * all are closed.
   */
  closeAll(): Promise<void>;
}

interface OpenRoom {
  readonly room: Room;
  readonly session: Session;
  readonly composition: Composition;
}

/** The maximum number of open sessions. */
const maxRooms = 2_000;

/** Creates the rooms of a hub. `methods` returns the methods of the hub, which is made after the rooms. */
export function createRooms(parts: HubParts, methods: () => ListMethods): Rooms {
  const { base } = parts;
  const trust = openTrust(base, parts.trust);
  const rooms = new Map<string, OpenRoom>();
  /** The sessions that are being opened. Two requests for one session get the same room. */
  const opening = new Map<string, Promise<Room>>();
  /** The sessions that are being closed. Opening such a session waits until it is closed. */
  const closing = new Map<string, Promise<void>>();
  /** All calls of `open` that have not ended. */
  const underWay = new Set<Promise<Room>>();
  let isClosed = false;

  const make = async (earlier: EarlierSession | undefined): Promise<Room> => {
    if (rooms.size >= maxRooms) throw usageError(`${maxRooms} sessions are open: close one first`);
    if (isClosed) throw usageError("the server ends: start it again");
    const made = await makeRoom(parts, trust, earlier, { ...methods(), open });
    rooms.set(made.session.id, made);
    parts.onOpen?.(made.session);
    return made.room;
  };

  const goOn = async (earlier: EarlierSession): Promise<Room> => {
    try {
      return await make(earlier);
    } catch (error) {
      // Without this call the session stays locked until the server ends.
      earlier.writer.close();
      throw error;
    }
  };

  const resume = async (wanted: string): Promise<Room> => {
    const id = rooms.has(wanted) ? wanted : await kept(base).findSession(wanted);
    const room = rooms.get(id)?.room ?? opening.get(id);
    if (room !== undefined) return room;
    const closed = closing.get(id) ?? Promise.resolve();
    const made = closed.then(() => kept(base).openSession(id)).then(goOn);
    opening.set(id, made);
    try {
      return await made;
    } finally {
      opening.delete(id);
    }
  };

  const choose = async (which: RoomChoice): Promise<Room> => {
    if (which.kind === "new") return make(undefined);
    if (which.kind === "resume") return resume(which.id);
    return goOn(await kept(base).forkSession(which.id, which.beforeSeq));
  };

  const open = (which: RoomChoice): Promise<Room> => {
    const opened = choose(which).finally(() => underWay.delete(opened));
    underWay.add(opened);
    return opened;
  };

  const close = async (id: string): Promise<void> => {
    const one = rooms.get(id);
    if (one === undefined) return closing.get(id);
    rooms.delete(id);
    const closed = closeRoom(one).finally(() => closing.delete(id));
    closing.set(id, closed);
    await closed;
  };

  return {
    open,
    find: (id) => rooms.get(id)?.room,
    has: (id) => rooms.has(id) || opening.has(id),
    trust: trust.get,
    close,
    async closeAll() {
      isClosed = true;
      await Promise.allSettled(underWay);
      const closed = await Promise.allSettled([...closing.values(), ...[...rooms.keys()].map(close)]);
      for (const one of closed) if (one.status === "rejected") throw one.reason;
    },
  };
}

/** Makes a room with its session and composition. The methods in `hub` replace those of the room's own host. */
async function makeRoom(
  parts: HubParts,
  trust: ChatTrust,
  earlier: EarlierSession | undefined,
  hub: ListMethods & Pick<Rooms, "open">,
): Promise<OpenRoom> {
  const settings = await parts.roomSettings();
  await trust.renew();
  const composition = await composeRoom(parts, settings, trust.get());
  const remarks = await openFolders(parts, composition, earlier);
  const made = createHost({ composition, settings, trust, ...defined({ earlier }) });
  const session = made.session();
  for (const remark of remarks) session.notice("warning", "folders", remark);
  const host: Room["host"] = {
    ...made.host,
    listSessions: hub.listSessions,
    deleteSession: hub.deleteSession,
    open: async (which) => (await hub.open(withId(which, session.id))).link,
  };
  const room = { link: linkSession(session, earlier?.events), host, readTo: earlier?.readTo ?? 0 };
  return { room, session, composition };
}

/** Opens the folders of the server's options, and those of the session. Resolves to remarks for the person. */
async function openFolders(
  { base, flags = {} }: HubParts,
  { folders }: Composition,
  earlier: EarlierSession | undefined,
): Promise<readonly string[]> {
  const remarks: string[] = [];
  const tell = (text: string) => remarks.push(text);
  for (const { root } of base.folders.list()) {
    await folders.open([root], { flags, tell }).catch((error: unknown) => tell(reasonOf(error)));
  }
  return [...remarks, ...(await folders.begin(earlier))];
}

async function composeRoom({ base, environment, options }: HubParts, settings: Settings, trust: Trust) {
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
  try {
    await session.close();
  } finally {
    await composition.close();
  }
}

/** Returns the saved sessions. Throws a `HarnessError` if sessions are not saved in this run. */
export function kept({ sessions }: Composition) {
  if (sessions !== undefined) return sessions;
  throw usageError(
    'no sessions are saved in this run: that needs a home folder, and the setting "sessions" at "keep"',
  );
}

function withId(which: Parameters<Room["host"]["open"]>[0], id: string): RoomChoice {
  return which.kind === "fork" ? { ...which, id } : which;
}
