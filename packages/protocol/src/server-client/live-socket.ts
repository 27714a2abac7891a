/** Keeps a WebSocket to a server open: connects again after a loss, and continues after the newest event of the client. */
import type { Passes } from "../server-proof.ts";
import { keyRefusedCode, readSocketMessage, type SocketMessage } from "./messages.ts";
import { waitAfter } from "./retry-waits.ts";

/** The part of a WebSocket that is used: of a browser, or of a library. */
export interface SocketWire {
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  close(): void;
}

/** A connection that ended, or that could not be opened. */
export interface LinkLoss {
  readonly error: unknown;
  /** True if the connection was open. */
  readonly wasOpen: boolean;
  /** The number of connections in a row that were lost before they had brought all events, with this one. */
  readonly failures: number;
}

export interface LiveSocketParts {
  /** The origin of the server. */
  readonly address: string;
  readonly passes: Passes;
  /** The session to follow; absent to follow only the list of sessions. */
  readonly session?: string;
  /** Returns the `seq` of the newest event that the client has. */
  after(): number;
  /** Opens a WebSocket with subprotocols, one of which has the pass. */
  connect(url: string, protocols: string[]): SocketWire;
  take(message: SocketMessage): void;
  /** Called when a connection is open. */
  opened?(): void;
  /** Called when a connection is lost. If it returns false, there is no further attempt. */
  lost(loss: LinkLoss): boolean;
  /** Called when the server closes the connection because the key is no longer valid. If absent, it counts as lost. */
  keyRefused?(): void;
  /** Called before each attempt after a loss. When it rejects, the attempt counts as lost. */
  prepare?(): Promise<void>;
}

export interface LiveSocket {
  /** Replaces the connection at once, for the case that it is lost but no `close` event has come. */
  renew(): void;
  /** Closes the connection, which then counts as lost. */
  breakOff(): void;
  close(): void;
}

export function openLiveSocket(parts: LiveSocketParts): LiveSocket {
  const socket = new ConnectedSocket(parts);
  socket.begin();
  return {
    renew: () => socket.renew(),
    breakOff: () => socket.breakOff(),
    close: () => socket.close(),
  };
}

class ConnectedSocket {
  readonly #parts: LiveSocketParts;
  #wire: SocketWire | undefined;
  #log: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #isClosed = false;
  /** Counts the attempts, so that a later attempt replaces one that still waits for its pass. */
  #attempt = 0;

  constructor(parts: LiveSocketParts) {
    this.#parts = parts;
  }

  begin(): void {
    void this.#connect(async () => undefined);
  }

  renew(): void {
    if (this.#isClosed) return;
    this.#parts.passes.drop();
    this.begin();
  }

  breakOff(): void {
    this.#wire?.close();
  }

  close(): void {
    this.#isClosed = true;
    this.#drop();
  }

  #drop(): void {
    clearTimeout(this.#timer);
    const old = this.#wire;
    this.#wire = undefined;
    old?.close();
  }

  async #connect(prepare: () => Promise<void>): Promise<void> {
    this.#drop();
    this.#attempt += 1;
    const attempt = this.#attempt;
    let pass: string;
    try {
      await prepare();
      pass = await this.#parts.passes.get();
    } catch (error) {
      if (attempt === this.#attempt) this.#comeBack(error, false);
      return;
    }
    if (attempt === this.#attempt && !this.#isClosed) this.#open(pass);
  }

  #open(pass: string): void {
    const wire = this.#parts.connect(this.#url(), ["localharness", `key.${pass}`]);
    this.#wire = wire;
    let wasOpen = false;
    // The event `close` follows each error.
    let problem = "";
    wire.onopen = () => {
      wasOpen = true;
      this.#parts.opened?.();
    };
    wire.onerror = ({ message = "" }: { readonly message?: string }) => {
      problem = message;
    };
    wire.onmessage = ({ data }: { readonly data: unknown }) => {
      const message = this.#wire === wire ? readSocketMessage(String(data)) : undefined;
      if (message === undefined) return;
      this.#note(message);
      this.#parts.take(message);
    };
    wire.onclose = ({ code }: { readonly code: number }) => {
      if (this.#wire !== wire || this.#isClosed) return;
      const { address, keyRefused } = this.#parts;
      const why = problem === "" ? `it was closed (${code})` : problem;
      const error = new Error(`the server at ${address} answers, but opens no WebSocket: ${why}`);
      if (code === keyRefusedCode && keyRefused !== undefined) keyRefused();
      else this.#comeBack(error, wasOpen);
    };
  }

  /** Remembers the log of the events. A connection has worked when it has brought all that it was opened for. */
  #note(message: SocketMessage): void {
    const { session } = this.#parts;
    if (message.kind === "events") this.#log = message.log ?? this.#log;
    if (session === undefined || (message.kind === "events" && message.more !== true)) this.#failures = 0;
  }

  #url(): string {
    const { address, session, after } = this.#parts;
    const socket = `${address.replace(/^http/, "ws")}/ws`;
    if (session === undefined) return socket;
    const place = this.#log === undefined ? {} : { after: String(after()), log: this.#log };
    return `${socket}?${new URLSearchParams({ session, ...place })}`;
  }

  #comeBack(error: unknown, wasOpen: boolean): void {
    if (this.#isClosed) return;
    // Another program may have the port now: the server has to prove again that it knows the key.
    this.#parts.passes.drop();
    this.#failures += 1;
    const goesOn = this.#parts.lost({ error, wasOpen, failures: this.#failures });
    const prepare = async () => this.#parts.prepare?.();
    if (goesOn) this.#timer = setTimeout(() => void this.#connect(prepare), waitAfter(this.#failures));
    else this.close();
  }
}
