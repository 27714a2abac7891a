/** Folds the events of tool calls and of questions about them into call items. */
import { defined } from "../defined.ts";
import type { SessionEvent } from "../event.ts";
import type { PermissionRequest } from "../permission-request.ts";
import { planOf } from "../plan.ts";
import type { CallItem } from "./item.ts";
import type { ItemList } from "./item-list.ts";

export type EventOf<Type extends SessionEvent["type"]> = Extract<SessionEvent, { readonly type: Type }>;

export type CallEvent = EventOf<
  "tool-call-start" | "tool-call-delta" | "tool-call-end" | "tool-call-error" | "tool-call-withdrawn"
>;
export type QuestionEvent = EventOf<"permission-request" | "permission-answer">;
export type RunEvent = EventOf<"tool-start" | "tool-progress" | "tool-result">;

/** The facts about a call from the question about it and from the answer. */
type Told = Pick<CallItem, "preview" | "plan" | "answer" | "answerFrom" | "answeredBy" | "note">;

export class CallItems {
  readonly #list: ItemList;
  /** The keys of the calls that the model is still writing, by their index in the answer. */
  readonly #writing = new Map<number, string>();
  /** The newest call that the model began to write and has not ended. */
  #newest: { readonly toolName: string; chars: number } | undefined;
  /** The key of the newest call of each call id. */
  readonly #keys = new Map<string, string>();
  /** The calls that were read and have no result, by key, with their state while nobody is asked about them. */
  readonly #open = new Map<string, "waiting" | "running">();
  readonly #questions = new Map<string, PermissionRequest>();
  #waiting: readonly PermissionRequest[] = [];
  /** The ids of the calls that were asked about, by the id of the question. */
  readonly #asked = new Map<string, string>();
  readonly #told = new Map<string, Told>();
  readonly #answerers = new Map<string, string>();
  #counts = { calls: 0, changes: 0 };

  constructor(list: ItemList) {
    this.#list = list;
  }

  /** Returns the questions that wait for an answer, the oldest first; the same array as before when nothing has changed. */
  questions(): readonly PermissionRequest[] {
    return this.#waiting;
  }

