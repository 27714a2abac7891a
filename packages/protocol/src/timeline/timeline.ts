/**
 * Folds the events of a session into the items that people see. Every screen, the line chat and the exports draw these items,
 * and none folds the events itself.
 */
import { defined } from "../defined.ts";
import type { SessionEvent } from "../event.ts";
import type { PermissionRequest } from "../permission-request.ts";
import { askerText } from "../server-question.ts";
import { type Activity, type Waiting, waitingAfter } from "./activity.ts";
import { CallItems, type EventOf } from "./call-items.ts";
import type { CallItem, Item, ItemOf } from "./item.ts";
import { ItemList, type TimelineChange } from "./item-list.ts";

export interface Timeline {
  /** Takes an event. `at` is the time in milliseconds of a monotonic clock, absent for an event of the history. */
  take(event: SessionEvent, at?: number): void;
  /** Adds or replaces an item that is not from an event, such as the output of a command that the person ran. */
  put(item: Item): void;
  /** Takes the name of the client that answered a question. Events do not contain it. */
  answered(requestId: string, by: string): void;
  /** Returns the items; the same array as before when nothing has changed. A returned array never changes. */
  items(): readonly Item[];
  /** Returns the permission questions that wait for an answer, the oldest first. */
  questions(): readonly PermissionRequest[];
  /** Returns the calls of the turn that the model has written and that have no result. */
  openCalls(): readonly CallItem[];
  /** Returns what the turn does; undefined if nothing is known of it. */
  activity(): Activity | undefined;
}

/** Returns an empty timeline. `watch` is called with each change, in order. */
export function createTimeline(watch: (change: TimelineChange) => void = () => undefined): Timeline {
  return new FoldedTimeline(watch);
}

/** Returns the items of all events. */
export function foldItems(events: Iterable<SessionEvent>): readonly Item[] {
  const timeline = createTimeline();
  for (const event of events) timeline.take(event);
  return timeline.items();
}

class FoldedTimeline implements Timeline {
  readonly #list: ItemList;
  readonly #calls: CallItems;
  /** Who asked the person, in words, by the id of the question. */
  readonly #askers = new Map<string, string>();
  /** The number of items before the answer that the model writes now. */
  #answerFrom = 0;
  #answer: ItemOf<"answer"> | undefined;
  #thought: ItemOf<"thought"> | undefined;
  #thoughtSince: number | undefined;
  #turnSince: number | undefined;
  #waiting: Waiting | undefined;

  constructor(watch: (change: TimelineChange) => void) {
    this.#list = new ItemList(watch);
    this.#calls = new CallItems(this.#list);
  }

  items(): readonly Item[] {
    return this.#list.all();
  }

  questions(): readonly PermissionRequest[] {
    return this.#calls.questions();
  }

  openCalls(): readonly CallItem[] {
    return this.#calls.open();
  }

  put(item: Item): void {
    this.#list.put(item);
  }

  answered(requestId: string, by: string): void {
    this.#calls.answered(requestId, by);
  }

