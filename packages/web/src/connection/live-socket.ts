/** Keeps a WebSocket to the server open: comes back after a lost link, and goes on after the last event that it has. */
import { readSocketMessage, type SocketMessage } from "./socket-message.ts";

export type LinkState = "connecting" | "open" | "lost" | "refused";

export interface LiveSocketParts {
  readonly key: string;
  /** The session to follow; absent to follow only the list of sessions. */
  readonly session?: string;
  /** Returns the `seq` of the newest event that the client has. */
  after(): number;
  take(message: SocketMessage): void;
  state(state: LinkState): void;
}

export interface LiveSocket {
  /** Replaces the connection at once, for a link that may be dead without saying so. */
  renew(): void;
  close(): void;
}

/** The close code of the server for a key that does not hold any more. */
const keyRefused = 4001;
const maxWaitMs = 10_000;
/** A machine that slept this long has probably lost its connections. */
const sleptMs = 20_000;

export function openLiveSocket(parts: LiveSocketParts): LiveSocket {
  let socket: WebSocket | undefined;
  let log: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let ended = false;

  const drop = () => {
    clearTimeout(timer);
    const old = socket;
    socket = undefined;
    old?.close();
  };
  const connect = () => {
    drop();
    parts.state("connecting");
    const opened = new WebSocket(addressOf(parts, log), ["localharness", `key.${parts.key}`]);
    socket = opened;
    let wasOpen = false;
    opened.onopen = () => {
      wasOpen = true;
      failures = 0;
      parts.state("open");
    };
    opened.onmessage = ({ data }) => {
      const message = socket === opened ? readSocketMessage(String(data)) : undefined;
      if (message?.kind === "events") log = message.log ?? log;
      if (message !== undefined) parts.take(message);
    };
    opened.onclose = ({ code }) => {
      if (socket !== opened || ended) return;
      if (code === keyRefused) return parts.state("refused");
      failures += 1;
      if (wasOpen || failures > 1) parts.state("lost");
      timer = setTimeout(connect, Math.min(maxWaitMs, 250 * 2 ** Math.min(failures, 6)));
    };
  };
  const stopWatching = watchForSleep(() => !ended && connect());
  connect();
  return {
    renew: connect,
    close() {
      ended = true;
      stopWatching();
      drop();
    },
  };
}

function addressOf({ session, after }: LiveSocketParts, log: string | undefined): string {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  if (session === undefined) return `${scheme}://${location.host}/ws`;
  const place = log === undefined ? {} : { after: String(after()), log };
  return `${scheme}://${location.host}/ws?${new URLSearchParams({ session, ...place })}`;
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
