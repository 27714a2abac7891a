/** Follows one session: folds the server's messages into what the screen shows. Pure: it opens no connection. */
import {
  type Activity,
  applyEvent,
  createTaskList,
  createTimeline,
  defined,
  emptyView,
  foldEvents,
  type Item,
  keptEvent,
  type PermissionRequest,
  type SessionEvent,
  type ShownTask,
  type SocketMessage,
  type Timeline,
  type View,
} from "@localharness/protocol";

export interface SessionState {
  readonly id: string;
  /** False until the history has arrived. */
  readonly loaded: boolean;
  readonly view: View;
  readonly items: readonly Item[];
  readonly questions: readonly PermissionRequest[];
  /** What the turn does; absent if nothing is known of it. */
  readonly activity?: Activity;
  readonly tasks: readonly ShownTask[];
  /** The messages that were sent and that the session has not taken yet. */
  readonly waiting: readonly string[];
  /** The tokens in the context window after the newest request, counted by the server. */
  readonly windowUsed?: number;
}

export interface SessionFold {
  readonly id: string;
  /** Returns what is shown. While the history comes again in several frames, it is the state from before the first of them. */
  state(): SessionState;
  /** Returns the `seq` of the newest event that was taken. */
  lastSeq(): number;
  /** Takes a message of the server. `now` is the time in milliseconds. Returns false if the message changes nothing here. */
  take(message: SocketMessage, now: number): boolean;
  put(item: Item): void;
  /** Remembers a message that was sent while a turn runs. */
  addWaiting(text: string): void;
  /** Forgets one message that waits, because the session has taken it or because it could not be sent. */
  removeWaiting(text: string): void;
  /** Forgets all messages that wait, and returns them. */
  dropWaiting(): readonly string[];
}

export function createSessionFold(id: string): SessionFold {
  return new Fold(id);
}

class Fold implements SessionFold {
  readonly id: string;
  #timeline: Timeline = createTimeline();
  #tasks = createTaskList();
  #view: View = emptyView;
  #loaded = false;
  #waiting: readonly string[] = [];
  #windowUsed: number | undefined;
  #state: SessionState | undefined;
  /** The state from before a history that comes again in several frames; absent when none does. */
  #before: SessionState | undefined;

  constructor(id: string) {
    this.id = id;
  }

  lastSeq(): number {
    return this.#view.lastSeq;
  }

  state(): SessionState {
    if (this.#before !== undefined) return this.#before;
    const activity = this.#timeline.activity();
    this.#state ??= {
      id: this.id,
      loaded: this.#loaded,
      view: this.#view,
      items: this.#timeline.items(),
      questions: this.#timeline.questions(),
      tasks: this.#tasks.tasks(),
      waiting: this.#waiting,
      ...defined({ activity, windowUsed: this.#windowUsed }),
    };
    return this.#state;
  }

  put(item: Item): void {
    this.#timeline.put(item);
    this.#state = undefined;
  }

  addWaiting(text: string): void {
    this.#waiting = [...this.#waiting, text];
    this.#state = undefined;
  }

  removeWaiting(text: string): void {
    const at = this.#waiting.indexOf(text);
    if (at === -1) return;
    this.#waiting = this.#waiting.filter((_, place) => place !== at);
    this.#state = undefined;
  }

  dropWaiting(): readonly string[] {
    const dropped = this.#waiting;
    this.#waiting = [];
    this.#state = undefined;
    return dropped;
  }

  take(message: SocketMessage, now: number): boolean {
    if (message.kind === "answered") this.#timeline.answered(message.requestId, message.by);
    else if (message.kind !== "events") return false;
    else {
      if (message.more === true && this.#loaded) this.#before = this.state();
      if (message.whole === true) this.#reset();
      const fresh = message.events.filter(({ seq }) => seq > this.#view.lastSeq).map(keptEvent);
      // Times are measured only for events that happen now, never for those of the history.
      const at = this.#loaded && message.whole !== true ? now : undefined;
      this.#fold(fresh, at);
      this.#loaded = message.more !== true;
      if (this.#loaded) this.#before = undefined;
    }
    this.#state = undefined;
    return true;
  }

  #reset(): void {
    const own = this.#timeline.items().filter(({ kind }) => kind === "command");
    this.#timeline = createTimeline();
    this.#tasks = createTaskList();
    this.#view = emptyView;
    this.#loaded = false;
    this.#windowUsed = undefined;
    for (const item of own) this.#timeline.put(item);
  }

  #fold(events: readonly SessionEvent[], at: number | undefined): void {
    const [only] = events;
    if (events.length === 1 && only !== undefined) this.#view = applyEvent(this.#view, only);
    else this.#view = foldEvents(this.#view, events);
    for (const event of events) {
      this.#timeline.take(event, at);
      this.#tasks.take(event);
      if (event.type === "usage" && event.inputTokens !== undefined) {
        this.#windowUsed = event.inputTokens + (event.outputTokens ?? 0);
      }
      if (event.type === "user-message") this.removeWaiting(event.content);
    }
  }
}
