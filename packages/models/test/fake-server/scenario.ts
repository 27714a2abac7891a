/**
 * Declares what a scripted model server answers, as plain JSON: a list of turns, how they are sent, and the faults.
 *
 * The number of assistant messages in a request selects the turn, so that retries and other conversations do not change
 * it. A strict server counts its answers instead, because a history may be sent in many shapes.
 */
import type { FormatId } from "@localharness/detect";
import type { JsonObject, JsonValue } from "@localharness/protocol";
import type { Strictness } from "./strict/strictness.ts";

/** The API that a request came by. */
export type Api = "openai" | "ollama";

/** How far the prompt is read: all of it in tokens, those from the cache, and those read so far. */
export interface PromptProgressFrame {
  readonly total: number;
  readonly cache: number;
  readonly processed: number;
}

/** One answer of the model. All parts are optional; reasoning comes first, then text, then calls. */
export interface ScriptedTurn extends Wire {
  readonly reasoning?: string;
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  /** Writes calls as text in this format instead of natively. */
  readonly writtenAs?: FormatId;
  /** Defaults to `tool_calls` with native calls, else `stop`. */
  readonly finishReason?: string;
  /** Prompt progress, sent before the first token if the request asks for it. */
  readonly promptProgress?: readonly PromptProgressFrame[];
  /** Faults of the first, second ... request for this turn; later requests succeed. Ignored in `conversations`. */
  readonly faults?: readonly Fault[];
}

export interface ScriptedCall {
  /** Generated when absent. */
  readonly id?: string;
  readonly name: string;
  readonly arguments: JsonObject;
  /** Replaces the JSON text of the arguments on the OpenAI wire, to send invalid JSON. */
  readonly argumentsText?: string;
}

/** How an answer is sent; a turn overrides the setting of the scenario. */
export interface Wire {
  /** Characters in each delta of text, reasoning and arguments. 12 by default. */
  readonly deltaChars?: number;
  /** Splits the byte stream into writes of this many bytes, even inside a character. */
  readonly chunkBytes?: number;
  /** `"\n"` by default. */
  readonly lineEnd?: "\n" | "\r\n";
  /** How a call's deltas are shaped on the OpenAI wire. `plain` by default. */
  readonly toolDeltas?: ToolDeltaShape;
  /** Where reasoning is put on the OpenAI wire. `reasoning_content` by default. */
  readonly reasoningKey?: "reasoning_content" | "reasoning";
  /** Answers with one JSON body although the request asks for a stream. */
  readonly plain?: boolean;
  /** Omits the closing mark (`[DONE]`, the `done` line). */
  readonly withoutDone?: boolean;
  /** Omits the finish reason as well, so that the stream just ends. */
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

/** A fault before the first byte of the answer. */
export type FirstFault =
  /** Closes the connection before any answer. */
  | { readonly kind: "hang-up" }
  /** Accepts the request and never sends a header. */
  | { readonly kind: "hold" }
  | {
      readonly kind: "status";
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: JsonValue;
    }
  /** Sends status 200 with a web page. */
  | { readonly kind: "html" };

/**
 * A fault after a number of events: silence, silence until a file exists, keep-alive comments, a broken connection, a clean
 * end, garbage, an error.
 */
export type MidStreamFault =
  | { readonly kind: "stall"; readonly afterEvents: number }
  | { readonly kind: "pause"; readonly afterEvents: number; readonly untilFile: string }
  | { readonly kind: "pings"; readonly afterEvents: number; readonly everyMs: number }
  | { readonly kind: "drop"; readonly afterEvents: number }
  | { readonly kind: "end"; readonly afterEvents: number }
  | { readonly kind: "garbage"; readonly afterEvents: number; readonly text: string }
  | { readonly kind: "error-line"; readonly afterEvents: number; readonly message: string };

/** A model in the server's list. */
export interface ScriptedModel {
  readonly name: string;
  readonly capabilities?: readonly string[];
  /** Maximum context in tokens. */
  readonly contextLength?: number;
  /** Set for a loaded model: its current context in tokens. */
  readonly runningContext?: number;
  readonly template?: string;
  /** Puts the capabilities and the context size into Ollama's list, like newer servers. */
  readonly listsDetails?: boolean;
}

/** Separate turns for conversations whose first user message contains a text. */
export interface ScriptedConversation {
  readonly says: string;
  readonly turns: readonly ScriptedTurn[];
}

export interface Scenario extends Wire {
  readonly turns: readonly ScriptedTurn[];
  /** The first match counts; all other conversations use `turns`. */
  readonly conversations?: readonly ScriptedConversation[];
  /** Only `fake-model` by default. */
  readonly models?: readonly ScriptedModel[];
  /** Refuses requests with tools with Ollama's 400. */
  readonly refusesTools?: boolean;
  /** Refuses requests that set `think` to anything but false with Ollama's 400. */
  readonly refusesThinking?: boolean;
  /** Refuses requests with another `Authorization: Bearer` with a 401. */
  readonly key?: string;
  /** Offers to count the tokens of a request, like llama-server. */
  readonly countsTokens?: boolean;
  /** Renders each request through a chat template and refuses it like a real server. */
  readonly strict?: Strictness;
  /** Omits request bodies from the log (for long measurements). */
  readonly withoutBodies?: boolean;
}

export const fakeModelName = "fake-model";

export function modelsOf(scenario: Scenario): readonly ScriptedModel[] {
  return (
    scenario.models ?? [{ name: fakeModelName, capabilities: ["completion", "tools"], contextLength: 32_768 }]
  );
}
