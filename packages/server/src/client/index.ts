/** The client of a server: sessions as a screen uses them, with their host. */
import type { Host, HubFacts, SessionChoice, SessionLink, SessionSummary } from "@localharness/protocol";
import type { RoomState } from "../desk.ts";
import { createRemoteHost, type LocalMethods } from "./remote-host.ts";
import { connectLink, type RemoteLink } from "./remote-link.ts";
import { createRequests, type Requests, type ServerPlace } from "./requests.ts";

export type { LocalMethods } from "./remote-host.ts";
export {
  createRequests,
  RefusedError,
  type Requests,
  redeemCode,
  type ServerAddress,
  type ServerPlace,
} from "./requests.ts";

export interface Attached {
  readonly link: SessionLink;
  readonly host: Host;
  readonly facts: HubFacts;
  close(): void;
}

/**
 * The session to show first: the one that was opened last or the newest saved one (a new session if there is none), or the
 * one of this id or name.
 */
export type FirstSession =
  | { readonly kind: "opened-last" }
  | { readonly kind: "newest" }
  | { readonly kind: "named"; readonly name: string };

/** Connects to a server and opens a session. Rejects with an `Error` for the person when that fails. */
export async function attach(
  place: ServerPlace,
  first: FirstSession,
  local: LocalMethods,
): Promise<Attached> {
  const requests = createRequests(place);
  const { open, ...facts } = (await requests.get("/api/hub")) as HubFacts & {
    readonly open: readonly RoomState[];
  };
  const wanted = first.kind === "opened-last" ? open.at(-1)?.id : await nameOf(first, requests);
  const openRoom = async (choice: object) => (await requests.post("/api/sessions", choice)) as RoomState;
  const connect = (state: RoomState) => connectLink({ place, requests, state });
  let link: RemoteLink = await connect(
    await openRoom(wanted === undefined ? { kind: "new" } : { kind: "resume", id: wanted }),
  );
  const shown = link;
  /** False after a change of the trust in the folder: the server then chooses the mode of the next session. */
  let keepsMode = true;
  const remote = createRemoteHost({
    requests,
    local,
    current: () => link,
    async open(which: SessionChoice) {
      const mode = keepsMode ? { mode: link.mode() } : {};
      const choice = { ...which, ...(which.kind === "fork" ? { id: link.id } : {}), ...mode };
      const next = await connect(await openRoom(choice));
      link.close();
      link = next;
      keepsMode = true;
      return next;
    },
  });
  const changeTrust: Host["changeTrust"] = async (trust) => {
    const said = await remote.changeTrust(trust);
    keepsMode &&= trust === undefined;
    return said;
  };
  const host = { ...remote, changeTrust };
  return { link: shown, host, facts, close: () => link.close() };
}

async function nameOf(
  first: Exclude<FirstSession, { kind: "opened-last" }>,
  requests: Requests,
): Promise<string | undefined> {
  if (first.kind === "named") return first.name;
  const { saved } = (await requests.get("/api/sessions")) as { readonly saved: readonly SessionSummary[] };
  return saved[0]?.id;
}
