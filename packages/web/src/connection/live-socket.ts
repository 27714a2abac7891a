/** Keeps a WebSocket to the server open: connects again after a loss, and continues after the newest event of the client. */
import { type Passes, UnknownServerError } from "@localharness/protocol";
import { readSocketMessage, type SocketMessage } from "./socket-message.ts";

/** `foreign`: the program that answers does not know this browser's key. `refused`: the server no longer accepts the key. */
export type LinkState = "connecting" | "open" | "lost" | "foreign" | "refused";

export interface LiveSocketParts {
  readonly passes: Passes;
  /** The session to follow; absent to follow only the list of sessions. */
  readonly session?: string;
  /** Returns the `seq` of the newest event that the client has. */
  after(): number;
  take(message: SocketMessage): void;
  state(state: LinkState): void;
}

export interface LiveSocket {
  /** Replaces the connection at once, for the case that it is lost but no `close` event has come. */
  renew(): void;
  close(): void;
}

/** The close code of the server for a key that is no longer valid. */
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
  /** Counts the attempts, so that a later attempt replaces one that still waits for its pass. */
  let attempt = 0;

  const drop = () => {
    clearTimeout(timer);
    const old = socket;
    socket = undefined;
    old?.close();
  };
  const comeBack = (state: LinkState | undefined) => {
    // Another program may have the port now: the server has to prove again that it knows the key.
    parts.passes.drop();
    failures += 1;
    if (state !== undefined) parts.state(state);
    timer = setTimeout(() => void connect(), Math.min(maxWaitMs, 250 * 2 ** Math.min(failures, 6)));
  };
  const connect = async () => {
    drop();
    attempt += 1;
    const current = attempt;
    if (failures === 0) parts.state("connecting");
    let pass: string;
    try {
      pass = await parts.passes.get();
    } catch (error) {
      if (current !== attempt || ended) return;
      return comeBack(stateAfter(error, failures));
    }
    if (current !== attempt || ended) return;
    const opened = new WebSocket(addressOf(parts, log), ["localharness", `key.${pass}`]);
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
      comeBack(wasOpen || failures > 0 ? "lost" : undefined);
    };
  };
  const renew = () => {
    if (ended) return;
    parts.passes.drop();
    void connect();
  };
  const stopWatching = watchForSleep(renew);
  void connect();
  return {
    renew,
    close() {
      ended = true;
      stopWatching();
      drop();
    },
  };
}

function stateAfter(error: unknown, failures: number): LinkState | undefined {
  if (error instanceof UnknownServerError) return "foreign";
  return failures > 0 ? "lost" : undefined;
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
