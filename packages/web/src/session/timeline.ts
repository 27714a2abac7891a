/** Folds the events of a session into the items of the transcript. A changed item is a new object, so that screens can compare. */
import {
  defined,
  type JsonObject,
  type PermissionAnswer,
  type PermissionRequest,
  type QuestionAction,
  type SessionEvent,
} from "@localharness/protocol";
import { type CallItem, type Item, type ItemOf, keptResult } from "./item.ts";

export interface Timeline {
  /** Takes an event; `at` is the time in milliseconds, absent for an event of the history. */
  take(event: SessionEvent, at?: number): void;
  /** Adds or replaces an item that is not from an event, such as the output of a command that the person ran. */
  put(item: Item): void;
  /** Takes the name of the client that answered a question. Events do not contain it. */
  answered(requestId: string, by: string): void;
  /** Returns the items; the same array as before when nothing has changed. */
  items(): readonly Item[];
  /** Returns the questions that wait for an answer, the oldest first. */
  questions(): readonly PermissionRequest[];
}

export function createTimeline(): Timeline {
  return new FoldedTimeline();
}

type EventOf<Type extends SessionEvent["type"]> = Extract<SessionEvent, { readonly type: Type }>;

class FoldedTimeline implements Timeline {
  #items: Item[] = [];
  /** The place of each item, by key. */
  readonly #places = new Map<string, number>();
  readonly #questions = new Map<string, PermissionRequest>();
  readonly #answerers = new Map<string, string>();
  /** The names of the MCP servers that asked the person, by the id of the question. */
  readonly #askers = new Map<string, string>();
  /** The keys of the calls that were asked about, by the id of the question. */
  readonly #asked = new Map<string, string>();
  /** The key of the newest call of each call id. */
  readonly #callKeys = new Map<string, string>();
  #open: readonly PermissionRequest[] = [];
  #shown: readonly Item[] = [];
  /** The number of items before the answer that the model writes now. */
  #answerFrom = 0;
  /** The keys of the calls that the model is still writing, by their index in the answer. */
  readonly #writing = new Map<number, string>();
  #thoughtSince: number | undefined;
  #turn: { since?: number; changes: number; calls: number } = { changes: 0, calls: 0 };

