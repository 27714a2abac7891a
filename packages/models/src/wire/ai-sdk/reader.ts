/** Converts stream parts of the AI SDK to model events. */
import type {
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import { maxCallsInAnswer } from "@localharness/engine";
import type { ModelEvent, StopReason } from "@localharness/protocol";
import { defined } from "@localharness/protocol";
import type { CallIds } from "../../answer/call-ids.ts";
import { beyondEvent } from "../../answer/calls-beyond.ts";
import { cutOff, type Ending } from "../../answer/cut-off.ts";
import type { ModelFailure } from "../../answer/failure.ts";
import { endingOf, stopReasons } from "../../answer/finish-reason.ts";
import { tokenCount } from "../../answer/token-count.ts";
import { aiSdkFailure } from "./failure.ts";

type Finish = Extract<LanguageModelV4StreamPart, { type: "finish" }>;

interface OpenCall {
  readonly index: number;
  readonly id: string;
  readonly name: string;
  ended: boolean;
}

interface MadeCall {
  readonly index: number;
  readonly id: string;
  readonly name: string;
  readonly input: string;
}

export class AiSdkReader {
  readonly #who: string;
  readonly #ids: CallIds;
  readonly #calls = new Map<string, OpenCall>();
  readonly #maxCalls: number;
  #nextIndex = 0;
  /** The number of calls that are counted but not kept. */
  #beyond = 0;
  /** The id of the newest call that is not kept, until that call ends. */
  #beyondId: string | undefined;
  readonly #ends: MadeCall[] = [];
  #finish: Finish | undefined;
  /** The failure that the stream reported or that its end revealed; undefined if the answer is good. */
  failure: ModelFailure | undefined;

  constructor(who: string, ids: CallIds, maxCalls = maxCallsInAnswer) {
    this.#who = who;
    this.#maxCalls = maxCalls;
    this.#ids = ids;
  }

  /** Returns the events for one part. The ends of calls are held back until the answer is complete. */
  push(part: LanguageModelV4StreamPart): readonly ModelEvent[] {
    switch (part.type) {
      case "text-delta":
        return part.delta === "" ? [] : [{ type: "text-delta", text: part.delta }];
      case "reasoning-delta":
        return part.delta === "" ? [] : [{ type: "reasoning-delta", text: part.delta }];
      case "tool-input-start":
        return part.providerExecuted === true ? [] : this.#begin(part.id, part.toolName);
      case "tool-input-delta": {
        const call = this.#calls.get(part.id);
        if (call === undefined || part.delta === "" || part.id === this.#beyondId) return [];
        return [{ type: "tool-call-delta", index: call.index, argumentsText: part.delta }];
      }
      case "tool-call":
        return part.providerExecuted === true ? [] : this.#call(part.toolCallId, part.toolName, part.input);
      case "finish":
        this.#finish = part;
        return usageEvents(part.usage);
      case "error":
        if (!this.isFinished) this.failure ??= aiSdkFailure(part.error, this.#who);
        return [];
      // The starts and ends of texts follow from the deltas. A session needs no other part, and also no part that a
      // later version of the SDK may add.
      default:
        return [];
    }
  }

  /** Returns true once the service has sent `finish`. The answer is then complete, however its stream ends. */
  get isFinished(): boolean {
    return this.#finish !== undefined;
  }

  /**
   * Returns the ends of the calls and `model-end`. Returns undefined if the answer is incomplete; the reason is then in
   * `failure`.
   */
  end(): readonly ModelEvent[] | undefined {
    if (this.failure === undefined && this.#finish === undefined) this.failure = endedEarly(this.#who);
    this.failure ??= this.#finish && failedFinish(this.#finish.finishReason, this.#who);
    if (this.failure !== undefined || this.#finish === undefined) return undefined;
    const { finishReason } = this.#finish;
    const ends = this.#ends.map((call) => settled(call, howItEnded(finishReason)));
    const called = ends.some(({ type }) => type === "tool-call-end");
    const beyond = this.#beyond === 0 ? [] : [beyondEvent(this.#nextIndex, this.#beyond)];
    const { unified, raw } = finishReason;
    const isOdd = howItEnded(finishReason) === "early" && (unified !== "other" || raw !== undefined);
    const reason = isOdd ? (raw ?? unified) : undefined;
    const stopReason = stopReasonOf(finishReason, called);
    return [...ends, ...beyond, { type: "model-end", stopReason, ...defined({ reason }) }];
  }

  /**
   * Returns the names of the kept calls that have begun, including calls that the SDK itself completed after the stream
   * broke.
   */
  begunCalls(): readonly string[] {
    return [...this.#calls.values()].map((call) => call.name);
  }

  #begin(givenId: string, name: string): ModelEvent[] {
    if (this.#nextIndex >= this.#maxCalls) {
      this.#beyond += 1;
      this.#beyondId = givenId;
      return [];
    }
    const index = this.#nextIndex++;
    const id = this.#ids.take(givenId);
    this.#calls.set(givenId, { index, id, name, ended: false });
    return [{ type: "tool-call-start", index, id, name }];
  }

  #call(givenId: string, name: string, input: unknown): ModelEvent[] {
    if (givenId === this.#beyondId) {
      this.#beyondId = undefined;
      return [];
    }
    // If the call with this id has ended, the repeated id means a new call, because some services restart their
    // numbering.
    const begun = this.#calls.get(givenId)?.ended === false ? [] : this.#begin(givenId, name);
    const call = this.#calls.get(givenId);
    if (this.#beyondId === givenId) this.#beyondId = undefined;
    if (call === undefined || call.ended) return begun;
    call.ended = true;
    this.#ends.push({ index: call.index, id: call.id, name, input: textOf(input) });
    return begun;
  }
}

/** Returns a call's input as text. Some providers send it already parsed. */
function textOf(input: unknown): string {
  return typeof input === "string" ? input : (JSON.stringify(input) ?? "");
}

/**
 * Returns the end of a call, or an error if the call was cut off. The SDK itself completes calls that were cut off, so
 * the arguments are checked.
 */
function settled({ index, id, name, input }: MadeCall, ending: Ending): ModelEvent {
  const message = cutOff(name, input, ending);
  return message === undefined
    ? { type: "tool-call-end", index, id, name, arguments: input.trim() === "" ? "{}" : input }
    : { type: "tool-call-error", index, raw: input, reason: "incomplete", message, name };
}

/** Returns how the answer ended: by the service's own word if the SDK has none for it. */
function howItEnded({ unified, raw }: LanguageModelV4FinishReason): Ending {
  if (unified === "length") return "at-limit";
  if (unified === "other" && raw !== undefined) return endingOf(raw);
  return unified === "stop" || unified === "tool-calls" ? "whole" : "early";
}

function usageEvents({ inputTokens, outputTokens }: LanguageModelV4Usage): ModelEvent[] {
  const read = tokenCount(inputTokens.total);
  const written = tokenCount(outputTokens.total);
  const cached = tokenCount(inputTokens.cacheRead);
  const counts = {
    ...defined({ inputTokens: read, outputTokens: written, cachedTokens: cached }),
  };
  return Object.keys(counts).length === 0 ? [] : [{ type: "usage", ...counts }];
}

function stopReasonOf(finish: LanguageModelV4FinishReason, called: boolean): StopReason {
  const { unified, raw } = finish;
  const ending = howItEnded(finish);
  if (ending !== "at-limit" && (called || unified === "tool-calls")) return "tool-calls";
  // Some services give no reason.
  return unified === "other" && raw === undefined ? "stop" : stopReasons[ending];
}

function failedFinish({ unified, raw }: LanguageModelV4FinishReason, who: string): ModelFailure | undefined {
  if (unified !== "error" && unified !== "interrupted") return undefined;
  const why = raw === undefined ? unified : `${unified} (${raw})`;
  return { code: "server-error", message: `${who} ended the answer with: ${why}.`, retryable: true };
}

function endedEarly(who: string): ModelFailure {
  const message = `The stream of ${who} ended before the answer was complete.`;
  return { code: "bad-response", message, retryable: true };
}
