/**
 * Reads an answer of an OpenAI-compatible server: server-sent events, or one JSON body if the server does not stream.
 */

import {
  defined,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ModelEvent,
  type StopReason,
} from "@localharness/protocol";
import { callsOf } from "../../answer/call-delta.ts";
import type { CallIds } from "../../answer/call-ids.ts";
import type { Ending } from "../../answer/cut-off.ts";
import {
  errorText,
  fromStatus,
  looksLikeHtml,
  type ModelFailure,
  saysError,
  tooDeep,
  withUnread,
} from "../../answer/failure.ts";
import { endingOf, isServerEnd, oddEnd, stopReasons } from "../../answer/finish-reason.ts";
import { isTooDeep } from "../../answer/json-depth.ts";
import { thoughtIn, thoughtInPart } from "../../answer/thought-text.ts";
import { listNames } from "../../choice/list-names.ts";
import { SseDecoder, type SseEvent } from "../../http/sse.ts";
import { type AnswerFields, createAnswerFields } from "../../origin/answer-fields.ts";
import { reasonIn } from "../../server-words/reason.ts";
import type { AnswerReader } from "../wire.ts";
import { type CallAssembly, createCallAssembly } from "./call-assembly.ts";
import { readProgress, readUsage } from "./usage.ts";

type TextEvent = Extract<ModelEvent, { type: "text-delta" | "reasoning-delta" }>;

export class OpenaiReader implements AnswerReader {
  readonly #who: string;
  readonly #calls: CallAssembly;
  readonly #sse = new SseDecoder();
  readonly #fields: AnswerFields;
  /** The pieces of an answer that is one JSON body; undefined if the answer is a stream. */
  #body: string[] | undefined;
  #start = "";
  #finish: string | undefined;
  /** The index of the choice that is read, which is the first choice that came. */
  #choice: JsonValue | undefined;
  /** The kinds of text that have come. */
  readonly #said = new Set<TextEvent["type"]>();
  #done = false;
  #failed = false;
  #usage: ModelEvent | undefined;
  /** The last data that was skipped because it does not begin as JSON. */
  #skipped = "";
  /** True once a choice has come. A body without choices is not an answer. */
  #answered = false;

  /** `madeBy` is the value of `AnswerOrigin.madeBy`; `tools` are the names of the tools on offer. */
  constructor(
    who: string,
    ids: CallIds,
    maxCalls?: number,
    { madeBy = who, tools = [] }: { readonly madeBy?: string; readonly tools?: readonly string[] } = {},
  ) {
    this.#who = who;
    this.#fields = createAnswerFields(madeBy);
    this.#calls = createCallAssembly(ids, maxCalls, tools);
  }

  get unkeptChars(): number {
    return this.#calls.unkeptChars;
  }

