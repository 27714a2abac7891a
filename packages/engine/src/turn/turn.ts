/** What a turn gets from its session or agent. */
import type { Draft, EventBody, JsonObject, ModelMessage, ToolCall } from "@localharness/protocol";
import type { BatchParts } from "../calls/batch-parts.ts";
import type { Model, ToolDefinition } from "../model.ts";
import type { Limits } from "./limits.ts";

/** The form that the answer of a turn has to have, for servers that can hold a model to it. */
export interface AnswerForm {
  readonly schema: JsonObject;
  /** True when the model is to answer at once: no tools are offered in this turn. */
  readonly withoutTools?: boolean;
}

export interface Turn {
  /** Returns the model for the next call: the person may change it while a turn runs. */
  model(): Model;
  readonly limits: Limits;
  /** Aborts when the person interrupts. */
  readonly signal: AbortSignal;
  readonly batchParts: BatchParts;
  /** Emits an event. An event that carries a message also appends it to the transcript. */
  emit(event: EventBody): void;
  /** Returns the part of the answer that has come so far. */
  draft(): Draft;
  messages(): readonly ModelMessage[];
  tools(): readonly ToolDefinition[];
  readonly answer?: AnswerForm | undefined;
  /** Returns the calls that have no result yet. */
  openCalls(): readonly ToolCall[];
  /** Returns the id itself, or a new one when the id is empty or was used before. */
  freshCallId(wanted: string): string;
  /** Returns true when the person has written messages since the last call of `takeSteering`. */
  hasSteering(): boolean;
  /** Appends the messages that the person has written meanwhile, and what the harness has to tell the model. */
  takeSteering(): void;
  /** Appends a note from the harness, in the user role. */
  tellModel(note: string): void;
  notice(level: "info" | "warning", code: string, message: string): void;
}
