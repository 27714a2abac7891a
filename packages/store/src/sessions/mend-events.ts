/**
 * Repairs the events of a damaged session, so that they give a valid transcript. Each added result says what is lost.
 */
import { closeHistory } from "@localharness/engine";
import type { JsonObject, SessionEvent, ToolResult } from "@localharness/protocol";

/** The fields of the `session-start` that replaces a lost one. */
export interface Beginning {
  readonly workspace: string;
  readonly systemPrompt: string;
}

/** Returns the events without invalid events, renumbered, with one result for every call and an end for every turn. */
export function mendEvents(events: readonly SessionEvent[], beginning: Beginning): readonly SessionEvent[] {
  const mender = new Mender();
  const [first] = events;
  if (first?.type !== "session-start") mender.add(lostStart(first, beginning));
  for (const [index, event] of events.entries())
    if (event.type !== "session-start" || index === 0) mender.take(event);
  return closeHistory(mender.end());
}

type EventOf<Type extends SessionEvent["type"]> = Extract<SessionEvent, { type: Type }>;

/** A call of the newest answer that has no result yet. */
interface OpenCall {
  readonly event: EventOf<"tool-call-end">;
  begun: boolean;
}

class Mender {
  readonly #mended: SessionEvent[] = [];
  /** Calls that turned out to be missing, by the event before which they are inserted. */
  readonly #missing = new Map<SessionEvent, SessionEvent[]>();
  readonly #ids = new Set<string>();
  /** The calls of the answer that has not ended yet; undefined between answers. */
  #coming: EventOf<"tool-call-end">[] | undefined;
  /** The event that ended the newest answer; undefined as soon as no more results of its calls can follow. */
  #answerEnd: SessionEvent | undefined;
  #open: OpenCall[] = [];
  /** Calls that started but are in no answer, by call id. The record of such a call is lost. */
  readonly #strays = new Map<string, EventOf<"tool-start">>();

  add(event: SessionEvent): void {
    this.#mended.push(event);
  }

