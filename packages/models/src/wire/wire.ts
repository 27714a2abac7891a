/**
 * Declares what an adapter has to do for its wire API: write a request, and read the answer. `exchange.ts` does the
 * rest.
 */
import type { ModelRequest } from "@localharness/engine";
import type { ModelEvent } from "@localharness/protocol";
import type { ModelFailure } from "../answer/failure.ts";
import type { HttpRequest } from "../http/http.ts";
import type { ParserFailure } from "../server-words/parser-failure.ts";

/** Reads one answer piece by piece. Never throws, whatever the text is. */
export interface AnswerReader {
  /** Returns the events that this text completes. They may include `model-error`, but never `model-end`. */
  push(text: string): ModelEvent[];
  /**
   * Closes open calls at the end of the stream. The last event is `model-end` or `model-error`. Returns no events if `push`
   * has returned a `model-error`.
   */
  end(): ModelEvent[];
  /**
   * `finishing` means that the answer is complete and token counts may follow. `finished` means that nothing more is
   * expected.
   */
  readonly progress: "open" | "finishing" | "finished";
  /** Returns the names of the calls so far, for the message if the stream breaks. None of them has ended before `end`. */
  openCalls(): readonly string[];
  /** The total number of characters so far of the calls that were counted but not kept. */
  readonly unkeptChars: number;
  /**
   * Closes an answer of which the caller reads no more. Complete calls are kept; the others become errors. The last event is
   * `model-end`.
   */
  cut(): ModelEvent[];
}

/**
 * Sends a request only to learn whether the server takes it: resolves to true as soon as the answer begins, to false after a
 * refusal, and to undefined if neither comes. Never rejects.
 */
export type AskServer = (request: HttpRequest) => Promise<boolean | undefined>;

export interface Wire {
  /** The server's name in messages, such as `Ollama at http://127.0.0.1:11434`. */
  readonly who: string;
  /** Asks the server about the model before a request is written, if that is needed. Never rejects. */
  prepare(): Promise<void>;
  /**
   * Resolves to false if the server will load the model for the next request; to undefined if that is unknown. Never rejects.
   */
  isLoaded?(): Promise<boolean | undefined>;
  /** Returns what the person should know about later requests, such as settings without effect; each only once. */
  notices?(): readonly string[];
  /** Returns a failure if the request is known to fail; it is then not sent. */
  declines(request: ModelRequest): ModelFailure | undefined;
  request(request: ModelRequest): HttpRequest;
  createReader(request: ModelRequest): AnswerReader;
  /** Notes that the server could not read its model's answer. After two equal failures the wire declines requests with tools. */
  noteUnread(failure: ParserFailure): void;
  /**
   * Changes how the request is written so that this failure does not occur again, and returns a notice about the change.
   * Returns undefined if nothing can be changed.
   */
  adaptTo(
    failure: ModelFailure,
    request: ModelRequest,
    ask: AskServer,
  ): string | undefined | Promise<string | undefined>;
  /** As `adaptTo`, for a failure that came again with each try. */
  lastResort(failure: ModelFailure, request: ModelRequest, ask: AskServer): Promise<string | undefined>;
  /** Notes that the server has taken the request: its answer has begun. May be called several times. */
  taken(request: ModelRequest): void;
  /** Returns the failure to report if `adaptTo` has changed the request and the server has refused each form of it. */
  reported(failure: ModelFailure, request: ModelRequest): ModelFailure;
  /** Returns advice for the person about the failure. May ask the server which models it has. */
  advise(failure: ModelFailure): Promise<string | undefined>;
}
