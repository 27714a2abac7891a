/** The state of the app and what a person can do with it. Components read it through `useClient`. */
import {
  type Command,
  type HostMethod,
  type HubFacts,
  type ImageContent,
  isImageMention,
  mentionsIn,
  type PermissionAnswer,
  type PermissionMode,
  type RoomChoice,
  type RoomState,
  reasonOf,
  roomsAfter,
  type SessionSummary,
  type SocketMessage,
  tooManyImages,
} from "@localharness/protocol";
import { type LiveSocket, type MethodArguments, RequestError } from "@localharness/protocol/server-client";
import { type Api, keyReplaced } from "../connection/api.ts";
import { type LinkState, openPageSocket } from "../connection/live-socket.ts";
import { createStore, type Store } from "../connection/store.ts";
import { draftKey, type KeptDraft, keepDraft } from "./kept-drafts.ts";
import { createSessionFold, type SessionFold, type SessionState } from "./session-state.ts";

export interface Toast {
  readonly id: number;
  readonly level: "info" | "warning" | "error";
  readonly text: string;
}

export interface ClientState {
  readonly link: LinkState;
  readonly facts?: HubFacts;
  readonly rooms: readonly RoomState[];
  readonly saved: readonly SessionSummary[];
  readonly words: string;
  readonly session?: SessionState;
  /** The id of the session that is being opened; absent when none is. */
  readonly opening?: string;
  readonly toasts: readonly Toast[];
}

/** How often a command is sent to a server that does not answer, before the person is told. */
const maxAttempts = 6;

/** The milliseconds before a session is opened again with a server that did not answer. */
const reopenMs = 1_000;

/** Returns true if the server did not answer, or was too busy to, so that the same request may work later. */
function isForNow(error: unknown): boolean {
  return error instanceof RequestError && [0, 429, 503].includes(error.status);
}

export class Client {
  readonly api: Api;
  readonly store: Store<ClientState>;
  #fold: SessionFold | undefined;
  #socket: Pick<LiveSocket, "renew" | "close"> | undefined;
  #frame: number | undefined;
  #toasts = 0;
  #reopening = false;

  constructor(api: Api) {
    this.api = api;
    this.store = createStore<ClientState>({
      link: "connecting",
      rooms: [],
      saved: [],
      words: "",
      toasts: [],
    });
  }