  take(event: SessionEvent): void {
    switch (event.type) {
      case "text-delta":
      case "reasoning-delta":
      case "tool-call-start":
      case "tool-call-error":
      case "tool-call-withdrawn":
      case "tool-call-end":
        this.#addPiece(event);
        return;
      case "answer-restart":
        this.#coming = undefined;
        this.#addPiece(event);
        return;
      case "model-end":
      case "model-error":
        if (this.#coming === undefined) this.#answerOpen(event);
        this.#endAnswer(event);
        return;
      case "tool-start":
        this.#begin(event);
        return;
      case "tool-result":
        this.#answer(event);
        return;
      case "permission-request":
        this.#endLost(event, true);
        break;
      case "iteration-start":
      case "compaction":
      case "iteration-end":
      case "turn-start":
      case "turn-end":
      case "user-message":
      case "session-resumed":
        this.#endLost(event, isEndOfWholeAnswer(event));
        this.#answerOpen(event);
        break;
      default:
    }
    this.add(event);
  }

  end(): readonly SessionEvent[] {
    const last = this.#mended.at(-1);
    if (last !== undefined) {
      this.#endLost(last, false);
      this.#answerOpen(last);
    }
    let seq = 0;
    return this.#mended.flatMap((event) =>
      [...(this.#missing.get(event) ?? []), event].map((one) => ({ ...one, seq: ++seq })),
    );
  }

  /** Adds a piece of an answer. Drops a call whose id is empty or already in use. */
  #addPiece(event: SessionEvent): void {
    if (event.type === "tool-call-end" && (event.id === "" || this.#ids.has(event.id))) return;
    this.#answerOpen(event);
    this.#coming ??= [];
    if (event.type === "tool-call-end") {
      this.#ids.add(event.id);
      this.#coming.push(event);
    }
    this.add(event);
  }

  #endAnswer(event: SessionEvent): void {
    this.add(event);
    this.#answerEnd = event;
    this.#open = (this.#coming ?? []).map((call) => ({ event: call, begun: false }));
    this.#coming = undefined;
  }

  /**
   * Ends the answer that is still open, if there is one. The added event has the session and the turn of `like`. `whole` is
   * true if the answer ended normally.
   */
  #endLost(like: SessionEvent, whole: boolean): void {
    if (this.#coming !== undefined) this.#endAnswer(whole ? wholeEnd(like) : brokenEnd(like));
  }

  #begin(event: EventOf<"tool-start">): void {
    const { callId } = event;
    this.#endLost(event, true);
    const call = this.#open.find(({ event: { id } }) => id === callId);
    if (call !== undefined) call.begun = true;
    else if (callId === "" || this.#ids.has(callId)) return;
    else this.#strays.set(callId, event);
    this.add(event);
  }

  /**
   * Adds a result. Results come in the order of the calls, so the open calls before this call have lost their results.
   */
  #answer(event: EventOf<"tool-result">): void {
    const { callId } = event;
    this.#endLost(event, true);
    const at = this.#open.findIndex(({ event: { id } }) => id === callId);
    if (at !== -1) {
      for (const call of this.#open.splice(0, at + 1).slice(0, at)) this.#answerLost(event, call);
      this.add(event);
    } else if (callId !== "" && !this.#ids.has(callId)) {
      const stray = this.#strays.get(callId);
      this.#strays.delete(callId);
      this.#insertCall(event, stray?.arguments ?? {});
      this.add(stray === undefined ? { ...event, result: withNote(event.result, argumentsLost) } : event);
    }
  }

  #answerLost(like: SessionEvent, { event: { id, name }, begun }: OpenCall): void {
    this.add(lostResult(like, id, name, begun));
  }

  /** Gives every call without a result an error result that says that the result is lost. */
  #answerOpen(like: SessionEvent): void {
    for (const call of this.#open) this.#answerLost(like, call);
    this.#open = [];
    for (const stray of this.#strays.values()) {
      this.#insertCall(stray, stray.arguments);
      this.add(lostResult(like, stray.callId, stray.toolName, true));
    }
    this.#strays.clear();
    this.#answerEnd = undefined;
  }

  /**
   * Inserts a lost call into the newest answer, before the calls that are still open. If the record of that answer is
   * also lost, the call gets a new answer.
   */
  #insertCall(like: EventOf<"tool-start" | "tool-result">, args: JsonObject): void {
    const { callId: id, toolName: name, sessionId, turnId } = like;
    if (this.#answerEnd === undefined) this.#endAnswer(wholeEnd(like));
    const before = this.#open[0]?.event ?? this.#answerEnd;
    if (before === undefined) return;
    const call = {
      sessionId,
      turnId,
      seq: 0,
      type: "tool-call-end",
      index: 0,
      id,
      name,
      arguments: args,
    } as const;
    this.#ids.add(id);
    const missing = this.#missing.get(before);
    if (missing === undefined) this.#missing.set(before, [call]);
    else missing.push(call);
  }
}

/** Returns true if the loop emits this event only after a complete answer. */
function isEndOfWholeAnswer(event: SessionEvent): boolean {
  if (event.type === "turn-end") return event.reason !== "interrupted" && event.reason !== "error";
  return event.type === "iteration-start" || event.type === "iteration-end";
}

function wholeEnd({ sessionId, turnId }: SessionEvent): SessionEvent {
  return { sessionId, turnId, seq: 0, type: "model-end", stopReason: "other" };
}

function brokenEnd({ sessionId, turnId }: SessionEvent): SessionEvent {
  const message = "what followed is lost from the session's file";
  return { sessionId, turnId, seq: 0, type: "model-error", code: "aborted", message, retryable: false };
}

function lostStart(like: SessionEvent | undefined, { workspace, systemPrompt }: Beginning): SessionEvent {
  return {
    sessionId: like?.sessionId ?? "",
    turnId: "",
    seq: 0,
    type: "session-start",
    model: "",
    provider: "",
    workspace,
    mode: "default",
    tools: [],
    systemPrompt,
  };
}

const argumentsLost = "the arguments of this call are lost from the session's file";

function withNote(result: ToolResult, note: string): ToolResult {
  const notes: unknown = result.notes;
  return { ...result, notes: [...(Array.isArray(notes) ? notes : []), note] };
}

/**
 * Returns an error result for a call whose result is lost. Even without a `tool-start` the call may have run, because
 * that record may be lost too.
 */
function lostResult(
  { sessionId, turnId }: SessionEvent,
  callId: string,
  toolName: string,
  begun: boolean,
): SessionEvent {
  const ran = begun ? "it began, and may have been done in part or in full" : "it may have run";
  const message = `the result of this call is lost from the session's file: ${ran}. Look before you do it again`;
  const result: ToolResult = {
    success: false,
    data: null,
    error_message: message,
    error_type: "internal_error",
    metadata: { execution_time_ms: 0, data_size_bytes: 0, timestamp: Date.now() },
  };
  const display = `[Tool: ${toolName}]\n${message}`;
  return { sessionId, turnId, seq: 0, type: "tool-result", callId, toolName, result, display };
}