  get progress(): AnswerReader["progress"] {
    if (this.#done) return "finished";
    return this.#finish === undefined ? "open" : "finishing";
  }

  openCalls(): string[] {
    return this.#calls.names();
  }

  push(text: string): ModelEvent[] {
    const out: ModelEvent[] = [];
    if (this.#failed) return out;
    if (this.#start.trim() === "") this.#start += text.slice(0, 64);
    if (this.#body !== undefined) this.#body.push(text);
    else if (/^\s*[{[<]/.test(this.#start)) this.#body = [text];
    else this.#takeEvents(this.#sse.push(text), out);
    return out;
  }

  end(): ModelEvent[] {
    const out: ModelEvent[] = [];
    if (this.#failed) return out;
    if (this.#body === undefined) this.#takeEvents(this.#sse.end(), out);
    else this.#takeBody(this.#body.join(""), out);
    if (!this.#failed && this.#finish === undefined && !this.#done) {
      const message = unfinished(this.#who, this.#calls.names(), this.#skipped);
      this.#fail(out, { ...badResponse(message), retryable: true });
    }
    if (!this.#failed) this.#failIfNothing(out);
    if (this.#failed) return out;
    const ends = this.#calls.finish(howItEnded(this.#finish));
    for (const end of ends) out.push(end);
    if (this.#usage) out.push(this.#usage);
    const reason = this.#finish === undefined ? "" : oddEnd(this.#finish);
    out.push({
      type: "model-end",
      stopReason: stopReason(this.#finish, ends),
      ...defined({ reason }),
      ...this.#fields.ofEnd(ends),
    });
    return out;
  }

  /** Fails if the server broke off before it sent any part of an answer. */
  #failIfNothing(out: ModelEvent[]): void {
    const finish = this.#finish ?? "";
    if (this.#said.size > 0 || this.#calls.count > 0 || !isServerEnd(finish)) return;
    this.#fail(out, endedWith(finish, this.#who));
  }

  cut(): ModelEvent[] {
    const usage = this.#usage === undefined ? [] : [this.#usage];
    return [...this.#calls.finish("at-limit"), ...usage, { type: "model-end", stopReason: "length" }];
  }

  #fail(out: ModelEvent[], failure: ModelFailure): void {
    if (!this.#failed) out.push({ type: "model-error", ...failure });
    this.#failed = true;
  }

  #takeEvents(events: readonly SseEvent[], out: ModelEvent[]): void {
    for (const event of events) {
      // Anything after [DONE] is not part of the answer.
      if (this.#failed || this.#done) return;
      if (event.data.trim() === "[DONE]") this.#done = true;
      else this.#takeData(event, out);
    }
    if (this.#sse.overflow) {
      this.#fail(out, badResponse(`${this.#who} sent a line that is too long to be read.`));
    }
  }

  #takeData(event: SseEvent, out: ModelEvent[]): void {
    const values = parseLenient(event.data);
    if (event.event === "error" && values?.length === 0) {
      this.#fail(out, reported({ error: event.data }, this.#who));
      return;
    }
    if (values?.length === 0) this.#skipped = event.data;
    if (values === undefined) {
      const message = `${this.#who} sent a line that is not JSON: ${event.data.slice(0, 120)}.`;
      this.#fail(out, { ...badResponse(message), retryable: true });
      return;
    }
    for (const value of values) {
      // Values of another shape (null, a number) are ignored.
      if (isJsonObject(value)) this.#takeChunk(value, event.event === "error", out);
    }
    this.#done ||= endsAnswer(event.data);
  }

  #takeBody(text: string, out: ModelEvent[]): void {
    const chunks = parseLenient(text.trim())?.filter(isJsonObject) ?? [];
    const [first] = chunks;
    if (first !== undefined) {
      for (const chunk of chunks) this.#takeChunk(chunk, false, out);
      if (!this.#answered && !this.#failed) this.#fail(out, badResponse(withoutChoices(this.#who, first)));
      // A body with one value is complete. A body with one value per line may have been cut off between two lines.
      if (chunks.length === 1 || endsAnswer(text)) this.#done = true;
    } else if (looksLikeHtml(text)) {
      this.#fail(out, webPage(this.#who));
    } else {
      this.#fail(
        out,
        badResponse(`${this.#who} sent neither events nor JSON: ${text.trim().slice(0, 120)}.`),
      );
    }
  }

  #takeChunk(chunk: JsonObject, isError: boolean, out: ModelEvent[]): void {
    if (this.#failed) return;
    if (isTooDeep(chunk)) {
      this.#fail(out, badResponse(tooDeep(this.#who)));
      return;
    }
    const error = chunk["error"];
    if (isError || saysError(error) || (this.#body === undefined && isErrorObject(chunk))) {
      this.#fail(out, reported(chunk, this.#who));
      return;
    }
    this.#usage = readUsage(chunk) ?? this.#usage;
    const progress = readProgress(chunk);
    if (progress !== undefined) out.push(progress);
    const choice = this.#choiceOf(chunk["choices"]);
    if (choice === undefined) return;
    this.#answered = true;
    const { delta, message, finish_reason: finish } = choice;
    if (isJsonObject(delta)) {
      this.#fields.take(delta);
      this.#say(textIn(delta), out);
      this.#takeCalls(delta, false, out);
    } else if (isJsonObject(message)) {
      if (this.#said.size === 0) this.#fields.take(message);
      this.#say(this.#unsaid(textIn(message)), out);
      if (this.#calls.count === 0) this.#takeCalls(message, true, out);
    }
    // A later finish reason must not turn an answer that was cut off into a complete one.
    const known = this.#finish === undefined || howItEnded(this.#finish) === "whole";
    if (typeof finish === "string" && finish !== "" && known) this.#finish = finish;
  }

  #say(events: readonly TextEvent[], out: ModelEvent[]): void {
    for (const event of events) {
      this.#said.add(event.type);
      out.push(event);
    }
  }

  /**
   * Returns what a whole message adds to the answer so far. Text repeats earlier text. Reasoning repeats earlier reasoning, or
   * comes too late.
   */
  #unsaid(events: readonly TextEvent[]): readonly TextEvent[] {
    if (this.#said.size === 0) return events;
    return this.#said.has("text-delta") ? [] : events.filter(({ type }) => type === "text-delta");
  }

  #choiceOf(choices: JsonValue | undefined): JsonObject | undefined {
    const all = Array.isArray(choices) ? choices.filter(isJsonObject) : [];
    this.#choice ??= all[0]?.["index"];
    return all.find(({ index }) => index === undefined || index === this.#choice);
  }

  #takeCalls(delta: JsonObject, whole: boolean, out: ModelEvent[]): void {
    const made = callsOf(delta["tool_calls"]);
    for (const [index, call] of made.entries()) {
      this.#calls.push(whole && isJsonObject(call) ? { ...call, index } : call, out);
    }
    if (made.length === 0 && isJsonObject(delta["function_call"])) {
      this.#calls.push({ index: 0, function: delta["function_call"] }, out);
    }
  }
}

/** Returns the events for reasoning and text. */
function textIn(delta: JsonObject): readonly TextEvent[] {
  const out: TextEvent[] = [];
  const thought = thoughtIn(delta);
  if (thought !== "") out.push({ type: "reasoning-delta", text: thought });
  const { content: said, refusal } = delta;
  const content = said === undefined || said === null || said === "" ? refusal : said;
  if (typeof content === "string") {
    if (content !== "") out.push({ type: "text-delta", text: content });
  } else if (Array.isArray(content)) {
    for (const part of content) takePart(part, out);
  }
  return out;
}

/** Returns true if a line of the text is [DONE], as happens if a server leaves out the empty lines between events. */
function endsAnswer(text: string): boolean {
  return /^\s*\[DONE\]\s*$/m.test(text);
}

/**
 * Returns the JSON values of a data field, and the values in a list of them. There is usually one value; there are several if a
 * server leaves out the empty lines between events. Lines that do not begin as a JSON object are skipped, because gateways wrap
 * comments and signs of life as data. Returns undefined if a line begins as an object but is not JSON.
 */
function parseLenient(data: string): unknown[] | undefined {
  try {
    return [JSON.parse(data)].flat();
  } catch {
    const lines = data.split("\n").filter((line) => line.trimStart().startsWith("{"));
    try {
      return lines.map((line): unknown => JSON.parse(line));
    } catch {
      return undefined;
    }
  }
}

/** Adds the events for one part of a content that is a list. The part may be reasoning. */
function takePart(part: unknown, out: TextEvent[]): void {
  if (!isJsonObject(part)) return;
  const { text } = part;
  const thought = thoughtInPart(part);
  if (typeof text === "string" && text !== "" && text !== thought) out.push({ type: "text-delta", text });
  if (thought !== "") out.push({ type: "reasoning-delta", text: thought });
}

function howItEnded(finish: string | undefined): Ending {
  return finish === undefined ? "early" : endingOf(finish);
}

function stopReason(finish: string | undefined, ends: readonly ModelEvent[]): StopReason {
  // Some servers end with [DONE] and give no finish reason.
  const reason = finish === undefined ? "stop" : stopReasons[endingOf(finish)];
  const called = ends.some((event) => event.type === "tool-call-end");
  return called && reason !== "length" ? "tool-calls" : reason;
}

/** Returns true for an error without a field `error`: `{"object": "error", "message": ...}` or FastAPI's `{"detail": ...}`. */
function isErrorObject(chunk: JsonObject): boolean {
  if (chunk["choices"] !== undefined) return false;
  const { object, type, detail, id } = chunk;
  return object === "error" || type === "error" || (id === undefined && saysError(detail));
}

/** Converts an error inside the stream. If its `code` or `status` is an HTTP status, the error is classified by it. */
function reported(chunk: JsonObject, who: string): ModelFailure {
  const error = chunk["error"];
  const { code: given, status: state } = isJsonObject(error) ? error : chunk;
  const code = Number(given ?? state);
  const status = code >= 400 && code < 600 ? code : 500;
  const plain = fromStatus(status, errorText(chunk) ?? "no reason given", who);
  const failure = withUnread(plain, chunk);
  const message = failure.message.replace(
    `answered ${status}`,
    "reported an error in the middle of its answer",
  );
  return { ...failure, message };
}

function endedWith(finish: string, who: string): ModelFailure {
  const message = `${who} ended its answer with ${JSON.stringify(finish)} before it had sent any of it.`;
  return withUnread({ code: "server-error", message, retryable: true }, { message });
}

function badResponse(message: string): ModelFailure {
  return { code: "bad-response", message, retryable: false };
}

function webPage(who: string): ModelFailure {
  return badResponse(
    `${who} answered with a web page instead of JSON: the address is wrong, or a proxy or login page answered.`,
  );
}

function withoutChoices(who: string, body: JsonObject): string {
  const said = reasonIn(body) ?? JSON.stringify(body).slice(0, 200);
  return `${who} answered with JSON that holds no choices: ${said}${/[.!?]$/.test(said) ? "" : "."}`;
}

function unfinished(who: string, open: readonly string[], skipped: string): string {
  const words = /^\s*(:|$)/.test(skipped)
    ? ""
    : ` It sent a line that is not JSON: ${skipped.slice(0, 120)}.`;
  const calls = open.length === 0 ? "" : ` Incomplete calls, not run: ${listNames(open, 3)}.`;
  return `${who} ended its answer in the middle.${words}${calls}`;
}
