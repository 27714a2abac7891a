/** The `SessionLink` of a session that a server holds. It connects again by itself after the connection was lost. */
import {
  type Command,
  type FirstEvents,
  type PermissionMode,
  type RoomState,
  reasonOf,
  type SessionEvent,
  type SessionLink,
  type SocketMessage,
  UnknownServerError,
} from "@localharness/protocol";
import {
  isRefusal,
  type LinkLoss,
  type LiveSocket,
  openLiveSocket,
  type ServerClient,
} from "@localharness/protocol/server-client";
import { WebSocket } from "ws";
import type { ServerPlace } from "./place.ts";
import { createTextRuns } from "./text-runs.ts";

export interface RemoteLink extends SessionLink {
  /** Takes the mode and the model that the server has told, unless a command is on its way. */
  takeState(state: Pick<RoomState, "mode" | "model">): void;
  /** Closes the connection. A command that is on its way is sent once more if the server did not get it. */
  close(): void;
}

export interface RemoteLinkParts {
  readonly place: ServerPlace;
  readonly client: ServerClient;
  /** The open session: its id, mode and model. */
  readonly state: { readonly id: string; readonly mode: PermissionMode; readonly model: string };
}

/**
 * Connects to an open session and returns its link, with the events so far as its history. Rejects with an `Error` for the
 * person if a second attempt brings no events either.
 */
export async function connectLink(parts: RemoteLinkParts): Promise<RemoteLink> {
  const link = new ConnectedLink(parts);
  await link.ready.promise;
  return link;
}

class ConnectedLink implements RemoteLink {
  readonly id: string;
  readonly history: SessionEvent[] = [];
  readonly ready = Promise.withResolvers<void>();
  readonly #parts: RemoteLinkParts;
  readonly #listeners = new Set<(event: SessionEvent) => void>();
  #mode: PermissionMode;
  #model: string;
  /** The `seq` of the newest event that was passed on. */
  #last = 0;
  /** What `#last` was when the previous connection ended. */
  #lastBefore = 0;
  /** The id of the log that `#last` counts in. */
  #log: string | undefined;
  readonly #runs = createTextRuns();
  #isReady = false;
  #isClosed = false;
  #isLost = false;
  /** True if the person was told, since the link was lost, that another program answers. */
  #toldUnknown = false;
  readonly #socket: LiveSocket;
  /** The number of commands that the server has neither taken nor refused. */
  #unsent = 0;
  /** Resolves when all commands so far were sent, because commands are sent one after another. */
  #sending: Promise<void> = Promise.resolve();

  constructor(parts: RemoteLinkParts) {
    this.#parts = parts;
    this.id = parts.state.id;
    this.#mode = parts.state.mode;
    this.#model = parts.state.model;
    this.#socket = this.#connect();
  }

  mode(): PermissionMode {
    return this.#mode;
  }

  model(): string {
    return this.#model;
  }

  subscribe(listener: (event: SessionEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  send(command: Command): void {
    if (command.type === "set-mode") this.#mode = command.mode;
    this.#unsent += 1;
    this.#sending = this.#sending.then(() => this.#deliver(command));
  }

  takeState({ mode, model }: Pick<RoomState, "mode" | "model">): void {
    // The server does not know of the commands that are on their way.
    if (this.#unsent > 0) return;
    this.#mode = mode;
    this.#model = model;
  }

  close(): void {
    this.#isClosed = true;
    this.#socket.close();
  }

  /** Sends a command until the server has taken or refused it, or an attempt fails after this link was closed. */
  async #deliver(command: Command): Promise<void> {
    let state: RoomState | undefined;
    try {
      state = await this.#parts.client.send(this.id, command, (attempts, error) => {
        if (attempts === 1 && !this.#isClosed) this.#notice(`${reasonOf(error)}: trying again`);
        return !this.#isClosed;
      });
    } catch (error) {
      if (isRefusal(error)) this.#notice(error.message);
    }
    this.#unsent -= 1;
    if (state !== undefined) this.takeState(state);
  }

  #connect(): LiveSocket {
    const { place, client } = this.#parts;
    const limits = { perMessageDeflate: false, handshakeTimeout: 10_000 };
    // The types of `ws` declare another `checkServerIdentity` than Node, which calls it.
    const tls = place.tls as object | undefined;
    return openLiveSocket({
      address: place.address,
      passes: client.passes,
      session: this.id,
      after: () => this.#last,
      connect: (url, protocols) => new WebSocket(url, protocols, { ...limits, ...tls }),
      take: (message) => this.#take(message),
      lost: (loss) => this.#lose(loss),
      prepare: () => this.#reopen(),
    });
  }

  /** Tells the person of a loss. Gives up if there was no first connection, and two attempts have brought nothing. */
  #lose({ error, failures }: LinkLoss): boolean {
    if (!this.#isReady && failures > 1 && this.#last === this.#lastBefore) {
      this.#isClosed = true;
      this.ready.reject(error);
      return false;
    }
    this.#lastBefore = this.#last;
    if (error instanceof UnknownServerError && !this.#toldUnknown) {
      this.#toldUnknown = true;
      this.#notice(`${error.message}. Trying again`);
    }
    if (!this.#isLost && this.#isReady) this.#notice("the connection to the server was lost: trying again");
    this.#isLost = true;
    return true;
  }

  /** Opens the session again, because the server may have been started again. */
  async #reopen(): Promise<void> {
    try {
      await this.#parts.client.open({ kind: "resume", id: this.id });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      // A session without messages is not saved, so that only a running server has it.
      this.#notice(error.message);
    }
  }

  #take(message: SocketMessage): void {
    switch (message.kind) {
      case "events":
        if (message.log !== undefined) this.#begin(message.log, message);
        for (const event of message.events) this.#takeEvent(event);
        if (message.more !== true) this.#becomeReady();
        return;
      case "rooms": {
        const room = message.rooms.find(({ id }) => id === this.id);
        if (room !== undefined) this.takeState(room);
        return;
      }
      case "answered":
        if (message.by !== this.#parts.place.name) this.#notice(`the question was answered by ${message.by}`);
        return;
      case "closed":
        this.#socket.breakOff();
    }
  }

  /**
   * Takes the facts of the first message with events. If the log is another one than before, only events up to `sharedTo`
   * count as passed on.
   */
  #begin(log: string, { whole = false, sharedTo = 0 }: Partial<FirstEvents>): void {
    if (this.#log !== undefined && log !== this.#log) this.#last = Math.min(this.#last, sharedTo);
    this.#log = log;
    this.#runs.begin(whole);
  }

  #becomeReady(): void {
    if (this.#isLost && this.#isReady) this.#notice("connected to the server again");
    this.#isLost = false;
    this.#toldUnknown = false;
    this.#isReady = true;
    this.ready.resolve();
  }

  /** Passes on an event, unless this link has passed it on before. */
  #takeEvent(given: SessionEvent): void {
    if (given.seq <= this.#last) {
      this.#runs.repeat(given);
      return;
    }
    const event = this.#runs.pass(given);
    this.#last = event.seq;
    if (event.type === "mode-changed") this.#mode = event.mode;
    if (event.type === "model-changed") this.#model = event.model;
    if (!this.#isReady) this.history.push(event);
    else this.#tell(event);
  }

  #tell(event: SessionEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  /** Tells the person of something that is not an event of the session. */
  #notice(message: string): void {
    this.#tell({
      type: "notice",
      level: "warning",
      code: "link",
      message,
      sessionId: this.id,
      turnId: "",
      seq: this.#last,
    });
  }
}