  items(): readonly Item[] {
    if (this.#shown !== this.#items) this.#shown = this.#items;
    return this.#shown;
  }

  questions(): readonly PermissionRequest[] {
    return this.#open;
  }

  put(item: Item): void {
    const at = this.#places.get(item.key);
    // A published array never changes: the first change after `items` copies it.
    if (this.#items === this.#shown) this.#items = [...this.#items];
    if (at !== undefined) {
      this.#items[at] = item;
      return;
    }
    this.#places.set(item.key, this.#items.length);
    this.#items.push(item);
  }

  answered(requestId: string, by: string): void {
    this.#answerers.set(requestId, by);
    const asked = this.#itemOf(this.#asked.get(requestId));
    if (asked?.answer !== undefined) this.put({ ...asked, answeredBy: by });
  }

  take(event: SessionEvent, at?: number): void {
    switch (event.type) {
      case "text-delta":
      case "reasoning-delta":
        this.#grow(event, at);
        return;
      case "answer-restart":
        this.#dropAnswer();
        return;
      case "tool-call-start":
      case "tool-call-end":
      case "tool-call-error":
      case "tool-call-withdrawn":
        this.#takeCall(event);
        return;
      case "permission-request":
      case "permission-answer":
        this.#takeQuestion(event);
        return;
      case "tool-start":
      case "tool-progress":
      case "tool-result":
        this.#takeTool(event);
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
        this.#turn = { changes: 0, calls: 0, ...defined({ since: at }) };
        return;
      case "user-message": {
        const { content: text, from, path, images, seq } = event;
        this.put({ key, kind: "user", seq, text, from, ...defined({ path, images }) });
        return;
      }
      case "iteration-start":
        this.#answerFrom = this.#items.length;
        return;
      case "model-end":
        this.#settle(at);
        return;
      case "model-error":
        this.#settle(at, event.code === "aborted" ? "interrupted" : "error");
        return;
      case "model-retry":
        this.put({ key, kind: "notice", level: "warning", text: event.message });
        return;
      case "notice":
        this.put({ key, kind: "notice", level: event.level, text: event.message });
        return;
      case "server-question":
        this.#askers.set(event.question.questionId, event.question.server);
        return;
      case "server-question-answer":
        this.put({ key, kind: "notice", level: "info", text: this.#settledText(event) });
        return;
      case "turn-end":
        this.#endTurn(event, at);
        return;
      default:
        return;
    }
  }

  #settledText({ questionId, action, by }: EventOf<"server-question-answer">): string {
    const server = JSON.stringify(this.#askers.get(questionId) ?? "");
    const who = by === "nobody" ? "nobody" : this.#answerers.get(questionId);
    return `The question of the MCP server ${server} was ${settledWords[action]}${who === undefined ? "" : ` by ${who}`}.`;
  }

  #grow(event: EventOf<"text-delta" | "reasoning-delta">, at: number | undefined): void {
    const kind = event.type === "text-delta" ? "answer" : "thought";
    const last = this.#items.at(-1);
    if (last?.kind === kind && last.live) {
      this.put({ ...last, text: last.text + event.text });
      return;
    }
    if (kind === "thought") this.#thoughtSince = at;
    else this.#settleThought(at);
    this.put({ key: String(event.seq), kind, text: event.text, live: true });
  }

  #settleThought(at: number | undefined): void {
    const last = this.#items.at(-1);
    if (last?.kind !== "thought" || !last.live) return;
    const ms =
      at === undefined || this.#thoughtSince === undefined ? undefined : Math.round(at - this.#thoughtSince);
    this.put({ ...last, live: false, ...defined({ ms }) });
  }

  /** Ends the texts of the answer, and removes the calls that the model has not finished. */
  #settle(at: number | undefined, partial?: "interrupted" | "error"): void {
    this.#settleThought(at);
    for (const item of this.#items.slice(this.#answerFrom)) {
      if ((item.kind === "answer" || item.kind === "thought") && item.live) {
        this.put({ ...item, live: false, ...(item.kind === "answer" ? defined({ partial }) : {}) });
      }
    }
    for (const key of this.#writing.values()) this.#remove(key);
    this.#writing.clear();
  }

  #takeCall(event: EventOf<"tool-call-start" | "tool-call-end" | "tool-call-error" | "tool-call-withdrawn">) {
    const written = this.#writing.get(event.index);
    if (event.type === "tool-call-start") {
      const key = `call:${event.id}:${event.seq}`;
      this.#writing.set(event.index, key);
      this.put({ ...newCall(key, event.id, event.name, ""), state: "writing" });
      return;
    }
    this.#writing.delete(event.index);
    if (event.type === "tool-call-end") {
      const key = written ?? `call:${event.id}:${event.seq}`;
      const { id, name, arguments: args, format, repairs = [] } = event;
      this.put({ ...newCall(key, id, name, args), notes: repairs, ...defined({ format }) });
      this.#callKeys.set(id, key);
      return;
    }
    if (written !== undefined) this.#remove(written);
    if (event.type === "tool-call-withdrawn") return;
    const text = `A tool call that cannot be read (${event.reason}): ${event.message}`;
    this.put({ key: String(event.seq), kind: "notice", level: "warning", text, raw: event.raw });
  }

  #call(callId: string): CallItem | undefined {
    return this.#itemOf(this.#callKeys.get(callId));
  }