  activity(): Activity | undefined {
    const written = this.#calls.written();
    if (written !== undefined) return { kind: "writing-call", ...written };
    if (this.#thought !== undefined) return { kind: "thinking", chars: this.#thought.text.length };
    if (this.#answer !== undefined) return { kind: "answering" };
    const running = this.openCalls().filter(({ state }) => state === "running");
    if (running.length > 0) return { kind: "running", toolNames: running.map(({ toolName }) => toolName) };
    return this.#waiting;
  }

  take(event: SessionEvent, at?: number): void {
    this.#waiting = waitingAfter(this.#waiting, event, at);
    switch (event.type) {
      case "text-delta":
        this.#endThought(at);
        this.#growAnswer(event);
        return;
      case "reasoning-delta":
        this.#growThought(event, at);
        return;
      case "answer-restart":
        this.#dropAnswer();
        return;
      case "tool-call-end":
      case "tool-call-error":
        this.#endText(at);
        this.#calls.write(event);
        return;
      case "tool-call-start":
      case "tool-call-delta":
      case "tool-call-withdrawn":
        this.#calls.write(event);
        return;
      case "permission-request":
      case "permission-answer":
        this.#calls.ask(event);
        return;
      case "tool-start":
      case "tool-progress":
      case "tool-result":
        this.#calls.run(event);
        return;
      default:
        this.#takeLoop(event, at);
        return;
    }
  }

  #takeLoop(event: SessionEvent, at: number | undefined): void {
    const key = String(event.seq);
    switch (event.type) {
      case "turn-start":
        this.#turnSince = at;
        this.#calls.beginTurn();
        return;
      case "user-message": {
        const { content: text, from, path, images, seq, turnId } = event;
        this.put({ key, kind: "user", seq, turnId, text, from, ...defined({ path, images }) });
        return;
      }
      case "iteration-start":
        this.#answerFrom = this.#list.length;
        return;
      case "model-end":
        this.#endAnswer(at);
        return;
      case "model-error":
        this.#endAnswer(at, event.code === "aborted" ? "interrupted" : "error");
        return;
      case "model-retry":
        this.put({ key, kind: "notice", level: "warning", text: event.message, code: event.type });
        return;
      case "notice":
        this.put({ key, kind: "notice", level: event.level, text: event.message, code: event.code });
        return;
      case "server-question":
        this.#askers.set(event.question.questionId, askerText(event.question));
        return;
      case "server-question-answer":
        this.#putQuestion(event);
        return;
      case "turn-end":
        this.#endTurn(event, at);
        return;
      default:
        return;
    }
  }

  #growAnswer({ seq, text }: EventOf<"text-delta">): void {
    const before = this.#answer ?? { key: String(seq), kind: "answer", text: "", live: true };
    this.#answer = { ...before, text: before.text + text };
    this.#list.grow(this.#answer, text);
  }

  #growThought({ seq, text }: EventOf<"reasoning-delta">, at: number | undefined): void {
    if (this.#thought === undefined) {
      this.#endText(at);
      this.#thoughtSince = at;
    }
    const before = this.#thought ?? { key: String(seq), kind: "thought", text: "", live: true };
    this.#thought = { ...before, text: before.text + text };
    this.#list.grow(this.#thought, text);
  }

  #endThought(at: number | undefined): void {
    const thought = this.#thought;
    this.#thought = undefined;
    if (thought === undefined) return;
    const since = this.#thoughtSince;
    const ms = at === undefined || since === undefined ? undefined : Math.round(at - since);
    this.put({ ...thought, live: false, ...defined({ ms }) });
  }

  #endText(at: number | undefined, partial?: "interrupted" | "error"): void {
    this.#endThought(at);
    const answer = this.#answer;
    this.#answer = undefined;
    if (answer !== undefined) this.put({ ...answer, live: false, ...defined({ partial }) });
  }

  #endAnswer(at: number | undefined, partial?: "interrupted" | "error"): void {
    this.#endText(at, partial);
    this.#calls.endAnswer();
    this.#answerFrom = this.#list.length;
  }

  /** Removes the answer that the model writes now. Notices and the person's commands between its parts stay. */
  #dropAnswer(): void {
    this.#answer = undefined;
    this.#thought = undefined;
    const gone = this.#list.removeFrom(this.#answerFrom, isOfModel);
    this.#calls.forget(gone.filter((item) => item.kind === "call"));
  }

  #putQuestion({ seq, questionId, action, by }: EventOf<"server-question-answer">): void {
    const asker = this.#askers.get(questionId) ?? askerText({});
    this.#askers.delete(questionId);
    const answeredBy = by === "nobody" ? "nobody" : this.#calls.answererOf(questionId);
    this.put({ key: String(seq), kind: "question", asker, action, ...defined({ answeredBy }) });
  }

  #endTurn(event: EventOf<"turn-end">, at: number | undefined): void {
    this.#endAnswer(at, event.reason === "interrupted" ? "interrupted" : undefined);
    this.#calls.endTurn();
    const { seq, turnId, reason, message = event.code, denied, plan } = event;
    const since = this.#turnSince;
    const ms = at === undefined || since === undefined ? undefined : at - since;
    const facts = { turnId, reason, denied, ...this.#calls.counts() };
    this.put({ key: String(seq), kind: "end", ...facts, ...defined({ message, plan, ms }) });
  }
}

/** Returns true if the model wrote the item. */
function isOfModel({ kind }: Item): boolean {
  return kind === "answer" || kind === "thought" || kind === "call" || kind === "unreadable";
}
