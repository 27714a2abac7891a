/** Keeps the WebSocket of this page open, and says how the link to the server is. */
import { type Passes, type SocketMessage, UnknownServerError } from "@localharness/protocol";
import { type LiveSocket, openLiveSocket } from "@localharness/protocol/server-client";

/** `foreign`: the program that answers does not know this browser's key. `refused`: the server no longer accepts the key. */
export type LinkState = "connecting" | "open" | "lost" | "foreign" | "refused";

export interface PageSocketParts {
  readonly passes: Passes;
  /** The session to follow; absent to follow only the list of sessions. */
  readonly session?: string;
  /** Returns the `seq` of the newest event that the client has. */
  after(): number;
  take(message: SocketMessage): void;
  state(state: LinkState): void;
}

/** A machine that slept this long has probably lost its connections. */
const sleptMs = 20_000;

export function openPageSocket({ state, ...parts }: PageSocketParts): Pick<LiveSocket, "renew" | "close"> {
  let isLost = false;
  state("connecting");
  const live = openLiveSocket({
    ...parts,
    address: location.origin,
    connect: (url, protocols) => new WebSocket(url, protocols),
    opened() {
      isLost = false;
      state("open");
    },
    keyRefused: () => state("refused"),
    lost({ error, wasOpen, failures }) {
      isLost = true;
      if (error instanceof UnknownServerError) state("foreign");
      else if (wasOpen || failures > 1) state("lost");
      return true;
    },
  });
  const renew = () => {
    if (!isLost) state("connecting");
    live.renew();
  };
  const stopWatching = watchForSleep(renew);
  return {
    renew,
    close() {
      stopWatching();
      live.close();
    },
  };
}

/**
 * Calls `woke` when the machine goes offline or online, or after it has slept: a new connection shows whether the server is
 * still reached. Returns a function that stops it.
 */
function watchForSleep(woke: () => void): () => void {
  let seen = Date.now();
  const tick = setInterval(() => {
    if (Date.now() - seen > sleptMs) woke();
    seen = Date.now();
  }, 5_000);
  addEventListener("online", woke);
  addEventListener("offline", woke);
  return () => {
    clearInterval(tick);
    removeEventListener("online", woke);
    removeEventListener("offline", woke);
  };
}