  #itemOf(key = ""): CallItem | undefined {
    const at = this.#places.get(key);
    const item = at === undefined ? undefined : this.#items[at];
    return item?.kind === "call" ? item : undefined;
  }

  #takeQuestion(event: EventOf<"permission-request" | "permission-answer">): void {
    if (event.type === "permission-request") {
      const { request } = event;
      this.#questions.set(request.requestId, request);
      this.#open = [...this.#questions.values()];
      const call = this.#call(request.callId);
      if (call !== undefined) {
        this.#asked.set(request.requestId, call.key);
        this.put({ ...call, state: "asked", ...defined({ diff: request.preview }) });
      }
      return;
    }
    const { requestId, answer, note, by } = event;
    this.#questions.delete(requestId);
    this.#open = [...this.#questions.values()];
    const item = this.#itemOf(this.#asked.get(requestId));
    if (item === undefined || item.state === "done") return;
    const answeredBy = by === "nobody" ? "nobody" : this.#answerers.get(requestId);
    this.put({ ...item, state: "waiting", answer, ...defined({ note, answeredBy }) });
  }

  #takeTool(event: EventOf<"tool-start" | "tool-progress" | "tool-result">): void {
    const known = this.#call(event.callId);
    if (event.type === "tool-progress") {
      const who = event.agent === undefined ? "" : `${event.agent}: `;
      if (known !== undefined) this.put({ ...known, progress: who + event.text.slice(-20_000) });
      return;
    }
    const key = known?.key ?? `call:${event.callId}:${event.seq}`;
    this.#callKeys.set(event.callId, key);
    if (event.type === "tool-start") {
      const call = known ?? newCall(key, event.callId, event.toolName, event.arguments);
      const notes = [...call.notes, ...(event.notes ?? [])];
      this.put({ ...call, arguments: event.arguments, state: "running", notes });
      return;
    }
    const call = known ?? newCall(key, event.callId, event.toolName, {});
    const diff = event.diff ?? (event.result.success ? call.diff : undefined);
    const { diff: _preview, ...rest } = call;
    this.#turn.calls += 1;
    if (event.diff !== undefined) this.#turn.changes += 1;
    this.put({
      ...rest,
      state: "done",
      progress: "",
      result: keptResult(event.result),
      ...defined({ diff }),
    });
  }

  #endTurn(event: EventOf<"turn-end">, at: number | undefined): void {
    this.#settle(at, event.reason === "interrupted" ? "interrupted" : undefined);
    this.#questions.clear();
    this.#open = [];
    const { reason, message = event.code, denied, plan, turnId } = event;
    const { since, changes, calls } = this.#turn;
    const ms = at === undefined || since === undefined ? undefined : at - since;
    const end: ItemOf<"end"> = {
      key: String(event.seq),
      kind: "end",
      turnId,
      reason,
      denied,
      changes,
      calls,
    };
    this.put({ ...end, ...defined({ message, plan, ms }) });
  }

  #remove(key: string): void {
    const at = this.#places.get(key);
    if (at === undefined) return;
    this.#items = this.#items.filter((item) => item.key !== key);
    this.#index();
  }

  /** Removes the answer that the model writes now. Notices and the person's commands between its parts stay. */
  #dropAnswer(): void {
    this.#items = this.#items.filter((item, at) => at < this.#answerFrom || !isOfAnswer(item));
    this.#writing.clear();
    this.#index();
  }

  #index(): void {
    this.#places.clear();
    for (const [at, item] of this.#items.entries()) this.#places.set(item.key, at);
  }
}

/** Returns true if the model wrote the item: a text, a thought, a call, or a call that cannot be read. */
function isOfAnswer(item: Item): boolean {
  if (item.kind === "notice") return item.raw !== undefined;
  return item.kind === "answer" || item.kind === "thought" || item.kind === "call";
}

function newCall(key: string, callId: string, toolName: string, args: string | JsonObject): CallItem {
  return { key, kind: "call", callId, toolName, arguments: args, state: "waiting", progress: "", notes: [] };
}

const settledWords: Readonly<Record<QuestionAction, string>> = {
  accept: "answered",
  decline: "declined",
  cancel: "left open",
};

/** The words for each answer to a permission question. */
export const answerWords: Readonly<Record<PermissionAnswer, string>> = {
  once: "allowed once",
  session: "allowed for this session",
  remember: "allowed from now on",
  deny: "denied",
};
