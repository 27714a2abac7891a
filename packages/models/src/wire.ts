/** Declares the two differences between wire APIs: writing a request and reading the answer (see `exchange.ts`). */
import type { ModelRequest } from "@localharness/engine";
import type { ModelEvent } from "@localharness/protocol";
import type { ModelFailure } from "./failure.ts";
import type { HttpRequest } from "./http/http.ts";

/** Reads one answer incrementally. Never throws, whatever the text. */
export interface AnswerReader {
  /** Returns the events that this text completes; may include `model-error`, never `model-end`. */
  push(text: string): ModelEvent[];
  /** Closes open calls at the end of the stream. The last event is `model-end`, or `model-error` unless `push` gave it. */
  end(): ModelEvent[];
  /** `finishing`: the answer is complete, token counts may follow. `finished`: nothing more is expected. */
  readonly progress: "open" | "finishing" | "finished";
  /** Names of calls whose arguments were still coming, for the message when the stream breaks. */
  openCalls(): readonly string[];
  /** The characters so far of calls that were counted and not kept. */
  readonly unkeptChars: number;
  /** Closes an answer that is cut here: complete calls count, the others are errors. The last event is `model-end`. */
  cut(): ModelEvent[];
}

export interface Wire {
  /** The server's name in messages: `Ollama at http://127.0.0.1:11434`. */
  readonly who: string;
  /** Asks the server about the model before a request is written, if needed. Never rejects. */
  prepare(): Promise<void>;
  /** Returns a failure if the request is known to fail, so that it is not sent. */
  declines(request: ModelRequest): ModelFailure | undefined;
  request(request: ModelRequest): HttpRequest;
  createReader(request: ModelRequest): AnswerReader;
  /** Changes later requests to avoid this failure and returns a notice about it; undefined if nothing can be changed. */
  adaptTo(failure: ModelFailure): string | undefined;
  /** Returns advice for the person about the failure; may ask the server which models it has. */
  advise(failure: ModelFailure): Promise<string | undefined>;
}
