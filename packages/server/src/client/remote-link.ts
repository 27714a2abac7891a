/** The `SessionLink` of a session that a server holds. It connects again by itself after the connection was lost. */
import {
  type Command,
  type PermissionMode,
  type SessionEvent,
  type SessionLink,
  UnknownServerError,
} from "@localharness/protocol";
import { WebSocket } from "ws";
import type { RoomState } from "../desk.ts";
import type { FirstEvents, SocketMessage } from "../socket.ts";
import { RefusedError, type Requests, type ServerPlace } from "./requests.ts";
import { createTextRuns } from "./text-runs.ts";

export interface RemoteLink extends SessionLink {
  /** Takes the mode and the model that the server has told, unless a command is on its way. */
  takeState(state: Pick<RoomState, "mode" | "model">): void;
  /** Closes the connection. A command that is on its way is sent once more if the server did not get it. */
  close(): void;
}

export interface RemoteLinkParts {
  readonly place: ServerPlace;
  readonly requests: Requests;
  /** The open session: its id, mode and model. */
  readonly state: { readonly id: string; readonly mode: PermissionMode; readonly model: string };
}

/** The waits between attempts to connect again, in milliseconds; the last one repeats. */
const waits = [250, 500, 1_000, 2_000, 5_000] as const;

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
  #attempts = 0;
  /** True if the person was told, since the link was lost, that another program answers. */
  #toldUnknown = false;
  #socket: WebSocket | undefined;
  /** The number of commands that the server has neither taken nor refused. */
  #unsent = 0;
  /** Resolves when all commands so far were sent, because commands are sent one after another. */
  #sending: Promise<void> = Promise.resolve();

  constructor(parts: RemoteLinkParts) {
    this.#parts = parts;
    this.id = parts.state.id;
    this.#mode = parts.state.mode;
    this.#model = parts.state.model;
    void this.#connect();
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
    const requestKey = crypto.randomUUID();
    this.#unsent += 1;
    this.#sending = this.#sending.then(() => this.#deliver(command, requestKey));
  }

  takeState({ mode, model }: Pick<RoomState, "mode" | "model">): void {
    // The server does not know of the commands that are on their way.
    if (this.#unsent > 0) return;
    this.#mode = mode;
    this.#model = model;
  }

  close(): void {
    this.#isClosed = true;
    this.#socket?.close();
  }

  /**
   * Sends a command until the server has taken or refused it, or an attempt fails after this link was closed. If the server
   * has closed the session, opens it once and sends the command again.
   */
  async #deliver(command: Command, requestKey: string): Promise<void> {
    let wasOpened = false;
    for (let attempt = 0; ; attempt += 1) {
      try {
        const path = `/api/sessions/${this.id}/commands`;
        const state = (await this.#parts.requests.post(path, command, { requestKey })) as RoomState;
        this.#unsent -= 1;
        this.takeState(state);
        return;
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        if (error instanceof RefusedError && error.status === 404 && !wasOpened) {
          wasOpened = true;
          await this.#open().catch(() => undefined);
          continue;
        }
        if (error instanceof RefusedError) {
          this.#unsent -= 1;
          this.#notice(message);
          return;
        }
        if (this.#isClosed) return;
        if (attempt === 0) this.#notice(`${message}: trying again`);
        await pause(waitOf(attempt));
      }
    }
  }

  async #connect(): Promise<void> {
    const { place, requests } = this.#parts;
    const pass = await requests.pass().catch((error: unknown) => this.#comeBack(error));
    if (pass === undefined || this.#isClosed) return;
    const query = new URLSearchParams({
      session: this.id,
      after: String(this.#last),
      ...(this.#log === undefined ? {} : { log: this.#log }),
    });
    const socket = new WebSocket(`${place.address.replace(/^http/, "ws")}/ws?${query}`, {
      headers: { Authorization: `Bearer ${pass}` },
      perMessageDeflate: false,
      handshakeTimeout: 10_000,
      ...place.tls,
    });
    this.#socket = socket;
    socket.on("message", (data) => this.#take(JSON.parse(String(data)) as SocketMessage));
    // The event `close` follows each error.
    let problem = "";
    socket.on("error", ({ message }) => {
      problem = message;
    });
    socket.once("close", (code) => {
      const why = problem === "" ? `it was closed (${code})` : problem;
      this.#comeBack(new Error(`the server at ${place.address} answers, but opens no WebSocket: ${why}`));
    });
  }

  /**
   * Connects again after a while. The server has to prove again that it knows the key. `error` says why the connection ended.
   * Gives up if there was no first connection, and two attempts have brought nothing.
   */
  #comeBack(error: unknown): void {
    this.#parts.requests.dropPass();
    if (this.#isClosed) return;
    if (!this.#isReady && this.#attempts > 0 && this.#last === this.#lastBefore) {
      this.#isClosed = true;
      this.ready.reject(error);
      return;
    }
    this.#lastBefore = this.#last;
    const wait = waitOf(this.#attempts);
    if (error instanceof UnknownServerError && !this.#toldUnknown) {
      this.#toldUnknown = true;
      this.#notice(`${error.message}. Trying again`);
    }
    if (this.#attempts === 0 && this.#isReady) {
      this.#notice("the connection to the server was lost: trying again");
    }
    this.#attempts += 1;
    setTimeout(() => void this.#reopen(), wait);
  }

  /** Opens the session again, because the server may have been started again, and connects to it. */
  async #reopen(): Promise<void> {
    if (this.#isClosed) return;
    try {
      await this.#open();
    } catch (error) {
      if (!(error instanceof RefusedError)) return this.#comeBack(error);
      // A session without messages is not saved, so that only a running server has it.
      this.#notice(error.message);
    }
    await this.#connect();
  }

  async #open(): Promise<void> {
    await this.#parts.requests.post("/api/sessions", { kind: "resume", id: this.id });
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
        this.#socket?.close();
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
    if (this.#attempts > 0 && this.#isReady) this.#notice("connected to the server again");
    this.#attempts = 0;
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

function waitOf(attempt: number): number {
  return waits[Math.min(attempt, waits.length - 1)] ?? 5_000;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
