/** Gives components the client and the parts of its state that they show. */
import { createContext, useContext, useSyncExternalStore } from "react";
import type { Store } from "../connection/store.ts";
import type { Client, ClientState } from "../session/client.ts";
import type { SessionState } from "../session/session-state.ts";
import { type Ui, ui } from "./ui.ts";

export const ClientContext: React.Context<Client | undefined> = createContext<Client | undefined>(undefined);

export function useClient(): Client {
  const client = useContext(ClientContext);
  if (client === undefined) throw new Error("this component needs a client");
  return client;
}

/** Returns a part of a store's value, and renders again when that part changes. */
export function useStore<State, Part>(store: Store<State>, pick: (state: State) => Part): Part {
  return useSyncExternalStore(store.subscribe, () => pick(store.get()));
}

export function useClientState<Part>(pick: (state: ClientState) => Part): Part {
  return useStore(useClient().store, pick);
}

/** Returns a part of the shown session; undefined when none is shown. */
export function useSession<Part>(pick: (session: SessionState) => Part): Part | undefined {
  return useClientState(({ session }) => (session === undefined ? undefined : pick(session)));
}

export function useUi<Part>(pick: (state: Ui) => Part): Part {
  return useStore(ui, pick);
}
