/** What a turn may use of its session. */
import type { Draft, EventBody, JsonObject, ModelMessage, ToolCall } from "@localharness/protocol";
import type { BatchParts } from "./calls/run-batch.ts";
import type { Model, ToolDefinition } from "./model.ts";

export interface Limits extends RateLimits {
  readonly callsPerIteration: number;
  readonly iterationsPerTurn: number;
}

export interface RateLimits {
  /** Tool calls in any 60 seconds. */
  readonly callsPerMinute: number;
  /** The same for single tools, by name. */
  readonly callsPerMinuteByTool: Readonly<Record<string, number>>;
  readonly commandsPerTurn: number;
  readonly bytesWrittenPerTurn: number;
}

/** What the answer of a turn has to be like, for servers that can hold a model to it. */
export interface AnswerForm {
  readonly schema: JsonObject;
  /** The answer is wanted at once: no tools are offered in this turn. */
  readonly withoutTools?: boolean;
}

export interface Turn {
  /** The one for the next call: a person may change it while a turn runs. */
  model(): Model;
  readonly limits: Limits;
  /** Aborted by an interrupt. */
  readonly signal: AbortSignal;
  readonly batchParts: BatchParts;
  /** Emits an event; those that carry a message also append it to the conversation. */
  emit(event: EventBody): void;
  /** The answer that is being given. */
  draft(): Draft;
  messages(): readonly ModelMessage[];
  tools(): readonly ToolDefinition[];
  /** What the answer has to follow. */
  readonly answer?: AnswerForm | undefined;
  openCalls(): readonly ToolCall[];
  /** The id itself, or a new one when it is empty or was used before. */
  freshCallId(wanted: string): string;
  hasSteering(): boolean;
  /** Appends what the person typed meanwhile. */
  takeSteering(): void;
  /** A note in the user role, marked as the harness's. */
  tellModel(note: string): void;
  notice(level: "info" | "warning", code: string, message: string): void;
}
