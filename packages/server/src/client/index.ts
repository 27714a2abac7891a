/** The client of a server: sessions as a screen uses them, with their host. */
import type { Host, HubFacts, RoomState, SessionChoice, SessionLink } from "@localharness/protocol";
import { createServerClient, type ServerClient } from "@localharness/protocol/server-client";
import { accessTo, type ServerPlace } from "./place.ts";
import { createRemoteHost, type LocalMethods } from "./remote-host.ts";
import { connectLink, type RemoteLink } from "./remote-link.ts";

export { type KeylessPlace, redeemCode, type ServerPlace } from "./place.ts";
export type { LocalMethods } from "./remote-host.ts";

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
  const client = createServerClient(accessTo(place));
  const { open, ...facts } = await client.hub();
  const wanted = first.kind === "opened-last" ? open.at(-1)?.id : await nameOf(first, client);
  const connect = (state: RoomState) => connectLink({ place, client, state });
  let link: RemoteLink = await connect(
    await client.open(wanted === undefined ? { kind: "new" } : { kind: "resume", id: wanted }),
  );
  const shown = link;
  /** False after a change of the trust in the folder: the server then chooses the mode of the next session. */
  let keepsMode = true;
  const remote = createRemoteHost({
    client,
    local,
    current: () => link,
    async open(which: SessionChoice) {
      const mode = keepsMode ? { mode: link.mode() } : {};
      const choice = which.kind === "fork" ? { ...which, id: link.id } : which;
      const next = await connect(await client.open({ ...choice, ...mode }));
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
  client: ServerClient,
): Promise<string | undefined> {
  if (first.kind === "named") return first.name;
  const { saved } = await client.sessions("");
  return saved[0]?.id;
}
