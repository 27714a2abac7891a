/**
 * What a scripted model server answers, as plain JSON: a list of turns, how they travel, and what goes wrong on the way.
 *
 * Which turn a request gets follows from the request alone: the number of assistant messages in it. Retries and other
 * conversations do not disturb it. A strict server counts the answers that it gave: a history may be sent in many shapes.
 */
import type { FormatId } from "@localharness/detect";
import type { JsonObject, JsonValue } from "@localharness/protocol";
import type { PromptProgressFrame } from "./llama-frames.ts";
import type { Strictness } from "./strict/strictness.ts";

/** One answer of the model. All parts are optional; reasoning comes first, then text, then calls. */
export interface ScriptedTurn extends Wire {
  readonly reasoning?: string;
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  /** Calls are written as text in this format instead of natively. */
  readonly writtenAs?: FormatId;
  /** Defaults to `tool_calls` beside native calls, else `stop`. */
  readonly finishReason?: string;
  /** How far the prompt is read, told before the first word to who asks for it. */
  readonly promptProgress?: readonly PromptProgressFrame[];
  /** What goes wrong at the first, second ... request for this turn; after the last it is served well. */
  readonly faults?: readonly Fault[];
}

export interface ScriptedCall {
  /** Generated when absent. */
  readonly id?: string;
  readonly name: string;
  readonly arguments: JsonObject;
  /** Replaces the JSON text of the arguments on the OpenAI wire, for broken ones. */
  readonly argumentsText?: string;
}

/** How an answer travels; set for the scenario, overridden by a turn. */
export interface Wire {
  /** Characters in each delta of text, reasoning and arguments. 12 by default. */
  readonly deltaChars?: number;
  /** The byte stream is cut into writes of this many bytes, wherever that falls. */
  readonly chunkBytes?: number;
  /** `"\n"` by default. */
  readonly lineEnd?: "\n" | "\r\n";
  /** How a call's deltas are shaped on the OpenAI wire. `plain` by default. */
  readonly toolDeltas?: ToolDeltaShape;
  /** Where reasoning is put on the OpenAI wire. `reasoning_content` by default. */
  readonly reasoningKey?: "reasoning_content" | "reasoning";
  /** The server answers with one JSON body although a stream was asked for. */
  readonly plain?: boolean;
  /** The closing mark (`[DONE]`, the `done` line) is not sent. */
  readonly withoutDone?: boolean;
  /** The finish reason is not sent either: the stream just ends. */
  readonly withoutFinish?: boolean;
  /** Milliseconds before the answer begins. */
  readonly delayMs?: number;
  /** Milliseconds between two events. */
  readonly everyMs?: number;
}

export type ToolDeltaShape =
  | "plain"
  | "whole"
  | "late-name"
  | "no-index"
  | "same-index"
  | "sparse-index"
  | "object-arguments"
  | "no-id"
  | "repeated-header"
  | "empty-strings"
  | "interleaved";

export type Fault = FirstFault | MidStreamFault;

/** What goes wrong before the first byte of the answer. */
export type FirstFault =
  /** The connection is closed before any answer. */
  | { readonly kind: "hang-up" }
  /** The request is taken, no header ever comes. */
  | { readonly kind: "hold" }
  | {
      readonly kind: "status";
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: JsonValue;
    }
  /** Status 200 with a web page. */
  | { readonly kind: "html" };

/** After so many events: silence, or one until a file is there, keep-alive comments, a broken connection, a clean end, garbage, an error. */
export type MidStreamFault =
  | { readonly kind: "stall"; readonly afterEvents: number }
  | { readonly kind: "pause"; readonly afterEvents: number; readonly untilFile: string }
  | { readonly kind: "pings"; readonly afterEvents: number; readonly everyMs: number }
  | { readonly kind: "drop"; readonly afterEvents: number }
  | { readonly kind: "end"; readonly afterEvents: number }
  | { readonly kind: "garbage"; readonly afterEvents: number; readonly text: string }
  | { readonly kind: "error-line"; readonly afterEvents: number; readonly message: string };

/** A model that the server says it has. */
export interface ScriptedModel {
  readonly name: string;
  readonly capabilities?: readonly string[];
  /** Largest context, tokens. */
  readonly contextLength?: number;
  /** Set when the model is loaded: the context it runs with, tokens. */
  readonly runningContext?: number;
  readonly template?: string;
  /** Ollama's list says what the model can and how much it holds, as newer servers do. */
  readonly listsDetails?: boolean;
}

/** Turns of their own for conversations whose first message of the person holds a text. */
export interface ScriptedConversation {
  readonly says: string;
  readonly turns: readonly ScriptedTurn[];
}

export interface Scenario extends Wire {
  readonly turns: readonly ScriptedTurn[];
  /** The first that fits counts; `turns` is for all others. */
  readonly conversations?: readonly ScriptedConversation[];
  /** `fake-model` alone by default. */
  readonly models?: readonly ScriptedModel[];
  /** Requests with tools are refused with Ollama's 400. */
  readonly refusesTools?: boolean;
  /** Requests that set `think` are refused with Ollama's 400. */
  readonly refusesThinking?: boolean;
  /** Requests with another `Authorization: Bearer` are refused with a 401. */
  readonly key?: string;
  /** The server counts the tokens of a request without answering it, as llama-server does. */
  readonly countsTokens?: boolean;
  /** Each request is rendered through a chat template and refused where a real server would. */
  readonly strict?: Strictness;
  /** Request bodies are not kept in the log (for long measurements). */
  readonly withoutBodies?: boolean;
}

export const fakeModelName = "fake-model";

export function modelsOf(scenario: Scenario): readonly ScriptedModel[] {
  return (
    scenario.models ?? [{ name: fakeModelName, capabilities: ["completion", "tools"], contextLength: 32_768 }]
  );
}
