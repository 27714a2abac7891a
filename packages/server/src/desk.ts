/**
 * Serves one open session to many clients: passes on its events, takes commands, and decides which of several answers to a
 * question counts.
 */
import {
  type AnswerGiven,
  answerProblem,
  type Command,
  type Room,
  type RoomState,
  type ServerQuestion,
  type SessionEvent,
} from "@localharness/protocol";
import { createEventLog, type EventLog, type EventsSince } from "./event-log.ts";

export interface Watcher {
  event(event: SessionEvent): void;
  answered(answer: AnswerGiven): void;
  /** Called when the server has closed the session. */
  closed(): void;
}

export type Taken =
  | { readonly ok: true }
  /** `message` says why the command had no effect. */
  | { readonly ok: false; readonly message: string };

/** The identity of a client, for its requests. */
export interface Sender {
  /** The name that other clients see. */
  readonly name: string;
  /** The id of the request. A command with the id of an earlier one is not sent again; absent when the client gives none. */
  readonly requestKey?: string;
}

/** The place in a log up to which a client has the events. */
export interface LogPlace {
  /** The `seq` of the newest event that the client has; 0 for a client that has none. */
  readonly after: number;
  /** The id of the log that the client has read; absent for a client that has read none. */
  readonly log?: string;
}

export interface Watching extends EventsSince {
  /** The id of this log. Each opening of a session has its own. */
  readonly log: string;
  stop(): void;
}

export interface Desk {
  readonly room: Room;
  state(): RoomState;
  /** Returns the events that a client does not have, and calls the watcher with the later ones. */
  watch(place: LogPlace, watcher: Watcher): Watching;
  take(command: Command, sender: Sender): Taken;
  /** Tells that a method of the host may have changed the state. */
  refresh(): void;
  close(): void;
}

/** The maximum number of request ids, and of answered questions, that are remembered. */
const maxKeys = 500;

/** `onChange` is called when `state` may have changed. */
export function createDesk(room: Room, onChange: () => void): Desk {
  return new OpenDesk(room, onChange);
}

class OpenDesk implements Desk {
  readonly room: Room;
  readonly #log: EventLog;
  readonly #logId: string = crypto.randomUUID();
  readonly #onChange: () => void;
  readonly #unsubscribe: () => void;
  readonly #watchers = new Set<Watcher>();
  /** The questions that wait for an answer, by id. The value is the question if an MCP server asks it. */
  readonly #open = new Map<string, ServerQuestion | undefined>();
  /** The latest answers, by question. */
  readonly #given = new Map<string, AnswerGiven>();
  readonly #taken = new Map<string, Taken>();
  #running = false;

  constructor(room: Room, onChange: () => void) {
    this.room = room;
    this.#onChange = onChange;
    this.#log = createEventLog(room.link.history);
    this.#unsubscribe = room.link.subscribe((event) => {
      this.#log.push(event);
      this.#follow(event);
      for (const watcher of this.#watchers) watcher.event(event);
    });
  }

  #follow(event: SessionEvent): void {
    if (event.type === "turn-start") this.#running = true;
    if (event.type === "turn-end") this.#running = false;
    if (event.type === "permission-request") this.#open.set(event.request.requestId, undefined);
    if (event.type === "permission-answer") this.#open.delete(event.requestId);
    if (event.type === "server-question") this.#open.set(event.question.questionId, event.question);
    if (event.type === "server-question-answer") this.#open.delete(event.questionId);
    if (changing.has(event.type)) this.#onChange();
  }

  state(): RoomState {
    const { link } = this.room;
    return {
      id: link.id,
      mode: link.mode(),
      model: link.model(),
      running: this.#running,
      questions: this.#open.size,
      watchers: this.#watchers.size,
      last: this.#log.last(),
    };
  }

  watch({ after, log }: LogPlace, watcher: Watcher): Watching {
    // The same `seq` may be another event in another log.
    const since = this.#log.since(log === this.#logId ? after : 0);
    this.#watchers.add(watcher);
    this.#onChange();
    const stop = () => {
      if (this.#watchers.delete(watcher)) this.#onChange();
    };
    return { ...since, log: this.#logId, stop };
  }

  take(command: Command, sender: Sender): Taken {
    const { requestKey } = sender;
    const before = requestKey === undefined ? undefined : this.#taken.get(requestKey);
    if (before !== undefined) return before;
    const result = isAnswer(command) ? this.#answer(command, sender) : this.#send(command);
    if (requestKey !== undefined) remember(this.#taken, requestKey, result);
    return result;
  }

  /** Sends the first valid answer to an open question, and tells the watchers who gave it. */
  #answer(command: AnswerCommand, { name }: Sender): Taken {
    const requestId = command.type === "permission-answer" ? command.requestId : command.questionId;
    const first = this.#given.get(requestId);
    if (first !== undefined) return refused(`this question was answered already, by ${first.by}`);
    if (!this.#open.has(requestId)) {
      return refused("this question is not open: it was answered, or never asked");
    }
    const question = this.#open.get(requestId);
    const problem =
      question === undefined || command.type === "permission-answer"
        ? undefined
        : answerProblem(question, command);
    if (problem !== undefined) return refused(problem);
    const answer = { requestId, by: name };
    remember(this.#given, requestId, answer);
    for (const watcher of this.#watchers) watcher.answered(answer);
    return this.#send(command);
  }

  #send(command: Command): Taken {
    this.room.link.send(command);
    this.#onChange();
    return { ok: true };
  }

  refresh(): void {
    this.#onChange();
  }

  close(): void {
    this.#unsubscribe();
    for (const watcher of this.#watchers) watcher.closed();
    this.#watchers.clear();
  }
}

type AnswerCommand = Extract<Command, { type: "permission-answer" | "server-question-answer" }>;

function isAnswer(command: Command): command is AnswerCommand {
  return command.type === "permission-answer" || command.type === "server-question-answer";
}

/** The events after which the state differs. */
const changing: ReadonlySet<SessionEvent["type"]> = new Set([
  "session-start",
  "session-resumed",
  "turn-start",
  "turn-end",
  "permission-request",
  "permission-answer",
  "server-question",
  "server-question-answer",
  "mode-changed",
  "model-changed",
]);

function refused(message: string): Taken {
  return { ok: false, message };
}

function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > maxKeys && oldest !== undefined) map.delete(oldest);
}
