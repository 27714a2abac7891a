/**
 * Reads an answer of an OpenAI-compatible server: server-sent events, or one JSON body if the server does not stream.
 */

import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ModelEvent,
  type StopReason,
} from "@localharness/protocol";
import { callsOf } from "../call-delta.ts";
import type { CallIds } from "../call-ids.ts";
import type { Ending } from "../cut-off.ts";
import { errorText, fromStatus, looksLikeHtml, type ModelFailure, saysError, tooDeep } from "../failure.ts";
import { endingOf, stopReasons } from "../finish-reason.ts";
import { SseDecoder, type SseEvent } from "../http/sse.ts";
import { isTooDeep } from "../json-depth.ts";
import { listNames } from "../list-names.ts";
import type { AnswerReader } from "../wire.ts";
import { type CallAssembly, createCallAssembly } from "./call-assembly.ts";
import { readProgress, readUsage } from "./usage.ts";

type TextEvent = Extract<ModelEvent, { type: "text-delta" | "reasoning-delta" }>;

export class OpenaiReader implements AnswerReader {
  readonly #who: string;
  readonly #calls: CallAssembly;
  readonly #sse = new SseDecoder();
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
  /** True once a choice has come. A body without choices is not an answer. */
  #answered = false;

  constructor(who: string, ids: CallIds, maxCalls?: number) {
    this.#who = who;
    this.#calls = createCallAssembly(ids, maxCalls);
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
      this.#fail(out, { ...badResponse(unfinished(this.#who, this.#calls.names())), retryable: true });
    }
    if (this.#failed) return out;
    const ends = this.#calls.finish(howItEnded(this.#finish));
    for (const end of ends) out.push(end);
    if (this.#usage) out.push(this.#usage);
    out.push({ type: "model-end", stopReason: stopReason(this.#finish, ends) });
    return out;
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
    if (values === undefined) {
      const message = `${this.#who} sent a line that is not JSON: ${event.data.slice(0, 120)}.`;
      this.#fail(out, { ...badResponse(message), retryable: true });
      return;
    }
    for (const value of values) {
      // Values of another shape (null, a number, a list) are ignored.
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
    if (isError || saysError(error)) {
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
      this.#say(textIn(delta), out);
      this.#takeCalls(delta, false, out);
    } else if (isJsonObject(message)) {
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
  const reasoning = delta["reasoning_content"] ?? delta["reasoning"];
  if (typeof reasoning === "string" && reasoning !== "") {
    out.push({ type: "reasoning-delta", text: reasoning });
  }
  const content = delta["content"] ?? delta["refusal"];
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
 * Returns the JSON values of a data field. There is usually one value; there are several if a server leaves out the
 * empty lines between events. Returns undefined if any of them is not JSON.
 */
function parseLenient(data: string): unknown[] | undefined {
  try {
    return [JSON.parse(data)];
  } catch {
    if (!data.includes("\n")) return undefined;
  }
  try {
    const lines = data.split("\n").filter((line) => line.trim() !== "" && line.trim() !== "[DONE]");
    return lines.map((line): unknown => JSON.parse(line));
  } catch {
    return undefined;
  }
}

/** Adds the events for one part of a content that is a list. The part may be reasoning. */
function takePart(part: unknown, out: TextEvent[]): void {
  if (!isJsonObject(part)) return;
  if (typeof part["text"] === "string" && part["text"] !== "") {
    out.push({ type: "text-delta", text: part["text"] });
  }
  const thinking = part["thinking"];
  if (typeof thinking === "string") out.push({ type: "reasoning-delta", text: thinking });
  if (!Array.isArray(thinking)) return;
  for (const piece of thinking) {
    if (isJsonObject(piece) && typeof piece["text"] === "string") {
      out.push({ type: "reasoning-delta", text: piece["text"] });
    }
  }
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

/** Converts an error inside the stream. If its `code` or `status` is an HTTP status, the error is classified by it. */
function reported(chunk: JsonObject, who: string): ModelFailure {
  const error = chunk["error"];
  const code = isJsonObject(error) ? Number(error["code"] ?? error["status"]) : Number.NaN;
  const status = code >= 400 && code < 600 ? code : 500;
  const failure = fromStatus(status, errorText(chunk) ?? "no reason given", who);
  const message = failure.message.replace(
    `answered ${status}`,
    "reported an error in the middle of its answer",
  );
  return { ...failure, message };
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
  const said = errorText(body) ?? JSON.stringify(body).slice(0, 200);
  return `${who} answered with JSON that holds no choices: ${said}${/[.!?]$/.test(said) ? "" : "."}`;
}

function unfinished(who: string, open: readonly string[]): string {
  const calls = open.length === 0 ? "" : ` Incomplete calls, not run: ${listNames(open, 3)}.`;
  return `${who} ended its answer in the middle.${calls}`;
}