  /** Returns the calls of the turn that were read and have no result. */
  open(): readonly CallItem[] {
    return [...this.#open.keys()].flatMap((key) => this.#find(key) ?? []);
  }

  /** Returns the call that the model writes now, and how many characters of its arguments have come. */
  written(): { readonly toolName: string; readonly chars: number } | undefined {
    return this.#newest;
  }

  /** Returns the numbers of results, and of changed files, since the turn began. */
  counts(): { readonly calls: number; readonly changes: number } {
    return this.#counts;
  }

  answererOf(questionId: string): string | undefined {
    return this.#answerers.get(questionId);
  }

  answered(requestId: string, by: string): void {
    this.#answerers.set(requestId, by);
    const item = this.#call(this.#asked.get(requestId));
    if (item?.answer !== undefined) this.#list.put({ ...item, answeredBy: by });
  }

  beginTurn(): void {
    this.#counts = { calls: 0, changes: 0 };
  }

  endTurn(): void {
    this.#questions.clear();
    this.#waiting = [];
    this.#told.clear();
    this.#open.clear();
  }

  /** Removes the calls that the model has not finished. */
  endAnswer(): void {
    for (const key of this.#writing.values()) this.#list.remove(key);
    this.#writing.clear();
    this.#newest = undefined;
  }

  /** Forgets the calls of an answer that is void. */
  forget(calls: readonly CallItem[]): void {
    for (const { key, callId } of calls) {
      this.#open.delete(key);
      if (this.#keys.get(callId) === key) this.#keys.delete(callId);
    }
    this.#writing.clear();
    this.#newest = undefined;
  }

  write(event: CallEvent): void {
    if (event.type === "tool-call-delta") {
      if (this.#newest !== undefined) this.#newest.chars += event.argumentsText.length;
      return;
    }
    if (event.type === "tool-call-start") {
      const key = `call:${event.id}:${event.seq}`;
      this.#writing.set(event.index, key);
      this.#newest = { toolName: event.name, chars: 0 };
      this.#list.put({ ...newCall(key, event.id, event.name, ""), state: "writing" });
      return;
    }
    const written = this.#writing.get(event.index);
    this.#writing.delete(event.index);
    this.#newest = undefined;
    if (event.type === "tool-call-end") {
      const { id, name, arguments: args, format, repairs = [], seq } = event;
      const key = written ?? `call:${id}:${seq}`;
      this.#begin({ ...newCall(key, id, name, args), notes: repairs, ...defined({ format }) }, "waiting");
      return;
    }
    if (written !== undefined) this.#list.remove(written);
    if (event.type === "tool-call-withdrawn") return;
    const { seq, reason, message, raw } = event;
    this.#list.put({ key: String(seq), kind: "unreadable", reason, message, raw });
  }

  ask(event: QuestionEvent): void {
    if (event.type === "permission-request") {
      const { requestId, callId, preview } = event.request;
      this.#questions.set(requestId, event.request);
      this.#asked.set(requestId, callId);
      this.#tell(callId, defined({ preview, plan: planOf(event.request) }), "asked");
    } else {
      const { requestId, answer, by: answerFrom, note, plan } = event;
      this.#questions.delete(requestId);
      const answeredBy = answerFrom === "nobody" ? "nobody" : this.#answerers.get(requestId);
      const told = { answer, answerFrom, ...defined({ note, plan, answeredBy }) };
      const callId = this.#asked.get(requestId);
      if (callId !== undefined) this.#tell(callId, told, "answered");
    }
    this.#waiting = [...this.#questions.values()];
  }

  run(event: RunEvent): void {
    const known = this.#call(event.callId);
    if (event.type === "tool-start") this.#start(event, known);
    else if (event.type === "tool-result") this.#end(event, known);
    else if (known !== undefined && known.state !== "done") {
      const { agent: _before, ...call } = known;
      this.#list.put({ ...call, progress: event.text, ...defined({ agent: event.agent }) });
    }
  }

  #start({ seq, callId, toolName, ...event }: EventOf<"tool-start">, known: CallItem | undefined): void {
    const call = known ?? newCall(`call:${callId}:${seq}`, callId, toolName, event.arguments);
    const notes = [...call.notes, ...(event.notes ?? [])];
    this.#begin({ ...call, toolName, arguments: event.arguments, progress: "", notes }, "running");
  }

  #begin(call: CallItem, state: "waiting" | "running"): void {
    this.#keys.set(call.callId, call.key);
    this.#open.set(call.key, state);
    this.#list.put({ ...call, ...this.#told.get(call.callId), state });
  }

  #end(event: EventOf<"tool-result">, known: CallItem | undefined): void {
    const { callId, toolName, result, seq } = event;
    const call = known ?? newCall(`call:${callId}:${seq}`, callId, toolName, {});
    const { agent: _agent, diff: _asked, ...rest } = { ...call, ...this.#told.get(callId) };
    const why = result.success ? undefined : (event.why ?? result.error_message ?? undefined);
    const diff = event.diff ?? (result.success ? rest.preview : undefined);
    this.#keys.set(callId, call.key);
    this.#open.delete(call.key);
    this.#told.delete(callId);
    const { calls, changes } = this.#counts;
    this.#counts = { calls: calls + 1, changes: changes + (event.diff === undefined ? 0 : 1) };
    this.#list.put({ ...rest, toolName, state: "done", progress: "", result, ...defined({ why, diff }) });
  }

  /** Remembers facts about a call, which may have no item yet, and shows them. */
  #tell(callId: string, facts: Told, what: "asked" | "answered"): void {
    const told = { ...this.#told.get(callId), ...facts };
    this.#told.set(callId, told);
    const item = this.#call(callId);
    if (item === undefined || item.state === "done") return;
    if (what === "asked") {
      this.#list.put({ ...item, ...told, state: "asked", ...defined({ diff: facts.preview }) });
      return;
    }
    // Of several questions about a call, others may wait.
    const isAsked = [...this.#questions.values()].some((question) => question.callId === callId);
    const state = isAsked ? "asked" : (this.#open.get(item.key) ?? "waiting");
    this.#list.put({ ...item, ...told, state });
  }

  #call(callId = ""): CallItem | undefined {
    return this.#find(this.#keys.get(callId));
  }

  #find(key = ""): CallItem | undefined {
    const item = this.#list.find(key);
    return item?.kind === "call" ? item : undefined;
  }
}

function newCall(key: string, callId: string, toolName: string, args: CallItem["arguments"]): CallItem {
  return { key, kind: "call", callId, toolName, arguments: args, state: "waiting", progress: "", notes: [] };
}
