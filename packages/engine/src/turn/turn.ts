/** Declares the parts of a session or agent that a turn needs. */
import type {
  Draft,
  EventBody,
  ImageContent,
  JsonObject,
  ModelMessage,
  ToolCall,
} from "@localharness/protocol";
import type { BatchParts } from "../calls/batch-parts.ts";
import type { Model, ToolDefinition } from "../model.ts";
import type { Limits } from "./limits.ts";
import type { PromptWindow } from "./prompt-window.ts";
import type { ReadingPace } from "./reading-pace.ts";

/** The required form of an answer, for servers that can enforce it. Only a request without tools asks for the form. */
export interface AnswerForm {
  readonly schema: JsonObject;
  /** True if the model must answer directly; the turn then offers no tools. */
  readonly withoutTools?: boolean;
}

export interface Turn {
  /** Returns the model for the next call. The person may change it during a turn. */
  model(): Model;
  readonly limits: Limits;
  /** Aborts when the person interrupts or the session closes; for an agent, when the call that it works for must stop. */
  readonly signal: AbortSignal;
  readonly batchParts: BatchParts;
  /** Emits an event. If the event has a message, the message is added to the transcript. */
  emit(event: EventBody): void;
  /** Returns the part of the answer that has arrived so far. */
  draft(): Draft;
  /** Returns the messages of the next request. */
  messages(): readonly ModelMessage[];
  /**
   * Says when old results and answers are left out: `alone` before the window is full and when the server refuses a prompt
   * as too long, `on-demand` only when the person asks.
   */
  readonly compacts: "alone" | "on-demand";
  /** Knows how full the context window is. */
  readonly promptWindow: PromptWindow;
  /** Knows how fast the server reads prompts. */
  readonly pace: ReadingPace;
  tools(): readonly ToolDefinition[];
  readonly answer?: AnswerForm | undefined;
  /** Returns the calls that have no result yet. */
  openCalls(): readonly ToolCall[];
  /** Returns `wanted`, or a new id if `wanted` is empty or was used before. */
  freshCallId(wanted: string): string;
  /** Returns true if the person has sent messages since the last call of `takeSteering`. */
  hasSteering(): boolean;
  /** Adds the messages that the person has sent during the turn, and the new notes of the harness, to the transcript. */
  takeSteering(): void;
  /** Adds a note of the harness to the transcript, in the role `user`, with these images. */
  tellModel(note: string, images?: readonly ImageContent[]): void;
  notice(level: "info" | "warning", code: string, message: string): void;
}
