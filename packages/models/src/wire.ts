/** What one wire API is: how a request is written and how the answer is read. All else is shared, in `exchange.ts`. */
import type { ModelRequest } from "@localharness/engine";
import type { ModelEvent } from "@localharness/protocol";
import type { ModelFailure } from "./failure.ts";
import type { HttpRequest } from "./http/http.ts";

/** Reads one answer incrementally. Never throws, whatever the text. */
export interface AnswerReader {
  /** The events that this text completes, `model-error` among them but never `model-end`. */
  push(text: string): ModelEvent[];
  /** The stream is over: settles what is open; the last event is `model-end` or `model-error`. */
  end(): ModelEvent[];
  /** `finishing`: the answer is complete, counts may follow. `finished`: the server has said its last word. */
  readonly progress: "open" | "finishing" | "finished";
  /** Names of calls whose arguments were still coming, for the message when the stream breaks. */
  openCalls(): readonly string[];
}

export interface Wire {
  /** Who is asked, for messages: `Ollama at http://127.0.0.1:11434`. */
  readonly who: string;
  /** Asks the server what it tells of the model, before a request is written. Never rejects; quick when nothing is asked. */
  prepare(): Promise<void>;
  /** Why this request is not worth sending, as far as is known. */
  declines(request: ModelRequest): ModelFailure | undefined;
  request(request: ModelRequest): HttpRequest;
  createReader(request: ModelRequest): AnswerReader;
  /** Sends less from now on, when that overcomes the failure, and says what was left out. */
  relent(failure: ModelFailure): string | undefined;
  /** What a person can do about it; may ask the server which models it has. */
  advise(failure: ModelFailure): Promise<string | undefined>;
}