  /** Connects, and opens the session that the address names. */
  async start(): Promise<void> {
    addEventListener("popstate", this.#showAddressed);
    await this.#showAddressed();
    try {
      const { open, ...facts } = await this.api.hub();
      this.#change({ facts, rooms: open });
      await this.search("");
    } catch (error) {
      this.tell(error);
    }
  }

  stop(): void {
    removeEventListener("popstate", this.#showAddressed);
    this.#socket?.close();
  }

  readonly #showAddressed = async (): Promise<void> => {
    const id = /^\/s\/([\w-]{1,64})$/.exec(location.pathname)?.[1];
    if (id === undefined) this.leave(false);
    else await this.open({ kind: "resume", id }, false);
  };

  /** Trusts the folder for sessions that begin from now on. Opens a session for the call, because the method needs one. */
  async trustFolder(): Promise<void> {
    await this.act(async () => {
      const { id } = await this.api.open({ kind: "new" });
      await this.api.call(id, "changeTrust", "yes");
      await this.api.close(id);
      const { open, ...facts } = await this.api.hub();
      this.#change({ facts, rooms: open });
    });
  }

  /** Leaves the shown session, so that no session is shown. */
  leave(writesAddress = true): void {
    if (writesAddress) history.pushState(null, "", "/");
    this.#follow(undefined);
  }

  /** Opens a session and shows it, with `draft` as the message that the person writes. Returns false when it cannot be opened, which the person is told. */
  async open(which: RoomChoice, writesAddress = true, draft?: KeptDraft): Promise<boolean> {
    this.#change({ opening: which.kind === "resume" ? which.id : "new" });
    try {
      const room = await this.api.open(which);
      if (draft !== undefined) keepDraft(draftKey(room.id), draft);
      if (writesAddress) history.pushState(null, "", `/s/${room.id}`);
      this.#follow(room.id);
      return true;
    } catch (error) {
      this.tell(error);
      if (!writesAddress) this.#follow(undefined);
      return false;
    } finally {
      this.#change({ opening: undefined });
    }
  }

  /** Opens a new session when none is shown. Returns false when that fails. */
  async openIfNone(): Promise<boolean> {
    return this.#fold !== undefined || this.open({ kind: "new" });
  }

  #follow(id: string | undefined): void {
    this.#socket?.close();
    this.#fold = id === undefined ? undefined : createSessionFold(id);
    this.#change({ session: this.#fold?.state() });
    const fold = this.#fold;
    this.#socket = openPageSocket({
      passes: this.api.passes,
      ...(id === undefined ? {} : { session: id }),
      after: () => fold?.lastSeq() ?? 0,
      take: (message) => this.#take(message),
      state: (link) => {
        this.#change({ link });
        if (link === "refused") this.api.pairAgain(keyReplaced);
      },
    });
  }

  #take(message: SocketMessage): void {
    if (message.kind === "rooms") this.#takeRooms(roomsAfter(this.store.get().rooms, message));
    else if (message.kind === "closed") void this.#reopen();
    else if (this.#fold?.take(message, performance.now()) === true) this.#publishSoon();
  }

  /** Takes the list of open sessions. A turn that has ended may have changed the list of saved ones. */
  #takeRooms(rooms: readonly RoomState[]): void {
    // A turn may be so short that no list shows it as running.
    const stateOf = ({ id, running, last }: RoomState) => `${id} ${running ? "runs" : last}`;
    const before = this.store.get().rooms.map(stateOf).join();
    this.#change({ rooms });
    if (before !== rooms.map(stateOf).join()) void this.refresh();
  }

  /** Opens the session again after the server has closed it, for example because the server was restarted. */
  async #reopen(): Promise<void> {
    const id = this.#fold?.id;
    if (id === undefined || this.#reopening) return;
    this.#reopening = true;
    try {
      await this.api.open({ kind: "resume", id });
      if (this.#fold?.id === id) this.#socket?.renew();
    } catch (error) {
      if (isForNow(error)) {
        // The next connection says again that the session is not open.
        setTimeout(() => this.#fold?.id === id && this.#socket?.renew(), reopenMs);
        return;
      }
      this.tell(error);
      if (this.#fold?.id === id) this.leave();
    } finally {
      this.#reopening = false;
    }
  }

  /**
   * Publishes the session once for all events that come within one animation frame. A hidden page has no animation
   * frames, so a timer takes their place.
   */
  #publishSoon(): void {
    if (this.#frame !== undefined) return;
    const publish = () => {
      this.#frame = undefined;
      this.#change({ session: this.#fold?.state() });
    };
    this.#frame = document.hidden ? window.setTimeout(publish, 250) : requestAnimationFrame(publish);
  }

  #change(change: { readonly [Key in keyof ClientState]?: ClientState[Key] | undefined }): void {
    this.store.set((before) => ({ ...before, ...change }) as ClientState);
  }

  session(): SessionState | undefined {
    return this.#fold?.state();
  }

  /** Shows a message for the person; an error with its reason. */
  tell(what: unknown, level: Toast["level"] = typeof what === "string" ? "info" : "error"): void {
    const text = typeof what === "string" ? what : reasonOf(what);
    this.#toasts += 1;
    const toast = { id: this.#toasts, level, text };
    this.store.set((before) => ({ ...before, toasts: [...before.toasts.slice(-4), toast] }));
  }

  dismiss(id: number): void {
    this.store.set((before) => ({ ...before, toasts: before.toasts.filter((toast) => toast.id !== id) }));
  }

  /** Lists the saved sessions that contain the words. */
  async search(words: string): Promise<void> {
    this.#change({ words });
    try {
      const { saved } = await this.api.sessions(words);
      if (this.store.get().words === words) this.#change({ saved });
    } catch (error) {
      this.tell(error);
    }
  }

  /** Lists the sessions again. */
  refresh(): Promise<void> {
    return this.search(this.store.get().words);
  }

  /** Reads the list of open sessions, for a change that the server does not announce. */
  async refreshRooms(): Promise<void> {
    await this.act(async () => this.#change({ rooms: (await this.api.hub()).open }));
  }

  /** Does something that may fail; the person is told why. Returns true if it worked. */
  async act(run: () => unknown): Promise<boolean> {
    try {
      await run();
      return true;
    } catch (error) {
      this.tell(error);
      return false;
    }
  }

  /** Sends a command. Returns false if no session is shown, or if the command was not taken, which the person is told. */
  async send(command: Command): Promise<boolean> {
    const id = this.#fold?.id;
    if (id === undefined) return false;
    try {
      await this.api.send(id, command, (attempts) => attempts < maxAttempts);
      return true;
    } catch (error) {
      this.tell(error);
      return false;
    }
  }

  /** Sends a message with its images and files; opens a session when none is shown. Returns false if it was not taken. */
  async submit({ text, images }: KeptDraft): Promise<boolean> {
    if (!(await this.openIfNone())) return false;
    const fold = this.#fold;
    if (fold === undefined) return false;
    try {
      const given = await this.#gather(fold.id, text, images);
      const isRunning = fold.state().view.turn.running;
      if (isRunning) fold.addWaiting(text);
      this.#publishSoon();
      const taken = await this.send({ type: "user-message", content: text, ...given });
      if (!taken && isRunning) fold.removeWaiting(text);
      if (taken) void this.api.call(fold.id, "rememberMessage", text).catch(() => undefined);
      this.#publishSoon();
      return taken;
    } catch (error) {
      this.tell(error);
      return false;
    }
  }

  async #gather(id: string, text: string, held: readonly ImageContent[]) {
    const mentions = mentionsIn(text);
    const named = mentions.filter(isImageMention);
    const images = [...held];
    if (held.length > 0 && (await this.api.call(id, "canSee")) === false) {
      throw new Error("this model sees no images: choose another model, or remove the images");
    }
    for (const { path } of named) {
      const came = await this.api.call(id, "readImage", path);
      if (came.kind === "image") images.push(came.image);
      else if (came.kind === "refused") {
        this.tell(`@${path} is sent as a name only: ${came.message}`, "warning");
      }
    }
    const tooMany = tooManyImages(images);
    if (tooMany !== undefined) throw new Error(tooMany);
    const wanted = mentions.filter((mention) => !isImageMention(mention));
    const { files, remarks } =
      wanted.length === 0 ? { files: [], remarks: [] } : await this.api.call(id, "attachFiles", wanted);
    for (const remark of remarks) this.tell(remark, "warning");
    return { ...(images.length > 0 ? { images } : {}), ...(files.length > 0 ? { files } : {}) };
  }

  answer(
    requestId: string,
    answer: PermissionAnswer,
    more: {
      readonly note?: string;
      readonly wider?: boolean;
      readonly mode?: PermissionMode;
      readonly plan?: string;
      readonly offer?: string;
    } = {},
  ): Promise<boolean> {
    return this.send({ type: "permission-answer", requestId, answer, ...more });
  }

  /** Stops the turn. Returns the messages that waited for its end. */
  async interrupt(): Promise<readonly string[]> {
    const stopped = await this.send({ type: "interrupt", dropsWaiting: true });
    const back = stopped ? (this.#fold?.dropWaiting() ?? []) : [];
    this.#publishSoon();
    return back;
  }

  /** Runs a shell command of the person and shows its output in the transcript. */
  async shell(command: string): Promise<void> {
    const fold = this.#fold;
    if (fold === undefined) return;
    const item = { key: `command:${crypto.randomUUID()}`, kind: "command", command } as const;
    let output = "";
    const show = (more: { readonly running: boolean; readonly exitCode?: number }) => {
      fold.put({ ...item, output, ...more });
      this.#publishSoon();
    };
    show({ running: true });
    try {
      const report = (piece: string) => {
        output = (output + piece).slice(-200_000);
        show({ running: true });
      };
      const { exitCode, output: whole } = await this.api.shell(fold.id, command, { report });
      output = whole.slice(-200_000);
      show({ running: false, ...(exitCode === undefined ? {} : { exitCode }) });
    } catch (error) {
      output += `\n${reasonOf(error)}`;
      show({ running: false });
    }
  }

  /** Calls a method of the session's host. Throws if no session is shown. Rejects with a message for the person. */
  call<Name extends HostMethod>(name: Name, ...args: MethodArguments<Name>) {
    const id = this.#fold?.id;
    if (id === undefined) throw new Error("open a session first");
    return this.api.call<Name>(id, name, ...args);
  }
}
